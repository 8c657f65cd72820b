/**
 * HTTP client of the crawler: one request in, one record out. A fetch spends a turn, resolves the name, checks the address and connects to
 * exactly that address, sends one GET, and classifies the result; it follows no redirects and stores nothing but open connections and
 * addresses. Whatever a server does is a value with a reason: only our own errors throw. Every wait has a deadline (one timer for the
 * whole exchange), and every buffer has a cap, counted after decompression. The address guard is where the socket is created, so every
 * request passes it.
 */

export { abortCallbacksOf } from "./abort-callbacks.ts";
export { type Access, credentialHeaders, isSignedIn, openAccess, storedAccessOptions } from "./access.ts";
export { AccessError } from "./access-error.ts";
export { type Answer, bodyAnswer, classifyHead, readableTypes } from "./answer.ts";
export { type Decoded, decodeBody } from "./codings.ts";
export { type Connector, createConnector } from "./connector.ts";
export { DnsCache, type DnsLookup } from "./dns-cache.ts";
export { classifyError, isOutOfFiles, makeFailure, OutOfFiles, UnreachableError } from "./failure.ts";
export type { FetchRequest } from "./fetch-request.ts";
export { readHead, utf8AsLatin1 } from "./head.ts";
export { canonicalHost, isLocalhost } from "./hostname.ts";
export { type Fetcher, type FetcherSetup, markTurnSpent, openFetcher } from "./http.ts";
export { KeyedLimiter } from "./keyed-limiter.ts";
export type { FetchOptions } from "./options.ts";
export { type FirstVisibility, type NameVisibility, type PrivateHostCheck, PrivateHosts } from "./private-hosts.ts";
export { parseProxy } from "./proxy.ts";
export type { RawExchange } from "./raw-exchange.ts";
export { openResolver, type Resolve } from "./resolver.ts";
export { parseRetryAfter } from "./retry-after.ts";
export { isGloballyRoutable } from "./routable.ts";
export type { SharedDnsCache } from "./shared-dns-cache.ts";
export { proxyLoginError } from "./tunnel.ts";
