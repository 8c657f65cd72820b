import { isListingOrder } from "./listing-order.ts";
import { parseHttp, withoutTrailingDot, withPort } from "./parts.ts";
import { hostOfPlain, isPath, isPlain } from "./plain.ts";
import { cutQuery, type KeyOptions, keyQuery } from "./query.ts";
import { decodeQuery, keyPath } from "./spelling.ts";

/** Increased whenever the same URL would get another key. */
export const KEY_VERSION = 4;

/** `url` is requested, `key` is compared, and `host` is the unit of politeness; `cut` says that maxParams removed parameters. */
export type Resolved = { url: string; key: string; host: string; cut: boolean };

/** Whether a URL only sorts a directory listing, and is therefore taken for the listing. */
export const isSortedListing = (url: string): boolean => {
  const { pathname, search } = new URL(url);
  return isListingOrder(pathname, search.slice(1));
};

/** Far above any useful limit; parsing a ten-megabyte attribute is a waste. */
const MAX_LINK_LENGTH = 65_536;

/** The only function that creates URLs to request. Removes fragment and userinfo; returns undefined for URLs that can never be crawled. */
export function resolve(raw: string, base: string | undefined, options: KeyOptions): Resolved | undefined {
  const requested = withoutFragment(raw);
  if (isPlain(requested) && !isPath(requested)) return withKey(requested, hostOfPlain(requested), undefined, options);
  const parsed = raw.length > MAX_LINK_LENGTH ? undefined : parseHttp(raw, base);
  if (!parsed) return undefined;
  const { protocol, port } = parsed;
  const hostname = withoutTrailingDot(parsed.hostname);
  const origin = hostname === parsed.hostname ? undefined : `${protocol}//${hostname}${port === "" ? "" : `:${port}`}`;
  return withKey(withoutUserInfo(parsed), withPort(hostname, port), origin, options);
}

/** `origin`: the origin of the key, if it differs from that of the URL. */
function withKey(requested: string, host: string, origin: string | undefined, options: KeyOptions): Resolved {
  const queryAt = requested.indexOf("?");
  const written = queryAt < 0 ? "" : requested.slice(queryAt + 1);
  const beforeQuery = queryAt < 0 ? requested : requested.slice(0, queryAt);
  const isSortOnly = isListingOrder(beforeQuery, written);
  const query = isSortOnly ? "" : written;
  const kept = cutQuery(query, options);
  const cut = kept !== query;
  const pathAt = beforeQuery.indexOf("/", beforeQuery.indexOf("//") + 2);
  const writtenPath = beforeQuery.slice(pathAt);
  const path = keyPath(writtenPath);
  const keyBase = origin === undefined && path === writtenPath ? beforeQuery : (origin ?? beforeQuery.slice(0, pathAt)) + path;
  return {
    url: cut || isSortOnly ? join(beforeQuery, kept) : requested,
    key: join(keyBase, keyQuery(decodeQuery(kept), options)),
    host,
    cut,
  };
}

/** Idempotent: a key is a URL, and its own key. */
export const keyOf = (url: string, options: KeyOptions): string => resolve(url, undefined, options)?.key ?? url;

const join = (base: string, query: string) => (query === "" ? base : `${base}?${query}`);

function withoutUserInfo(parsed: URL): string {
  if (parsed.username !== "" || parsed.password !== "") {
    parsed.username = "";
    parsed.password = "";
  }
  return withoutFragment(parsed.href);
}

function withoutFragment(url: string): string {
  const hashAt = url.indexOf("#");
  return hashAt < 0 ? url : url.slice(0, hashAt);
}
