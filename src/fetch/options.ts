import { z } from "zod";
import { byteSize, duration } from "../units.ts";
import { AccessError } from "./access-error.ts";
import { parseAuth, parseHeader } from "./given-header.ts";
import { parseProxy } from "./proxy.ts";

/** What can be said in a header line without breaking it (RFC 9110 §5.5, ASCII only). */
const headerText = () => z.string().regex(/^[\x20-\x7e]+$/, "printable ASCII on one line");

/** A text that `parse` understands; what it says of one that it does not becomes the message. */
const readBy = (parse: (text: string) => unknown) =>
  z.string().superRefine((text, context) => {
    try {
      parse(text);
    } catch (cause) {
      if (!(cause instanceof AccessError)) throw cause;
      context.addIssue({ code: "custom", message: cause.message });
    }
  });

/** Empty stands for one that a run was begun with and does not keep. */
const proxyUrl = readBy((text) => text === "" || parseProxy(text));

export const FetchOptions = z.object({
  timeout: duration().prefault("10s").describe("Time for one request from connecting to its last byte"),
  maxBody: byteSize().prefault("10MB").describe("Largest page read, counted after decompression"),
  userAgent: headerText().optional().describe("User agent sent instead of nuthatch/<version> (+<contact>)"),
  contact: headerText().optional().describe("URL or mail address that site owners can reach you at, sent in the user agent"),
  types: z.array(z.string()).default([]).describe("Content types read besides HTML, XML, feeds, plain text and Markdown"),
  perHost: z.number().int().min(1).default(1).describe("Requests in flight per host"),
  resolver: z.string().optional().describe("Name server to ask instead of the system's, as address:port"),
  allowPrivate: z.array(z.string()).default([]).describe("Private addresses, CIDRs or hosts that may be asked"),
  header: z
    .array(readBy(parseHeader))
    .default([])
    .describe('Header sent to the seeds\' own origins, "Name: value", or to the one named: "https://example.org Name: value"; never stored')
    .meta({ secret: true }),
  auth: z
    .array(readBy(parseAuth))
    .default([])
    .describe(
      'Basic authentication for the seeds\' own origins, "user:password", or for the one named: "https://example.org user:password"; never stored',
    )
    .meta({ secret: true }),
  cookies: z
    .string()
    .optional()
    .describe("Netscape cookie file; sent only to the seeds' own origins, and there only where its lines say")
    .meta({ kept: false, path: true }),
  proxy: z
    .union([proxyUrl, z.strictObject({ http: proxyUrl.optional(), https: proxyUrl.optional(), except: z.array(z.string()).optional() })])
    .optional()
    .describe("Proxy to ask through, http://[user:password@]host:port; else HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY hold")
    .meta({ kept: false }),
  ca: z
    .string()
    .optional()
    .describe("PEM file of certificate authorities to trust besides the usual ones")
    .meta({ kept: false, path: true }),
});
export type FetchOptions = z.infer<typeof FetchOptions>;

/** Options that open doors: of their values nothing is kept with a run. */
export type AccessOption = "header" | "auth" | "cookies" | "proxy" | "ca";
