/**
 * Keeps items with a query word in the URL, title or link texts. Order: more words, then words in the title or a link, then smaller
 * depth.
 */
import { limitMarks } from "../../core/code-units.ts";

export function rankByWords<T extends { readonly url: string; readonly title: string | null; readonly depth: number }>(
  found: readonly T[],
  query: string,
  linkTextOf: (item: T) => string | undefined = () => undefined,
): T[] {
  const words = [...new Set(plainWords(query))];
  const scored = found.map((item) => {
    const title = normalized(`${item.title ?? ""} ${linkTextOf(item) ?? ""}`);
    const url = normalized(readable(item.url));
    const inTitle = words.filter((word) => title.includes(word)).length;
    return { item, inTitle, matched: words.filter((word) => title.includes(word) || url.includes(word)).length };
  });
  return scored
    .filter(({ matched }) => matched > 0)
    .sort((a, b) => b.matched - a.matched || b.inTitle - a.inTitle || a.item.depth - b.item.depth)
    .map(({ item }) => item);
}

const plainWords = (text: string) =>
  normalized(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** Ignores case and accents: Budget, BUDGET and büdget are the same search word. */
const normalized = (text: string) => limitMarks(text).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The visible part of a URL: without the host, and decoded. */
function readable(url: string): string {
  const { pathname, search } = new URL(url);
  try {
    return decodeURIComponent(pathname + search);
  } catch (cause) {
    if (cause instanceof URIError) return pathname + search;
    throw cause;
  }
}
