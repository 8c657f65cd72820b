import type { App } from "../app.ts";
import type { Change } from "../records.ts";
import type { Keyword, ListedSite, Run } from "../store/index.ts";

/** A run with its changes on one site. */
export interface SiteRun {
  readonly run: Run;
  readonly changes: Readonly<Record<Change, number>>;
}

/** Data of a site other than people's edits. */
export interface SiteFacts {
  readonly keywords: readonly Keyword[];
  readonly last: SiteRun | undefined;
}

/** The counters of a run over several sites are totals, so changes are then counted per site. */
export async function siteRun(app: App, siteId: number, run: Run): Promise<SiteRun> {
  const isShared = run.sites.length > 1;
  const changes = isShared ? await app.store.care.changesOn(siteId, run.id) : run.counters.changes;
  return { run, changes };
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
