import { openScorer } from "./open.ts";
import type { LinkSight, Scorer } from "./scorer.ts";

const MAX_SCORERS = 4;
const scorers = new Map<string, Scorer>();

/** How far each keyword applies to each link, 0–1, by words and their meanings. Scorers are cached for later calls. */
export function match(links: readonly LinkSight[], keywords: readonly string[]): Record<string, number>[] {
  const scorer = scorerOf(keywords);
  return links.map((link) => {
    const matches = scorer.match(link);
    // Not by assignment, because "__proto__" is a valid keyword.
    return Object.fromEntries(keywords.map((keyword, place) => [keyword, matches[place]!]));
  });
}

function scorerOf(keywords: readonly string[]): Scorer {
  const key = JSON.stringify(keywords);
  const cached = scorers.get(key);
  if (cached) return cached;
  if (scorers.size >= MAX_SCORERS) scorers.clear();
  const scorer = openScorer(keywords);
  scorers.set(key, scorer);
  return scorer;
}
