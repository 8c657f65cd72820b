import type { ParsedLink } from "../../../analysis/parse/index.ts";

/** Limit per page. The largest index pages in use name a few thousand links; a page of 9 MB can hold 275,000. */
export const MAX_LINKS_PER_PAGE = 20_000;

/** The first links of a page, and the number of further different links it names. */
export function firstLinks(links: readonly ParsedLink[]): { readonly links: readonly ParsedLink[]; readonly left: number } {
  if (links.length <= MAX_LINKS_PER_PAGE) return { links, left: 0 };
  const named = new Set<string>();
  const kept: ParsedLink[] = [];
  for (const link of links) {
    const target = link.url ?? link.href;
    const isRepeated = named.has(target);
    named.add(target);
    // Repeated links may not use up the limit of the different ones.
    if (isRepeated ? kept.length < MAX_LINKS_PER_PAGE : named.size <= MAX_LINKS_PER_PAGE) kept.push(link);
  }
  return { links: kept, left: Math.max(0, named.size - MAX_LINKS_PER_PAGE) };
}
