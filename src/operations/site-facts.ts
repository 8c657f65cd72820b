import type { App } from "../app.ts";
import type { Change } from "../records.ts";
import type { Keyword, ListedSite, Run } from "../store/index.ts";

/** A run, as a site's own: what it found there. */
export interface SiteRun {
  readonly run: Run;
  readonly changes: Readonly<Record<Change, number>>;
}

/** What is known of a site beside what people say of it. */
export interface SiteFacts {
  readonly keywords: readonly Keyword[];
  readonly last: SiteRun | undefined;
}

/** A run that visited several sites has counted all of them together. */
export async function siteRun(app: App, siteId: number, run: Run): Promise<SiteRun> {
  const isShared = run.sites.length > 1;
  const changes = isShared ? await app.store.care.changesOn(siteId, run.id) : run.counters.changes;
  return { run, changes };
}

/** Runs by their numbers. */
export type KnownRuns = Map<number, Run | undefined>;

/** `known` holds the runs of sites before this one: many may have been visited by the same. */
export async function siteFacts(
  app: App,
  { id, lastRunId }: Pick<ListedSite, "id" | "lastRunId">,
  known: KnownRuns = new Map(),
): Promise<SiteFacts> {
  if (lastRunId !== undefined && !known.has(lastRunId)) known.set(lastRunId, await app.store.run(lastRunId));
  const last = known.get(lastRunId ?? 0);
  return { keywords: await app.store.links.keywords(id), last: last && (await siteRun(app, id, last)) };
}
