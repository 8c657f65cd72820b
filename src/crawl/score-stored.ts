import { isDeepStrictEqual } from "node:util";
import { openScorer, type Scorer, type ScorerKind } from "../score/index.ts";
import type { LinkToKeep, Store } from "../store/index.ts";
import type { CrawlEvent } from "./events.ts";
import { bestOf } from "./judge.ts";
import { keptMatch, mostMatched } from "./kept-links.ts";
import { unpackLinks } from "./link-document.ts";
import { Slices } from "./slices.ts";

/** Pages per transaction; fewer if they have many matched links. */
const BATCH = 200;
const MOST_FOUND = 2000;

export interface ScoringGiven {
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
export async function scoreStored(store: Store, siteId: number, { kind, onBegin, onPages, isStopped }: ScoringGiven): Promise<number> {
  const words = (await store.links.keywords(siteId)).map(({ word }) => word);
  if (words.length === 0) return 0;
  const { name } = openScorer(words, { kind });
  const slices = new Slices();
  let scorer: Scorer | undefined;
  let done = 0;
  for (;;) {
    // Read in each round: another process may do the same work or have changed the keywords.
    const toDo = isStopped?.() ? undefined : await store.links.toScore(siteId, name);
    if (!toDo) return done;
    if (done === 0) onBegin?.(toDo.pages);
    if (!scorer || !isDeepStrictEqual(scorer.keywords, toDo.words)) scorer = openScorer(toDo.words, { kind });
    const pages = await store.links.pagesToScore(siteId, toDo.after, BATCH);
    const scored: { pageId: number; links: LinkToKeep[] }[] = [];
    let found = 0;
    for (const { pageId, packed } of pages) {
      const links = await matchedIn(packed, store, scorer, slices);
      scored.push({ pageId, links });
      found += links.length;
      if (found >= MOST_FOUND) break;
    }
    await store.links.saveScores(siteId, toDo, scored);
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

async function matchedIn(packed: Uint8Array, { hashSeed }: Store, scorer: Scorer, slices: Slices): Promise<LinkToKeep[]> {
  const links = unpackLinks(packed, hashSeed);
  const found = new Map<number, (readonly [place: number, match: number])[]>();
  for (const [at, { kind, text, url, title, heading, block }] of links.entries()) {
    await slices.next();
    if (kind === "canonical" || kind === "refresh") continue;
    const applies = scorer.match({ text, url, title, heading, context: block });
    const matches = bestOf(applies).map((place) => [place, keptMatch(applies[place]!)] as const);
    const kept = matches.filter(([, match]) => match > 0);
    if (kept.length > 0) found.set(at, kept);
  }
  return [...mostMatched(found)].map(([at, matches]) => ({ ...links[at]!, matches }));
}
