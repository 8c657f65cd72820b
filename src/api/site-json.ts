/** A site as the API tells it. */
import type { z } from "zod";
import type { App } from "../app.ts";
import { type KnownRuns, type SiteRun, siteFacts } from "../operations/site-facts.ts";
import { type ListedSite, type Store, stopReasonOf } from "../store/index.ts";
import { etagOf } from "./etag.ts";
import type { LiveRuns } from "./live.ts";
import { Problem } from "./problem.ts";
import { statusOf } from "./run-json.ts";
import type { Health, HistoryRow, LastCrawl, Site } from "./shapes-site.ts";

export const iso = (at: number): string => new Date(at).toISOString();

/** By its number or `uid`. */
export async function siteOf({ store }: App, id: string): Promise<ListedSite> {
  const number = /^\d+$/.test(id) ? Number(id) : (await store.sites()).find(({ uid }) => uid === id)?.id;
  const site = number === undefined ? undefined : await store.lists.site(number);
  if (site) return site;
  throw new Problem("not-found", `there is no site ${id}`);
}

export async function siteJson(app: App, site: ListedSite, live?: LiveRuns, known?: KnownRuns): Promise<z.output<typeof Site>> {
  const { id, uid, url, name, tags, options, createdAt, changedAt, pages, gone, runs } = site;
  const { keywords, last } = await siteFacts(app, site, known);
  return {
    ...{ id, uid, url, name, tags, config: { ...options }, keywords },
    createdAt: iso(createdAt),
    changedAt: iso(changedAt),
    counts: { pages, gone, crawls: runs },
    lastCrawl: last ? lastCrawl(app, last, live) : null,
    newLinks: last?.run.counters.links?.highNew ?? 0,
    health: last ? healthOf(last) : null,
  };
}

/** Of what people can change. */
export const siteTag = ({ name, tags, config, keywords }: z.output<typeof Site>): string => etagOf(name, tags, config, keywords);

const times = (store: Store, { run }: SiteRun) => ({
  stopReason: stopReasonOf(run, store.isAlive(run)) ?? null,
  startedAt: iso(run.startedAt),
  endedAt: run.endedAt === undefined ? null : iso(run.endedAt),
});

const lastCrawl = ({ store }: App, last: SiteRun, live?: LiveRuns): z.output<typeof LastCrawl> => ({
  id: last.run.id,
  status: statusOf(store, last.run, live),
  ...times(store, last),
  changes: { ...last.changes },
  counters: { ...last.run.counters },
});

function healthOf({ run: { counters } }: SiteRun): z.output<typeof Health> {
  const { errors, failed, refused, pages } = counters;
  const skipped = Object.values(counters.skipped).reduce((sum, urls) => sum + urls, 0);
  const asked = errors + pages;
  return { errors, failed, refused, skipped, errorRate: asked === 0 ? 0 : Math.round((1000 * errors) / asked) / 1000 };
}

export function historyJson({ store }: App, one: SiteRun, live?: LiveRuns): z.output<typeof HistoryRow> {
  const { run, changes } = one;
  const { pages, bytes, errors, failed, links } = run.counters;
  const durationMs = run.endedAt === undefined ? null : run.endedAt - run.startedAt;
  return {
    crawlId: run.id,
    status: statusOf(store, run, live),
    ...times(store, one),
    durationMs,
    pages,
    bytes,
    errors,
    failed,
    changes: { ...changes },
    newLinks: links?.highNew ?? 0,
  };
}
