import { mayHaveSessionId } from "./spelling.ts";

/** The form of most links, in characters that the URL parser leaves unchanged: an absolute URL, or a path. */
const PLAIN_URL =
  /^(?:https?:\/\/(?:[a-z][a-z0-9-]{0,62}\.)+[a-z][a-z0-9-]{0,62})?\/(?![/\\])[\w\-./~!$&()*+,;=:@]*(?:\?[\w\-./~!$&()*+,;=:@?%]*)?$/;

const MAX_LENGTH = 2048;
const MAX_HOST_END = 200;
/** Index where the host of an `https` URL begins; before it only the scheme contains two slashes. */
const HOST_START = 8;

export const isPath = (plain: string): boolean => plain.charCodeAt(0) === 47;

/**
 * Whether the URL parser would return the text unchanged (a path: behind any origin). Dot segments, punycode and over-long hosts need the
 * parser.
 */
export function isPlain(href: string): boolean {
  if (href.length >= MAX_LENGTH || !PLAIN_URL.test(href) || href.includes("/.")) return false;
  return isPath(href) || (href.indexOf("/", HOST_START) < MAX_HOST_END && !href.includes("xn--"));
}

/** Whether a plain URL is its own key: no query, no empty path segments and no session id. */
export const isOwnKey = (plain: string): boolean =>
  !plain.includes("?") && !plain.includes("//", isPath(plain) ? 0 : HOST_START) && !mayHaveSessionId(plain);

export const hostOfPlain = (plain: string): string => plain.slice(plain.indexOf("//") + 2, plain.indexOf("/", HOST_START));
