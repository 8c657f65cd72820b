/** Resolves links to absolute URLs as a browser does (WHATWG URL, HTML §2.4.3). */
import { isPath, isPlain } from "../url/index.ts";
import { MAX_HREF } from "./document.ts";
import { encodeQuery } from "./encoding.ts";

export type Resolve = (href: string) => string | undefined;

/** One resolver per document, which caches each href. */
export function createResolver(base: string, charset: string): Resolve {
  let against: { base: string | undefined; origin: string | undefined } | undefined;
  const known = new Map<string, string | undefined>();

  return (href) => {
    const isEasy = isPlain(href);
    if (isEasy && !isPath(href)) return href;
    // Parsed on demand: many documents have no link that needs it.
    against ??= partsOfBase(base);
    if (isEasy && against.origin !== undefined) return against.origin + href;
    if (href.length >= MAX_HREF) return undefined;
    let url = known.get(href);
    if (url === undefined && !known.has(href)) {
      url = parse(withQueryIn(charset, href), against.base)?.href;
      known.set(href, url);
    }
    return url;
  };
}

function partsOfBase(base: string): { base: string | undefined; origin: string | undefined } {
  const parsed = parse(base, undefined);
  return { base: parsed?.href, origin: parsed?.protocol === "http:" || parsed?.protocol === "https:" ? parsed.origin : undefined };
}

/** The base in force: the first <base href>, unless it cannot serve as one (HTML §4.2.3). */
export function baseInForce(documentUrl: string, baseHref: string | undefined, charset: string): string {
  const fallback = parse(documentUrl, undefined)?.href;
  const base = baseHref === undefined ? undefined : parse(withQueryIn(charset, baseHref), fallback);
  if (base === undefined || base.protocol === "data:" || base.protocol === "javascript:") return fallback ?? documentUrl;
  return base.href;
}

function withQueryIn(charset: string, href: string): string {
  if (charset === "utf-8" || /^[\x00-\x7f]*$/.test(href)) return href;
  const hash = href.indexOf("#");
  const end = hash < 0 ? href.length : hash;
  const start = href.indexOf("?");
  if (start < 0 || start > end) return href;
  return href.slice(0, start) + encodeQuery(href.slice(start, end), charset) + href.slice(end);
}

// Not URL.canParse: with a base, Node 20 answers wrongly for hosts in Latin-1 letters once the call has been optimised.
function parse(href: string, base: string | undefined): URL | undefined {
  try {
    return new URL(href, base);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
