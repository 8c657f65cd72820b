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
export async function siteRun(app: App, siteId: number, run: Run): Promise<SiteRun> {
  const isShared = run.sites.length > 1;
  const changes = isShared ? await app.store.care.changesOn(siteId, run.id) : run.counters.changes;
  return { run, status: runStatus(app, run), changes };
}

export async function siteFacts(app: App, { id, lastRunId }: Pick<ListedSite, "id" | "lastRunId">): Promise<SiteFacts> {
  const run = lastRunId === undefined ? undefined : await app.store.run(lastRunId);
  return { keywords: await app.store.links.keywords(id), last: run && (await siteRun(app, id, run)) };
}
