/** A site as JSON. */
import type { z } from "zod";
import type { App } from "../../../engine/app.ts";
import { type KnownRuns, type SiteRun, siteFacts } from "../../../features/sites/site-facts.ts";
import type { ListedSite, SiteCounts, Store } from "../../../store/index.ts";
import { etagOf } from "../etag.ts";
import type { LiveRuns } from "../events/live.ts";
import { Problem } from "../problem.ts";
import type { Health, HistoryRow, LastCrawl, Site } from "../shapes/shapes-site.ts";
import { endOf, statusOf } from "./run-json.ts";

export const iso = (at: number): string => new Date(at).toISOString();

/** Finds a site by id or `uid`. */
export async function requireSite({ store }: App, id: string): Promise<ListedSite> {
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
    newLinks: last?.newLinks ?? 0,
    health: last?.counts ? healthOf(last.counts) : null,
  };
}

/** ETag of what people can change. */
export const siteTag = ({ name, tags, config, keywords }: z.output<typeof Site>): string => etagOf(name, tags, config, keywords);

function times(store: Store, { run }: SiteRun, live?: LiveRuns) {
  const status = statusOf(store, run, live);
  return { status, startedAt: iso(run.startedAt), ...endOf(run, status) };
}

const lastCrawl = ({ store }: App, last: SiteRun, live?: LiveRuns): z.output<typeof LastCrawl> => ({
  id: last.run.id,
  ...times(store, last, live),
  changes: { ...last.changes },
  counters: { ...last.run.counters },
});

function healthOf({ gone, refused, failed, skipped, pages }: SiteCounts): z.output<typeof Health> {
  const errors = gone + refused + failed;
  const total = errors + pages;
  return { errors, failed, refused, skipped, errorRate: total === 0 ? 0 : Math.round((1000 * errors) / total) / 1000 };
}

export function historyJson({ store }: App, one: SiteRun, live?: LiveRuns): z.output<typeof HistoryRow> {
  const { run, changes, counts, bytes, newLinks } = one;
  const ended = times(store, one, live);
  return {
    crawlId: run.id,
    ...ended,
    durationMs: ended.endedAt === null ? null : Date.parse(ended.endedAt) - run.startedAt,
    pages: counts?.pages ?? null,
    bytes: bytes ?? null,
    errors: counts ? counts.gone + counts.refused + counts.failed : null,
    failed: counts?.failed ?? null,
    changes: { ...changes },
    newLinks,
  };
}
