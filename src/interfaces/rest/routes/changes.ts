import { z } from "zod";
import type { App } from "../../../engine/app.ts";
import { changesAsAtom } from "../../../features/changes/change-markup.ts";
import { firstRuns } from "../../../features/changes/change-range.ts";
import { type ChangeFeed, changes, type PageNews } from "../../../features/changes/changes.ts";
import { runSince } from "../../../features/changes/since.ts";
import { visibleChanges } from "../../../features/changes/visible-changes.ts";
import { pageContent } from "../../../features/read-page/page-content.ts";
import type { ChangeListFilter, ListedChange } from "../../../store/index.ts";
import { requireSite } from "../json/site-json.ts";
import { answerList, type ListQuery, listParameter, listQuery, listSpec, sortQuery } from "../list.ts";
import { Problem } from "../problem.ts";
import { type Reply, type RequestContext, type Route, type RouteContext, route } from "../route.ts";
import { Change, Id, SiteId } from "../shapes/shapes.ts";
import { ChangeFeedShape, ChangeRow } from "../shapes/shapes-ledger.ts";
import { requireRun } from "./decisions.ts";

const changeQuery = {
  ...listQuery,
  ...sortQuery(["crawl"], "-crawl"),
  change: listParameter(Change).optional().describe("Several with commas."),
  minScore: z.coerce.number().min(0).max(2).optional().describe("Only pages that links worth this much lead to."),
  anyVerdict: z.stringbool().default(false).describe("Also pages that turned out to be walls, errors or shells."),
  muted: z.stringbool().default(false).describe("Also pages that were muted."),
};

const Since = z.string().max(100).default("previous").describe("previous, the number of a run, a date, or how long ago (7d).");

type ChangeQuery = ListQuery & z.output<z.ZodObject<typeof changeQuery>>;

const changeJson = ({ runId, at, title, fromVersion, toVersion, verdict, ...change }: ListedChange): z.output<typeof ChangeRow> => ({
  crawlId: runId,
  ...change,
  title: title ?? null,
  at: new Date(at).toISOString(),
  fromVersion: fromVersion ?? null,
  toVersion: toVersion ?? null,
  verdict: verdict ?? null,
});

function listChanges(
  { app, signal }: RouteContext,
  query: ChangeQuery,
  range: Pick<ChangeListFilter, "siteId" | "after" | "until">,
  asked: RequestContext,
): Promise<Reply> {
  const { change, minScore, anyVerdict, muted } = query;
  const filter = { ...range, change, minScore, isAnyVerdict: anyVerdict, isMuted: muted };
  return answerList(query, { name: "changes", list: visibleChanges(app), filter, row: ChangeRow, json: changeJson, signal, asked });
}

const NO_END = Number.MAX_SAFE_INTEGER;

/** The last run the user has already seen; changes after it are returned. */
async function lastSeenRun(app: App, siteId: number, since: string): Promise<number> {
  if (/^\d{1,8}$/.test(since)) return Number(since);
  const runs = await app.store.runs({ kind: "crawl", siteId });
  if (since === "previous") return runs[1]?.id ?? 0;
  // What the first crawl found is what later runs are compared with, and no news.
  const first = firstRuns(runs).get(siteId)?.id ?? 0;
  return Math.max(first, (await runSince(app, siteId, since)) - 1);
}

/** A feed with more pages is not read, and each text has to be read from a stored body. */
const MAX_TEXTS = 100;
const EXCERPT_LENGTH = 1000;

/** The first characters of new and removed pages. */
async function textsOf(app: App, { pages }: ChangeFeed, signal: AbortSignal): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  for (const { pageId } of pages.filter(({ diff }) => diff === null).slice(0, MAX_TEXTS)) {
    signal.throwIfAborted();
    const page = await app.store.lists.page(pageId);
    const content = page && (await pageContent(app, page, "text", { signal }));
    if (typeof content?.body === "string") texts.set(pageId, content.body.slice(0, EXCERPT_LENGTH));
  }
  return texts;
}

const TWO_WEEKS_MS = 14 * 86_400_000;

/** Feed readers may poll less often than crawls run, and must not miss what an earlier run found. The first crawl is never news. */
async function feedSince(app: App, siteId: number): Promise<string> {
  const [, ...earlier] = await app.store.runs({ kind: "crawl", siteId });
  const from = earlier.find(({ startedAt }) => startedAt <= Date.now() - TWO_WEEKS_MS) ?? earlier.at(-1);
  return from === undefined ? "previous" : String(from.id);
}

export const changeRoutes: readonly Route[] = [
  route(
    {
      id: "listSiteChanges",
      method: "GET",
      path: "/sites/{id}/changes",
      tag: "Changes",
      scope: "read",
      summary: "What runs of a site found changed, the latest first",
      params: z.object({ id: SiteId }),
      query: z.object({ ...changeQuery, since: Since }),
      at: "reader",
      answers: { 200: listSpec("Changes", ChangeRow) },
      problems: ["not-found"],
    },
    async (context, { params: { id }, query: { since, ...query }, asked }) => {
      const site = await requireSite(context.app, id);
      return listChanges(context, query, { siteId: site.id, after: await lastSeenRun(context.app, site.id, since), until: NO_END }, asked);
    },
  ),
  route(
    {
      id: "getSiteFeed",
      method: "GET",
      path: "/sites/{id}/changes.atom",
      tag: "Changes",
      scope: "read",
      summary: "What changed on a site, as an Atom feed",
      params: z.object({ id: SiteId }),
      query: z.object({
        since: z.string().max(100).optional().describe("As for the list of changes; by default two weeks, and the latest run at least."),
      }),
      at: "reader",
      answers: { 200: { about: "The feed", types: ["application/atom+xml"] } },
      problems: ["not-found"],
    },
    async ({ app, signal }, { params: { id }, query: { since }, asked: { origin } }) => {
      const site = await requireSite(app, id);
      if (site.lastRunId === undefined) throw new Problem("not-found", "this site has not been crawled yet");
      const feed = await changes(app, { site: String(site.id), since: since ?? (await feedSince(app, site.id)) });
      const placeOf = ({ pageId, diff }: PageNews) =>
        `${origin}/pages/${pageId}?tab=${diff ? `versions&from=${diff.from.version}&to=${diff.to.version}` : "markdown"}`;
      const text = changesAsAtom(feed, true, { texts: await textsOf(app, feed, signal), viewUrlOf: placeOf });
      return { stream: { type: "application/atom+xml; charset=utf-8", parts: once(text) } };
    },
  ),
  route(
    {
      id: "listCrawlChanges",
      method: "GET",
      path: "/crawls/{id}/changes",
      tag: "Changes",
      scope: "read",
      summary: "What a run found changed, against the one before or an earlier one",
      params: z.object({ id: Id }),
      query: z.object({
        ...changeQuery,
        against: z
          .union([z.literal("previous"), Id])
          .default("previous")
          .describe("An earlier run: also what the runs in between said."),
      }),
      at: "reader",
      answers: { 200: listSpec("Changes", ChangeRow) },
      problems: ["not-found"],
    },
    async (context, { params: { id }, query: { against, ...query }, asked }) => {
      const { sites } = await requireRun(context.app, id);
      if (against === "previous") return listChanges(context, query, { after: id - 1, until: id }, asked);
      await requireRun(context.app, against);
      const siteId = sites.length === 1 ? sites[0]!.id : undefined;
      return listChanges(context, query, { siteId, after: against, until: id }, asked);
    },
  ),
  route(
    {
      id: "diffCrawls",
      method: "GET",
      path: "/diff",
      tag: "Changes",
      scope: "read",
      summary: "Two runs compared: what became of pages and links, the most important first",
      query: z.object({
        from: Id,
        to: Id,
        siteId: Id.optional().describe("Of the sites of a run only this one."),
        change: listParameter(Change).optional(),
        minScore: z.coerce.number().min(0).max(2).optional(),
        limit: z.coerce.number().int().min(1).max(1000).default(100).describe("How many pages and links at most; all are counted."),
      }),
      at: "reader",
      answers: { 200: { about: "What `nuthatch changes --json` says", shape: ChangeFeedShape } },
      problems: ["not-found"],
    },
    async ({ app }, { query: { from, to, siteId, change, minScore, limit } }) => {
      for (const id of [from, to]) await requireRun(app, id);
      if (from >= to) throw new Problem("validation", `run ${from} is not before run ${to}: from is the earlier one`);
      const site = siteId === undefined ? undefined : String((await requireSite(app, String(siteId))).id);
      const feed = await changes(app, { between: [String(from), String(to)], site, only: change, minScore });
      const links = { new: feed.links.new.slice(0, limit), gone: feed.links.gone.slice(0, limit) };
      return { data: { ...feed, pages: feed.pages.slice(0, limit), links } };
    },
  ),
];

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
