import { mayHoldSession } from "./spelling.ts";

/** The form of most links, in characters that the URL parser leaves unchanged: an absolute URL, or a path. */
const PLAIN =
  /^(?:https?:\/\/(?:[a-z][a-z0-9-]{0,62}\.)+[a-z][a-z0-9-]{0,62})?\/(?![/\\])[\w\-./~!$&()*+,;=:@]*(?:\?[\w\-./~!$&()*+,;=:@?%]*)?$/;

const LONGEST = 2048;
const LONGEST_HOST = 200;
/** Index where the host of an `https` URL begins; before it only the scheme contains two slashes. */
const HOST = 8;

export const isPath = (plain: string): boolean => plain.charCodeAt(0) === 47;

/**
 * Whether the URL parser would return the text unchanged (a path: behind any origin). Dot segments, punycode and over-long hosts need the
 * parser.
 */
export function isPlain(href: string): boolean {
  if (href.length >= LONGEST || !PLAIN.test(href) || href.includes("/.")) return false;
  return isPath(href) || (href.indexOf("/", HOST) < LONGEST_HOST && !href.includes("xn--"));
}

/** Whether a plain URL is its own key: no query, no empty path segments and no session id. */
export const isOwnKey = (plain: string): boolean =>
  !plain.includes("?") && !plain.includes("//", isPath(plain) ? 0 : HOST) && !mayHoldSession(plain);

export const hostOfPlain = (plain: string): string => plain.slice(plain.indexOf("//") + 2, plain.indexOf("/", HOST));
