import { isDeepStrictEqual } from "node:util";
import { openScorer, type Scorer, type ScorerKind } from "../../../analysis/score/index.ts";
import type { LinkToStore, Store } from "../../../store/index.ts";
import { TimeSlicer } from "../admit/time-slicer.ts";
import type { CrawlEvent } from "../events.ts";
import { unpackLinks } from "../read/link-document.ts";
import { bestMatched, storedMatch } from "../read/links-to-keep.ts";
import { bestKeywords } from "./match-keywords.ts";

/** Pages per transaction; fewer if they have many matched links. */
const PAGES_PER_BATCH = 200;
const MAX_LINKS_PER_BATCH = 2000;

export interface ScoreStoredOptions {
  readonly kind: ScorerKind;
  /** Called with the number of pages, if there are any. */
  readonly onBegin?: (pages: number) => void;
  readonly onPages?: (done: number) => void;
  /** Checked between batches; the rest is done next time. */
  readonly isStopped?: () => boolean;
}

/**
 * Matches the stored links of a site with keywords that are new to them. Nothing is fetched. A batch is one transaction with its cursor,
 * so that the work continues where it was interrupted. Returns the number of pages.
 */
export async function scoreStored(
  store: Store,
  siteId: number,
  { kind, onBegin, onPages, isStopped }: ScoreStoredOptions,
): Promise<number> {
  const words = (await store.links.keywords(siteId)).map(({ word }) => word);
  if (words.length === 0) return 0;
  const { name } = openScorer(words, { kind });
  const slicer = new TimeSlicer();
  let scorer: Scorer | undefined;
  let done = 0;
  for (;;) {
    // Read in each round: another process may do the same work or have changed the keywords.
    const unscored = isStopped?.() ? undefined : await store.links.pendingScoring(siteId, name);
    if (!unscored) return done;
    if (done === 0) onBegin?.(unscored.pages);
    if (!scorer || !isDeepStrictEqual(scorer.keywords, unscored.words)) scorer = openScorer(unscored.words, { kind });
    const pages = await store.links.pagesToScore(siteId, unscored.after, PAGES_PER_BATCH);
    const scored: { pageId: number; links: LinkToStore[] }[] = [];
    let found = 0;
    for (const { pageId, packed } of pages) {
      const links = await matchedLinksIn(packed, store, scorer, slicer);
      scored.push({ pageId, links });
      found += links.length;
      if (found >= MAX_LINKS_PER_BATCH) break;
    }
    await store.links.saveScores(siteId, unscored, scored);
    done += scored.length;
    onPages?.(done);
    // Yield to the event loop, for signals and the live view.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Applies new keywords, or a new scorer, to links that earlier runs stored. */
export async function scoreSites(
  store: Store,
  siteIds: readonly number[],
  { kind, emit, isStopped }: { kind: ScorerKind; emit: (event: CrawlEvent) => void; isStopped: () => boolean },
): Promise<void> {
  let pages = 0;
  const onBegin = (found: number) => emit({ type: "crawl.phase", phase: "scoring", pages: found });
  for (const id of siteIds) pages += await scoreStored(store, id, { kind, onBegin, isStopped });
  if (pages > 0) emit({ type: "crawl.phase", phase: "crawling", pages: 0 });
}

async function matchedLinksIn(packed: Uint8Array, { hashSeed }: Store, scorer: Scorer, slicer: TimeSlicer): Promise<LinkToStore[]> {
  const links = unpackLinks(packed, hashSeed);
  const found = new Map<number, (readonly [place: number, match: number])[]>();
  for (const [at, { kind, text, url, title, heading, block }] of links.entries()) {
    await slicer.next();
    if (kind === "canonical" || kind === "refresh") continue;
    const applies = scorer.match({ text, url, title, heading, context: block });
    const matches = bestKeywords(applies).map((place) => [place, storedMatch(applies[place]!)] as const);
    const kept = matches.filter(([, match]) => match > 0);
    if (kept.length > 0) found.set(at, kept);
  }
  return [...bestMatched(found)].map(([at, matches]) => ({ ...links[at]!, matches }));
}
