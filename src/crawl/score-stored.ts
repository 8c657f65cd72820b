import { isDeepStrictEqual } from "node:util";
import { openScorer, type Scorer, type ScorerKind } from "../score/index.ts";
import type { LinkToKeep, Store } from "../store/index.ts";
import type { CrawlEvent } from "./events.ts";
import { bestOf } from "./judge.ts";
import { keptMatch, mostMatched } from "./kept-links.ts";
import { unpackLinks } from "./link-document.ts";
import { Slices } from "./slices.ts";

/** Pages that are written together; fewer where so many links of theirs are. */
const BATCH = 200;
const MOST_FOUND = 2000;

export interface ScoringGiven {
  readonly kind: ScorerKind;
  /** Told how many pages it will be, if there are any. */
  readonly onBegin?: (pages: number) => void;
  readonly onPages?: (done: number) => void;
  /** Asked between batches; what is left is done next time. */
  readonly isStopped?: () => boolean;
}

/**
 * Holds the stored links of a site against keywords they were not held against before. Nothing is fetched, and a batch is a transaction
 * with the place it came to, so that it goes on where it was interrupted. Answers how many pages were looked at.
 */
export async function scoreStored(store: Store, siteId: number, { kind, onBegin, onPages, isStopped }: ScoringGiven): Promise<number> {
  const words = (await store.links.keywords(siteId)).map(({ word }) => word);
  if (words.length === 0) return 0;
  const { name } = openScorer(words, { kind });
  const slices = new Slices();
  let scorer: Scorer | undefined;
  let done = 0;
  for (;;) {
    // Asked each time: another process may be at it, too, or have changed the list.
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
    // Others are to have their turn: a signal, the live view.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Keywords that are new, or a scorer that is, hold for what earlier runs stored, too. */
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
