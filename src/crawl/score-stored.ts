import { openScorer, type Scorer } from "../score/index.ts";
import type { LinkToKeep, Store } from "../store/index.ts";
import type { CrawlEvent } from "./events.ts";
import { rounded } from "./kept-links.ts";
import { unpackLinks } from "./link-document.ts";

const BATCH = 200;

export interface ScoringGiven {
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
export async function scoreStored(store: Store, siteId: number, { onBegin, onPages, isStopped }: ScoringGiven = {}): Promise<number> {
  const words = (await store.links.keywords(siteId)).map(({ word }) => word);
  if (words.length === 0) return 0;
  const toDo = await store.links.toScore(siteId, openScorer(words).name);
  if (!toDo) return 0;
  onBegin?.(toDo.pages);
  const scorer = openScorer(toDo.words);
  let [after, done] = [toDo.after, 0];
  while (!isStopped?.()) {
    const pages = await store.links.pagesToScore(siteId, after, BATCH);
    await store.links.saveScores(
      siteId,
      toDo,
      pages.map(({ pageId, packed }) => ({ pageId, links: matchedIn(packed, store, scorer) })),
    );
    if (pages.length === 0) break;
    after = pages.at(-1)!.pageId;
    done += pages.length;
    onPages?.(done);
    // Others are to have their turn: a signal, the live view.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

/** Keywords that are new, or a scorer that is, hold for what earlier runs stored, too. */
export async function scoreSites(
  store: Store,
  siteIds: readonly number[],
  { emit, isStopped }: { emit: (event: CrawlEvent) => void; isStopped: () => boolean },
): Promise<void> {
  let pages = 0;
  const onBegin = (found: number) => emit({ type: "crawl.phase", phase: "scoring", pages: found });
  for (const id of siteIds) pages += await scoreStored(store, id, { onBegin, isStopped });
  if (pages > 0) emit({ type: "crawl.phase", phase: "crawling", pages: 0 });
}

function matchedIn(packed: Uint8Array, { hashSeed }: Store, scorer: Scorer): LinkToKeep[] {
  return unpackLinks(packed, hashSeed).flatMap((link): LinkToKeep[] => {
    if (link.kind === "canonical" || link.kind === "refresh") return [];
    const { text, url, title, heading, block } = link;
    const found = scorer.match({ text, url, title, heading, context: block });
    const matches = [...found.entries()].map(([place, match]) => [place, rounded(match)] as const).filter(([, match]) => match > 0);
    return matches.length === 0 ? [] : [{ ...link, matches }];
  });
}
