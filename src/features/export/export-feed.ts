import type { App } from "../../engine/app.ts";
import { ATOM_END, atomEntry, atomHead, type FeedEntry, stableId } from "../../engine/formats/index.ts";
import type { LatestChange } from "../../store/index.ts";
import { feedEntry } from "../changes/change-markup.ts";
import { firstRuns } from "../changes/change-range.ts";
import { newsOf, type PageNews } from "../changes/changes.ts";
import { diffVersions, isEmptyDiff } from "../changes/page-diff.ts";
import type { ExportRange } from "./export.ts";
import type { ExportRequest, StreamFormat } from "./export-formats.ts";
import { ExportTally, isIncluded } from "./export-tally.ts";

const DEFAULT_LIMIT = 100;

/** All changes of pages over all runs, latest first, with their diffs. */
export const feedFormat: StreamFormat = {
  writes: "stream",
  async *parts(app, request) {
    const { range } = request;
    const sites = (await app.store.sites()).filter(({ id }) => range.siteId === undefined || id === range.siteId);
    const names = sites.slice(0, 3).map(({ url }) => url);
    const entries = entriesOf(app, request);
    const first = await entries.next();
    yield atomHead({
      id: stableId("feed", ...sites.map(({ uid }) => uid)),
      title: `Changes on ${names.join(", ")}${sites.length > 3 ? `, and ${sites.length - 3} more` : ""}`,
      updated: first.value?.updated ?? (await lastRunTime(app, range)),
    });
    if (!first.done) yield atomEntry(first.value);
    for await (const entry of entries) yield atomEntry(entry);
    yield ATOM_END;
  },
};

async function* entriesOf(app: App, { range, tally }: ExportRequest): AsyncGenerator<FeedEntry, undefined> {
  const { siteId, runId, since, limit = DEFAULT_LIMIT } = range;
  if (limit === 0) return;
  const isOfFirstCrawl = since === undefined ? () => false : await firstCrawls(app);
  for await (const row of app.store.history.latest({ siteId, runId, since })) {
    if (row.change === "unknown" || row.change === "same" || isOfFirstCrawl(row)) continue;
    if (tally.written === limit) {
      if (!isIncluded(row, range, new ExportTally())) continue;
      tally.limit = limit;
      return;
    }
    if (!isIncluded(row, range, tally)) continue;
    const news = await feedNewsOf(app, row);
    if (!news) continue;
    tally.written += 1;
    yield { id: stableId(row.runUid, row.pageId, row.change), ...feedEntry(news, true) };
  }
}

/** With a time, as in `changes --since`, the pages of a site's first crawl are not listed. */
async function firstCrawls(app: App): Promise<(row: LatestChange) => boolean> {
  const first = firstRuns(await app.store.runs({ kind: "crawl" }));
  return ({ siteId, runId }) => runId <= (first.get(siteId)?.id ?? 0);
}

/** Undefined if only noise has changed. */
async function feedNewsOf(app: App, row: LatestChange): Promise<PageNews | undefined> {
  const versions = await app.store.versions(row.pageId);
  const [before, now] = [row.fromVersion, row.toVersion].map((id) => versions.find((version) => version.id === id));
  if (row.change === "unlinked" && (await app.store.history.wasUnlinked(row.pageId, row.runId - 1))) return undefined;
  const diff = before && now && row.change === "changed" ? await diffVersions(app, { ...row, id: row.pageId }, [before, now]) : null;
  const isMoved = row.detail.startsWith("moved to ");
  if (diff && !isMoved && isEmptyDiff(diff)) return undefined;
  return newsOf(row, row.change, now ?? before ?? versions[0], diff, 0);
}

/** The time of an empty feed: when the last run ended, or began if it has not ended. */
async function lastRunTime(app: App, { siteId }: ExportRange): Promise<string> {
  const [run] = await app.store.runs({ siteId, limit: 1 });
  return new Date(run?.endedAt ?? run?.startedAt ?? 0).toISOString();
}
