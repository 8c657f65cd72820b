import type { UrlWords } from "./known-url-parts.ts";
import { withRecentCache } from "./recent-cache.ts";
import type { CachedSuspicion } from "./trap-suspicion.ts";

/** A URL split into the parts that decisions need. */
export interface Parts {
  /** Without trailing dots. */
  readonly hostname: string;
  /** The unit of politeness: ports 80 and 443 of one name are one host. */
  readonly host: string;
  readonly origin: string;
  readonly path: string;
  /** With its `?`; empty if there is none. */
  readonly query: string;
}

// The form of nearly all URLs from `resolve`. A last label that starts with a letter is no IPv4 number; four small numbers are one.
const USUAL_URL =
  /^(https?):\/\/((?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*|(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|(?=[:/]))){4})(?::(\d+))?(\/[^?#]*)(\?[^#]*)?/;

/** Also caches what other functions of this module derive from the URL. */
class ParsedUrl implements Parts {
  readonly hostname: string;
  readonly host: string;
  readonly origin: string;
  readonly path: string;
  readonly query: string;
  words: UrlWords | undefined = undefined;
  cachedSuspicion: CachedSuspicion | undefined = undefined;
  #segments: readonly string[] | undefined = undefined;

  constructor(hostname: string, host: string, origin: string, path: string, query: string) {
    this.hostname = hostname;
    this.host = host;
    this.origin = origin;
    this.path = path;
    this.query = query;
  }

  /** The segments of the path that are not empty. */
  get segments(): readonly string[] {
    this.#segments ??= this.path.split("/").filter((segment) => segment !== "");
    return this.#segments;
  }
}

export type { ParsedUrl as TakenApart };

/** For this module only; other modules see `Parts`. */
export const parsedUrlOf = withRecentCache(parseUrl);

export const partsOf: (url: string) => Parts | undefined = parsedUrlOf;

function parseUrl(url: string): ParsedUrl | undefined {
  const match = USUAL_URL.exec(url);
  if (match) {
    const [, scheme = "", hostname = "", port = "", path = "", query = ""] = match;
    const isDefaultPort = port === "" || port === (scheme === "http" ? "80" : "443");
    const origin = `${scheme}://${hostname}${isDefaultPort ? "" : `:${port}`}`;
    return new ParsedUrl(hostname, withPort(hostname, port), origin, path, query);
  }
  const parsed = parseHttp(url);
  if (!parsed) return undefined;
  const hostname = withoutTrailingDot(parsed.hostname);
  return new ParsedUrl(hostname, withPort(hostname, parsed.port), parsed.origin, parsed.pathname, parsed.search);
}

/** The WHATWG parser for http and https only; undefined if parsing fails. */
export function parseHttp(raw: string, base?: string): URL | undefined {
  try {
    const parsed = new URL(raw, base);
    return parsed.protocol === "http:" || parsed.protocol === "https:" ? parsed : undefined;
  } catch {
    return undefined;
  }
}

export const withPort = (hostname: string, port: string) =>
  port === "" || port === "80" || port === "443" ? hostname : `${hostname}:${port}`;

/**
 * `example.org.` is `example.org`: the last dot only tells the resolver that the name is complete. Without its dots a name may be an IPv4
 * number (`0x7f..`) or invalid, so it is parsed again.
 */
export function withoutTrailingDot(hostname: string): string {
  if (!hostname.endsWith(".")) return hostname;
  let end = hostname.length;
  while (hostname[end - 1] === ".") end--;
  return parseHttp(`http://${hostname.slice(0, end)}/`)?.hostname ?? hostname;
}

export const hostOf = (url: string): string => partsOf(url)?.host ?? "";

export const originOf = (url: string): string => partsOf(url)?.origin ?? "";
