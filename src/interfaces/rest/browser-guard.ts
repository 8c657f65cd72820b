/**
 * Protects the server from the user's own browser: a page of another origin must neither read nor change anything here, even if its DNS
 * name points to our address.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "./access.ts";
import { Problem } from "./problem.ts";

export interface BrowserSetup {
  /** Host names this server accepts, besides IP addresses. */
  readonly names: readonly string[];
  /** Origins allowed to send requests (CORS). */
  readonly origins: readonly string[];
}

/** Rejects unknown host names (DNS rebinding: an attacker's name resolves to our address). An IP address cannot be rebound. */
export function checkHost({ host }: IncomingHttpHeaders, { names }: BrowserSetup): void {
  const name = hostNameOf(host);
  if (name !== undefined && (isLoopback(name) || isAddress(name) || names.includes(name))) return;
  throw new Problem("forbidden", `this server does not go by the name ${(name ?? "").slice(0, 100)}; --allow-host adds one`);
}

function hostNameOf(host: string | undefined): string | undefined {
  if (host === undefined || !URL.canParse(`http://${host}/`)) return undefined;
  const { hostname, pathname, username } = new URL(`http://${host}/`);
  return pathname === "/" && username === "" ? hostname.replace(/^\[|\]$/g, "").toLowerCase() : undefined;
}

const isAddress = (name: string) => /^[\d.]+$/.test(name) || name.includes(":");

/** Requests that change something are accepted from our own pages, from allowed origins, and from clients that are not browsers. */
export function checkOrigin({ origin, host, "sec-fetch-site": site }: IncomingHttpHeaders, { origins }: BrowserSetup): void {
  if (origin === undefined && (site === undefined || site === "same-origin" || site === "none")) return;
  if (origin !== undefined && (origins.includes(origin) || isOwn(origin, host))) return;
  throw new Problem("forbidden", `pages of ${(origin ?? "elsewhere").slice(0, 100)} may not change anything here; --cors allows them`);
}

const isOwn = (origin: string, host: string | undefined) => URL.canParse(origin) && new URL(origin).host === host;

/** Response headers that scripts of other origins may read, and request headers they may send (CORS). */
const READABLE_HEADERS = [
  "allow",
  "accept-ranges",
  "content-disposition",
  "content-range",
  "etag",
  "idempotency-replayed",
  "link",
  "location",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "www-authenticate",
  "x-next-start",
  "x-total-chars",
].join(", ");
const SENDABLE_HEADERS = [
  "authorization",
  "content-type",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "last-event-id",
  "prefer",
  "range",
  "x-api-key",
].join(", ");

/** CORS headers that let pages of an allowed origin read our responses. */
export function corsHeaders({ origin }: IncomingHttpHeaders, { origins }: BrowserSetup): Readonly<Record<string, string>> {
  if (origin === undefined || !origins.includes(origin)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-headers": SENDABLE_HEADERS,
    "access-control-expose-headers": READABLE_HEADERS,
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-max-age": "600",
    vary: "origin",
  };
}
