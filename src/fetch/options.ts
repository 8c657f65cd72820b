import { z } from "zod";
import { byteSize, duration } from "../units.ts";

/** What can be said in a header line without breaking it (RFC 9110 §5.5, ASCII only). */
const headerText = () => z.string().regex(/^[\x20-\x7e]+$/, "printable ASCII on one line");

export const FetchOptions = z.object({
  timeout: duration().prefault("10s").describe("Time for one request from connecting to its last byte"),
  maxBody: byteSize().prefault("10MB").describe("Largest page read, counted after decompression"),
  userAgent: headerText().optional().describe("User agent sent instead of nuthatch/<version> (+<contact>)"),
  contact: headerText().optional().describe("URL or mail address that site owners can reach you at, sent in the user agent"),
  types: z.array(z.string()).default([]).describe("Content types read besides HTML, XML, feeds, plain text and Markdown"),
  perHost: z.number().int().min(1).default(1).describe("Requests in flight per host"),
  resolver: z.string().optional().describe("Name server to ask instead of the system's, as address:port"),
  allowPrivate: z.array(z.string()).default([]).describe("Private addresses, CIDRs or hosts that may be asked"),
});
export type FetchOptions = z.infer<typeof FetchOptions>;
