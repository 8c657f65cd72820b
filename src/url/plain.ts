import { mayHoldSession } from "./spelling.ts";

/** The shape most links have, in letters that the URL parser leaves as they are: an absolute URL, or a path. */
const PLAIN =
  /^(?:https?:\/\/(?:[a-z][a-z0-9-]{0,62}\.)+[a-z][a-z0-9-]{0,62})?\/(?![/\\])[\w\-./~!$&()*+,;=:@]*(?:\?[\w\-./~!$&()*+,;=:@?%]*)?$/;

const LONGEST = 2048;
const LONGEST_HOST = 200;
/** Where the host of an `https` URL begins; no two slashes but the scheme's stand before it. */
const HOST = 8;

export const isPath = (plain: string): boolean => plain.charCodeAt(0) === 47;

/** Whether the parser would answer what it was given, behind whatever origin if it is a path. Dot segments, punycode and over-long hosts need the parser. */
export function isPlain(href: string): boolean {
  if (href.length >= LONGEST || !PLAIN.test(href) || href.includes("/.")) return false;
  return isPath(href) || (href.indexOf("/", HOST) < LONGEST_HOST && !href.includes("xn--"));
}

/** Whether a plain URL is its own key: it has no query, no empty path segments and no session. */
export const isOwnKey = (plain: string): boolean =>
  !plain.includes("?") && !plain.includes("//", isPath(plain) ? 0 : HOST) && !mayHoldSession(plain);

export const hostOfPlain = (plain: string): string => plain.slice(plain.indexOf("//") + 2, plain.indexOf("/", HOST));
