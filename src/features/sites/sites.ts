import { HIGH, scoreUnder } from "../../analysis/score/index.ts";
import type { Change, StopReason } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import { hasEnded, type Run, type RunState, runState, type SiteSummary, stopReasonOf } from "../../store/index.ts";
import { resumeCommandOf, runStatus } from "../crawl/run-control.ts";

export interface SiteReport extends Omit<SiteSummary, "lastRunId"> {
  readonly lastRun: number | null;
  /** How the last run ended, or that it is running. */
  readonly ended: string | null;
  /** The same as one word, and its reason: as in `runs` and the API. */
  readonly status: RunState | null;
  readonly stopReason: StopReason | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Changes found here by the last run. */
  readonly changes: Readonly<Record<Change, number>> | null;
  readonly keywords: Readonly<Record<string, number>>;
  /** Links with a score of 0.8 or more that were first found by the last run. */
  readonly newLinks: number;
  /** The suggested next command: resume, stop, or crawl again. */
  readonly next: string;
}

/** All sites in this database. */
export async function siteReports(app: App): Promise<SiteReport[]> {
  const reports: SiteReport[] = [];
  /** Cache: many sites may share a run. */
  const runs = new Map<number, Run | undefined>();
  for (const summary of await app.store.maintenance.siteSummaries()) {
    const { lastRunId } = summary;
    if (lastRunId !== undefined && !runs.has(lastRunId)) runs.set(lastRunId, await app.store.run(lastRunId));
    const last = runs.get(lastRunId ?? 0);
    const isShared = last !== undefined && last.sites.length > 1;
    const changes = isShared ? await app.store.maintenance.changesOn(summary.id, last.id) : last?.counters.changes;
    reports.push({ ...reportOf(app, summary, last), changes: changes ?? null, ...(await linksOf(app, summary)) });
  }
  return reports;
}

function reportOf(
  app: App,
  { lastRunId, ...site }: SiteSummary,
  last: Run | undefined,
): Omit<SiteReport, "changes" | "keywords" | "newLinks"> {
  const iso = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
  const ended = last ? runStatus(app, last) : null;
  return {
    ...site,
    lastRun: lastRunId ?? null,
    ended,
    status: last ? runState(last, app.store.isAlive(last)) : null,
    stopReason: (last && stopReasonOf(last, app.store.isAlive(last))) ?? null,
    startedAt: iso(last?.startedAt),
    endedAt: iso(last?.endedAt),
    next: nextFor(site.url, last, ended),
  };
}

async function linksOf({ store }: App, { id, lastRunId }: SiteSummary): Promise<Pick<SiteReport, "keywords" | "newLinks">> {
  const keywords = Object.fromEntries((await store.links.keywords(id)).map(({ word, weight }) => [word, weight]));
  const score = scoreUnder(keywords);
  let newLinks = 0;
  if (Object.keys(keywords).length > 0 && lastRunId !== undefined)
    for await (const { matches } of store.links.matched(id, lastRunId)) if (score(matches) >= HIGH) newLinks += 1;
  return { keywords, newLinks };
}

function nextFor(url: string, last: Run | undefined, ended: string | null): string {
  if (ended === "running") return `nuthatch runs stop ${last!.id}`;
  if (!last || hasEnded(last) || last.prunedAt !== undefined) return `nuthatch crawl ${url}`;
  return resumeCommandOf(last);
}
