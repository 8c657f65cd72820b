/** Selects the links that a context follows: the most relevant, one per page, deterministically. */
import { keyOf } from "../url/index.ts";
import { type Relevance, type RelevanceView, relevanceOf, type SeenLink } from "./relevance.ts";

export interface ScoredLink extends Relevance {
  readonly url: string;
  readonly text: string;
  readonly position: number;
}

export interface SelectionLimits {
  readonly maxLinks: number;
  readonly minScore: number;
}

/** Number of links per question that keep their full score. */
const FULL_SCORE_PAGES = 2;
const PENALTY_PER_PAGE = 0.12;
const MAX_PENALTY = 0.3;

/**
 * All links with their relevance, best first. From the third page per question on the score is reduced, so that a manual of thirty pages
 * leaves room for others.
 */
export function scoreLinks(links: readonly SeenLink[], { rootUrl, match }: Omit<RelevanceView, "links">): ScoredLink[] {
  const view = { rootUrl, match, links: links.length };
  const scored = links.map((link) => ({ url: link.url, text: link.text, position: link.position, ...relevanceOf(link, view) }));
  const seen = new Map<string, Set<string>>();
  return scored
    .sort(byScore)
    .map((link) => {
      if (link.section === undefined) return link;
      const pages = seen.get(link.section) ?? new Set();
      seen.set(link.section, pages.add(pageKeyOf(link.url)));
      const penalty = Math.min(MAX_PENALTY, PENALTY_PER_PAGE * Math.max(0, pages.size - FULL_SCORE_PAGES));
      return { ...link, score: Math.round(1000 * Math.max(0, link.score - penalty)) / 1000 };
    })
    .sort(byScore);
}

/** Selects links by `minScore` and `maxLinks`: sorted, absolute, one per page. */
export function selectLinks<L extends Pick<ScoredLink, "url" | "score" | "position">>(
  scored: readonly L[],
  base: string,
  { maxLinks, minScore }: SelectionLimits,
): L[] {
  const chosen = new Map<string, L>();
  for (const link of [...scored].sort(byScore)) {
    if (chosen.size >= maxLinks || link.score < minScore) break;
    if (!URL.canParse(link.url, base)) continue;
    const { href } = new URL(link.url, base);
    const key = pageKeyOf(href);
    if (!chosen.has(key)) chosen.set(key, { ...link, url: href });
  }
  return [...chosen.values()];
}

const byScore = (a: Pick<ScoredLink, "url" | "score" | "position">, b: typeof a) =>
  b.score - a.score || a.position - b.position || (a.url < b.url ? -1 : a.url > b.url ? 1 : 0);

/** URLs that differ only in tracking parameters are the same page. */
const keyOptions = { stripParams: ["utm_*", "gclid", "fbclid"], sortParams: true, maxParams: Number.POSITIVE_INFINITY };
const pageKeyOf = (url: string) => keyOf(url, keyOptions);
