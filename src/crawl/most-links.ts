import type { ParsedLink } from "../parse/index.ts";

/** Of one page. The largest index pages that people use name a few thousand; a page of 9 MB has room for 275,000. */
export const MOST_LINKS = 20_000;

/** The first links of a page, and how many different ones it names beyond them. */
export function firstLinks(links: readonly ParsedLink[]): { readonly links: readonly ParsedLink[]; readonly left: number } {
  if (links.length <= MOST_LINKS) return { links, left: 0 };
  const named = new Set<string>();
  const kept: ParsedLink[] = [];
  for (const link of links) {
    const target = link.url ?? link.href;
    const isRepeated = named.has(target);
    named.add(target);
    // Where repeated links filled the page, there is still room for each different one.
    if (isRepeated ? kept.length < MOST_LINKS : named.size <= MOST_LINKS) kept.push(link);
  }
  return { links: kept, left: Math.max(0, named.size - MOST_LINKS) };
}
