import type { TopLink } from "../../core/records.ts";

const MAX_TOP_LINKS = 10;

type Matches = readonly { readonly word: string; readonly match: number }[];

/** The best links of a page, best first. */
export function topLinks(
  links: readonly { readonly url: string; readonly matches: Matches }[],
  score: (matches: Matches) => number,
): TopLink[] {
  return links
    .map(({ url, matches }) => ({
      url,
      score: Math.round(score(matches) * 1000) / 1000,
      keywords: Object.fromEntries(matches.map(({ word, match }) => [word, match])),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_TOP_LINKS);
}
