import { isIP } from "node:net";
import { z } from "zod";
import { byteSize, duration, MAX_TIMER_MS, textAs } from "../../core/units.ts";
import { AccessError } from "./access-error.ts";
import { parseProxy } from "./proxy.ts";
import { parseAuth, parseHeader } from "./user-header.ts";

/** Text that is valid in a header line (RFC 9110 §5.5, ASCII only). */
const headerText = () =>
  z
    .string()
    .max(500)
    .regex(/^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/, "expected printable ASCII on one line");

/** `application/pdf`; parameters such as a charset are dropped. */
const contentType = textAs(
  (text) => /^(\*\/\*|[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100})\s*(?:;.*)?$/.exec(text.trim().toLowerCase())?.[1],
  "a content type such as application/json, or */* for all",
);

const nameServer = textAs((text) => {
  const [, bracketedIpv6, ipv6, ipv4, port] = /^(?:\[(.+)\]|([^:]*:[^:]*:.*)|([^:]*))(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const address = bracketedIpv6 ?? ipv6 ?? ipv4 ?? "";
  const isPort = port === undefined || (Number(port) > 0 && Number(port) < 65_536);
  return isPort && isIP(address) === (ipv4 === undefined ? 6 : 4) ? text.trim() : undefined;
}, "the address of a name server, such as 9.9.9.9 or 9.9.9.9:53");

/** A string that `parse` accepts; its error becomes the message. */
const acceptedBy = (parse: (text: string) => unknown) =>
  z.string().superRefine((text, context) => {
    try {
      parse(text);
    } catch (cause) {
      if (!(cause instanceof AccessError)) throw cause;
      context.addIssue({ code: "custom", message: cause.message });
    }
  });

/** Empty means that the run was started with a proxy, which is not stored. */
const proxyUrl = acceptedBy((text) => text === "" || parseProxy(text));

export const FetchOptions = z.object({
  timeout: duration({ min: 1, max: MAX_TIMER_MS }).prefault("10s").describe("Time for one request from connecting to its last byte"),
  maxBody: byteSize({ min: 1 }).prefault("10MB").describe("Largest page read, counted after decompression"),
  userAgent: headerText()
    .optional()
    .describe("User agent sent instead of nuthatch/<version> (+<contact>)")
    .meta({ examples: ["MyCrawler/1.0"] }),
  contact: headerText()
    .regex(/[^@\s]@[^@\s]|https?:\/\/\S/i, "expected a URL or a mail address")
    .optional()
    .describe("URL or mail address that site owners can reach you at, sent in the user agent")
    .meta({ examples: ["mailto:you@example.org"] }),
  types: z
    .array(contentType)
    .default([])
    .describe("Content types read besides HTML, XML, feeds, plain text and Markdown")
    .meta({ examples: ["application/json"] }),
  perHost: z.number().int().min(1).max(100).default(1).describe("Requests in flight per host"),
  resolver: nameServer
    .optional()
    .describe("Name server to ask instead of the system's, as address:port")
    .meta({ examples: ["9.9.9.9:53"] }),
  allowPrivate: z
    .array(z.string())
    .default([])
    .describe("Private addresses, CIDRs or hosts that may be asked")
    .meta({ examples: ["10.0.0.0/8"] }),
  header: z
    .array(acceptedBy(parseHeader))
    .default([])
    .describe('Header sent to the seeds\' own origins, "Name: value", or to the one named: "https://example.org Name: value"; never stored')
    .meta({ secret: true, examples: ["Accept-Language: de"] }),
  auth: z
    .array(acceptedBy(parseAuth))
    .default([])
    .describe(
      'Basic authentication for the seeds\' own origins, "user:password", or for the one named: "https://example.org user:password"; never stored',
    )
    .meta({ secret: true, examples: ["user:password"] }),
  cookies: z
    .string()
    .optional()
    .describe("Netscape cookie file; sent only to the seeds' own origins, and there only where its lines say")
    .meta({ kept: false, path: true, examples: ["cookies.txt"] }),
  proxy: z
    .union([proxyUrl, z.strictObject({ http: proxyUrl.optional(), https: proxyUrl.optional(), except: z.array(z.string()).optional() })])
    .optional()
    .describe("Proxy to ask through, http://[user:password@]host:port; else HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY hold")
    .meta({ kept: false, examples: ["http://proxy.example.org:3128"] }),
  ca: z
    .string()
    .optional()
    .describe("PEM file of certificate authorities to trust besides the usual ones")
    .meta({ kept: false, path: true, examples: ["ca.pem"] }),
});
export type FetchOptions = z.infer<typeof FetchOptions>;

/** Options with credentials: their values are not stored with a run. */
export type AccessOption = "header" | "auth" | "cookies" | "proxy" | "ca";
