import type { App } from "../app.ts";
import type { Change } from "../records.ts";
import type { Keyword, ListedSite, Run } from "../store/index.ts";
import { runStatus } from "./run-control.ts";

/** A run, as a site's own: what it found there. */
export interface SiteRun {
  readonly run: Run;
  /** How it ended, or that it is at work. */
  readonly status: string;
  readonly changes: Readonly<Record<Change, number>>;
}

/** What is known of a site beside what people say of it. */
export interface SiteFacts {
  readonly keywords: readonly Keyword[];
  readonly last: SiteRun | undefined;
}

/** A run that visited several sites has counted all of them together. */
export async function siteRun(app: App, siteId: number, run: Run, status = runStatus(app, run)): Promise<SiteRun> {
  const isShared = run.sites.length > 1;
  const changes = isShared ? await app.store.care.changesOn(siteId, run.id) : run.counters.changes;
  return { run, status, changes };
}

/** A run with how it ended, by its number. */
export type KnownRuns = Map<number, Pick<SiteRun, "run" | "status"> | undefined>;

/** `known` holds the runs of sites before this one: many may have been visited by the same. */
export async function siteFacts(
  app: App,
  { id, lastRunId }: Pick<ListedSite, "id" | "lastRunId">,
  known: KnownRuns = new Map(),
): Promise<SiteFacts> {
  if (lastRunId !== undefined && !known.has(lastRunId)) {
    const run = await app.store.run(lastRunId);
    known.set(lastRunId, run && { run, status: runStatus(app, run) });
  }
  const last = known.get(lastRunId ?? 0);
  return { keywords: await app.store.links.keywords(id), last: last && (await siteRun(app, id, last.run, last.status)) };
}
