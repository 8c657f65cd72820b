/**
 * HTTP client of the crawler: one request in, one record out. A fetch spends a turn, resolves the name, checks the address and connects to
 * exactly that address, sends one GET, and classifies the result; it follows no redirects and stores nothing but open connections and
 * addresses. Whatever a server does is a value with a reason: only our own errors throw. Every wait has a deadline (one timer for the
 * whole exchange), and every buffer has a cap, counted after decompression. The address guard is where the socket is created, so every
 * request passes it.
 */
export { type Access, accessTrace, isSignedIn, openAccess, sentAlong } from "./access.ts";
export { AccessError } from "./access-error.ts";
export { type Answer, bodyOf, judge, readableTypes } from "./answer.ts";
export type { Ask } from "./ask.ts";
export { type Decoded, decodeBody } from "./codings.ts";
export { classify, failed, isOutOfFiles, OutOfFiles, Unreachable } from "./failure.ts";
export { asWritten, readHead } from "./head.ts";
export type { Others } from "./hearsay.ts";
export { isLocalhost, plainHost } from "./hostname.ts";
export { type Fetcher, type FetcherSetup, openFetcher, spend } from "./http.ts";
export { type NameFinder, Names } from "./names.ts";
export { type FirstMet, type Met, type Opened, Openings } from "./openings.ts";
export type { FetchOptions } from "./options.ts";
export { parseProxy } from "./proxy.ts";
export { openResolver, type Resolve } from "./resolver.ts";
export { parseRetryAfter } from "./retry-after.ts";
export { isGloballyRoutable } from "./routable.ts";
export { Slots } from "./slots.ts";
export { stopsOf } from "./stops.ts";
export { needsUser } from "./tunnel.ts";
export { openWay, type Way } from "./way.ts";
export type { Wire } from "./wire.ts";
