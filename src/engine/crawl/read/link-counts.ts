import { HIGH, scoreUnder } from "../../../analysis/score/index.ts";
import type { FoundLink, LinkCounts, Store } from "../../../store/index.ts";
import type { CrawlEvent } from "../events.ts";

export interface LinkReportSetup {
  readonly keywords: Readonly<Record<string, number>>;
  readonly ratio: number;
  readonly emit: (event: CrawlEvent) => void;
}

/** Counts new matched links during the run, and emits an event for each of high value. */
export function reportLinks(found: readonly FoundLink[], counts: LinkCounts, { keywords, ratio, emit }: LinkReportSetup): void {
  const words = Object.keys(keywords);
  const score = scoreUnder(keywords, ratio);
  for (const { url, matches } of found) {
    const named = matches.map(([place, match]) => ({ word: words[place]!, match }));
    const linkScore = Math.round(score(named) * 1000) / 1000;
    counts.matched += 1;
    counts.new += 1;
    if (linkScore < HIGH) continue;
    counts.high += 1;
    counts.highNew += 1;
    emit({
      type: "link.found",
      url,
      score: linkScore,
      keywords: Object.fromEntries(named.map(({ word, match }) => [word, match])),
      isNew: true,
    });
  }
}

/** Link counts of the sites over all runs. */
export async function countLinks(
  store: Store,
  siteIds: readonly number[],
  { runId, ratio }: { runId: number; ratio: number },
): Promise<LinkCounts> {
  const counts = { matched: 0, high: 0, new: 0, highNew: 0 };
  for (const id of siteIds) {
    const weights = Object.fromEntries((await store.links.keywords(id)).map(({ word, weight }) => [word, weight]));
    const score = scoreUnder(weights, ratio);
    for await (const { matches, firstRunId } of store.links.matched(id)) {
      const isHigh = score(matches) >= HIGH;
      const isNew = firstRunId === runId;
      counts.matched += 1;
      if (isHigh) counts.high += 1;
      if (isNew) counts.new += 1;
      if (isHigh && isNew) counts.highNew += 1;
    }
  }
  return counts;
}
