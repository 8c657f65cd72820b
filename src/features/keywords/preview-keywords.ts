import { setImmediate as othersFirst } from "node:timers/promises";
import { scoreUnder } from "../../analysis/score/index.ts";
import type { App } from "../../engine/app.ts";
import type { Keyword, MatchedLink } from "../../store/index.ts";

export interface LinkPreview {
  readonly linkId: number;
  readonly score: number;
  /** The score under the current weights. */
  readonly before: number;
}

export interface KeywordPreview {
  readonly links: readonly LinkPreview[];
  /** New keywords, which are not scored before they are saved. */
  readonly unknown: readonly string[];
}

/** Links after which the event loop gets a turn. */
const SLICE_SIZE = 5000;

/** The best links under other weights. Stores nothing. */
export async function previewKeywords(
  { store }: App,
  siteId: number,
  keywords: readonly Keyword[],
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<KeywordPreview> {
  const listed = await store.links.keywords(siteId);
  const weights = new Map(keywords.map(({ word, weight }) => [word, weight]));
  const after = scoreUnder(Object.fromEntries(weights));
  const before = scoreUnder(Object.fromEntries(listed.map(({ word, weight }) => [word, weight])));
  const known = new Set(listed.map(({ word }) => word));
  /** Matches of removed keywords do not count; matches of words that a model or plugin added were never on the list and stay. */
  const remainingMatches = (link: MatchedLink) => link.matches.filter(({ word }) => weights.has(word) || !known.has(word));
  const best = new Best(limit);
  let seen = 0;
  for await (const link of store.links.matched(siteId)) {
    best.add({ linkId: link.id, score: after(remainingMatches(link)), before: before(link.matches) });
    seen += 1;
    if (seen % SLICE_SIZE > 0) continue;
    await othersFirst();
    signal.throwIfAborted();
  }
  const round = (score: number) => Math.round(score * 1000) / 1000;
  const links = best.sorted().map((link) => ({ ...link, score: round(link.score), before: round(link.before) }));
  return { links, unknown: keywords.map(({ word }) => word).filter((word) => !known.has(word)) };
}

/** The best n of many, without keeping the rest: sorted and cut each time the buffer reaches twice the limit. */
class Best {
  readonly #limit: number;
  #links: LinkPreview[] = [];
  #minScore = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(link: LinkPreview): void {
    if (link.score <= this.#minScore) return;
    this.#links.push(link);
    if (this.#links.length >= 2 * this.#limit) this.#trim();
  }

  #trim(): void {
    this.#links.sort((a, b) => b.score - a.score || a.linkId - b.linkId);
    this.#links.length = Math.min(this.#links.length, this.#limit);
    if (this.#links.length === this.#limit) this.#minScore = this.#links.at(-1)!.score;
  }

  sorted(): readonly LinkPreview[] {
    this.#trim();
    return this.#links;
  }
}
