import { HIGH, scoreUnder } from "../../analysis/score/index.ts";
import type { Change } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import type { Keyword, ListedSite, Run, SiteCounts } from "../../store/index.ts";

/** A run with what it did on one site. */
export interface SiteRun {
  readonly run: Run;
  readonly changes: Readonly<Record<Change, number>>;
  /** Undefined where only the counts of all its sites together are known. */
  readonly counts: SiteCounts | undefined;
  /** Undefined in a run over several sites: they are counted together. */
  readonly bytes: number | undefined;
  /** Links with a score of 0.8 or more that this run was the first to find. */
  readonly newLinks: number;
}

/** Data of a site other than people's edits. */
export interface SiteFacts {
  readonly keywords: readonly Keyword[];
  readonly last: SiteRun | undefined;
}

/** The counters of a run over several sites are totals, so each site is then counted by itself. */
export async function siteRun(app: App, siteId: number, run: Run): Promise<SiteRun> {
  const { counters } = run;
  if (run.sites.length > 1) {
    const { maintenance: care } = app.store;
    const [changes, counts] = [await care.changesOn(siteId, run.id), await care.countsOn(siteId, run.id)];
    return { run, changes, counts, bytes: undefined, newLinks: await newLinksOf(app, siteId, run.id) };
  }
  const { pages, gone, refused, failed, bytes } = counters;
  const skipped = Object.values(counters.skipped).reduce((sum, urls) => sum + urls, 0);
  return {
    run,
    changes: counters.changes,
    counts: { pages, gone, refused, failed, skipped },
    bytes,
    newLinks: counters.links?.highNew ?? 0,
  };
}

async function newLinksOf({ store }: App, siteId: number, runId: number): Promise<number> {
  const keywords = await store.links.keywords(siteId);
  if (keywords.length === 0) return 0;
  const score = scoreUnder(Object.fromEntries(keywords.map(({ word, weight }) => [word, weight])));
  let found = 0;
  for await (const { matches } of store.links.matched(siteId, runId)) if (score(matches) >= HIGH) found += 1;
  return found;
}

/** Cache of runs by number. */
export type KnownRuns = Map<number, Run | undefined>;

/** `known` caches runs across calls, because one run may have visited many sites. */
export async function siteFacts(
  app: App,
  { id, lastRunId }: Pick<ListedSite, "id" | "lastRunId">,
  known: KnownRuns = new Map(),
): Promise<SiteFacts> {
  if (lastRunId !== undefined && !known.has(lastRunId)) known.set(lastRunId, await app.store.run(lastRunId));
  const last = known.get(lastRunId ?? 0);
  return { keywords: await app.store.links.keywords(id), last: last && (await siteRun(app, id, last)) };
}
