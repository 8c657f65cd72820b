import { z } from "zod";
import type { App } from "../../../engine/app.ts";
import { flatPage, pageColumns } from "../../../engine/formats/index.ts";
import { editPage } from "../../../features/pages/edit-page.ts";
import { scoringOf, topLinks } from "../../../features/pages/stored-pages.ts";
import { hashesOf } from "../../../features/pages/url-hashes.ts";
import { queryOf } from "../../../features/search/search.ts";
import type { Edit, ListedPage, PageEdits, PageListFilter } from "../../../store/index.ts";
import { JobSummary, jobReply } from "../engine/job-json.ts";
import { waitQuery } from "../engine/wait.ts";
import { answerList, type ListQuery, listParameter, listQuery, listSpec, sortQuery } from "../list.ts";
import { Problem } from "../problem.ts";
import { removed } from "../removal.ts";
import { type Reply, type RequestContext, type Route, type RouteContext, route } from "../route.ts";
import { Change, Counts, Id, Url, UrlFilter, Verdict } from "../shapes/shapes.ts";
import { PageRow } from "../shapes/shapes-page.ts";

const FIELDS = ["title", "description", "image", "author", "publishedAt", "modifiedAt", "lang", "siteName", "topics"] as const;
const Status = z
  .string()
  .regex(/^([1-5]xx|[1-5]\d\d)$/)
  .transform((text) => Number(text.replace("xx", "")));

/** Filters of pages, wherever they are listed. */
export const pageFilters = {
  url: UrlFilter.optional().describe("Exactly this page, however it is spelt."),
  contains: z.string().max(500).optional().describe("A part of its URL."),
  q: z
    .string()
    .max(500)
    .optional()
    .describe(
      'Words that it says: all of them; "a phrase" in quotes, -without, begin*. In the order of their numbers; GET /search finds the best first.',
    ),
  host: z.string().max(300).optional(),
  path: z.string().max(2000).optional().describe("How its path begins: /news/"),
  status: listParameter(Status).optional().describe("404, or 4xx; several with commas."),
  type: z.string().max(100).optional().describe("A part of its content type: html, pdf."),
  change: listParameter(Change)
    .optional()
    .describe(
      "Several with commas. unknown: pages of which the latest crawl of their site could say nothing; they keep the change that was told last.",
    ),
  depth: z.coerce.number().int().min(0).optional(),
  lang: z.string().max(35).optional().describe("en stands for en-GB, too."),
  topic: z.string().max(100).optional(),
  publishedAfter: z
    .union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], { error: "a day such as 2026-11-01, or a moment" })
    .optional()
    .describe("A day, or a moment: 2026-11-01."),
  missing: listParameter(z.enum(FIELDS)).optional().describe("Only pages that lack one of these fields of metadata."),
  verdict: listParameter(Verdict).optional().describe("What a page is, if it is not what was asked for."),
  tag: z.string().max(100).optional(),
  muted: z.stringbool().optional(),
  gone: z
    .enum(["true", "false", "any"])
    .optional()
    .describe(
      "Pages that are there no longer: only those, none (the default), or both. Where url, change or status ask for particular pages, both.",
    ),
};

export const pageQuery = { ...listQuery, ...sortQuery(["id", "seen"], "id"), ...pageFilters };

type PageQuery = ListQuery & { readonly [name in keyof typeof pageFilters]?: z.output<(typeof pageFilters)[name]> };

/** Field by field: copying the whole object and removing fields costs several times as much, and lists are requested often. */
export const pageJson = (page: ListedPage): z.output<typeof PageRow> => ({
  schemaVersion: page.schemaVersion,
  id: page.id,
  uid: page.uid,
  siteId: page.siteId,
  crawlId: page.crawlId,
  seq: page.seq,
  url: page.url,
  status: page.status,
  contentType: page.contentType,
  depth: page.depth,
  parentUrl: page.parentUrl,
  discoveredVia: page.discoveredVia,
  fetchedAt: page.fetchedAt,
  durationMs: page.durationMs,
  bytes: page.bytes,
  fromCache: page.fromCache,
  rendered: page.rendered,
  change: page.change,
  previousFetchedAt: page.previousFetchedAt,
  hash: page.hash,
  metadata: page.metadata,
  verdict: page.verdict,
  noindex: page.noindex,
  canonicalUrl: page.canonicalUrl,
  duplicateOf: page.duplicateOf,
  nearDuplicateOf: page.nearDuplicateOf,
  linkCount: page.linkCount,
  gone: page.isGone,
  note: page.note,
  tags: page.tags,
  muted: page.isMuted,
});

export async function pageOf({ store }: App, id: number): Promise<ListedPage> {
  const page = await store.lists.page(id);
  if (page) return page;
  throw new Problem("not-found", `there is no page ${id}`);
}

/** A page with its best links, if its site has keywords. */
export async function pageWithLinks(app: App, page: ListedPage): Promise<z.output<typeof PageRow>> {
  const scoring = await scoringOf(app.store);
  if (!scoring) return pageJson(page);
  const links = await app.store.links.onPage(page.id);
  return { ...pageJson(page), topLinks: topLinks(links, (matches) => scoring(page.siteId, matches)) };
}

const goneFilter = (gone: "true" | "false" | "any") => (gone === "any" ? undefined : gone === "true");

export async function listPages(
  { app, signal }: RouteContext,
  { url, muted, q, gone, ...query }: PageQuery,
  range: Pick<PageListFilter, "siteId" | "runId">,
  asked: RequestContext,
): Promise<Reply> {
  if (q !== undefined && query.sort?.endsWith("seen"))
    throw new Problem("validation", "what is found by its words can be sorted by id or -id", {
      errors: [{ pointer: "/query/sort", message: "not together with q", suggestion: "id, -id; or GET /search for the best first" }],
    });
  const filter = {
    ...query,
    ...range,
    isMuted: muted,
    isGone: goneFilter(gone ?? (url || query.change || query.status ? "any" : "false")),
    ...(q !== undefined && { query: queryOf(q) }),
    ...(url !== undefined && { hashes: await hashesOf(app, url) }),
  };
  const wantsLinks = query.fields?.split(",").some((name) => name.trim() === "topLinks");
  return answerList(query, {
    name: "pages",
    list: app.store.lists.pages,
    filter,
    row: PageRow,
    json: (page) => (wantsLinks ? pageWithLinks(app, page) : pageJson(page)),
    table: { columns: pageColumns, flat: flatPage },
    signal,
    asked,
  });
}

const jobAnswers = {
  200: { about: "The job, which has ended; its result names the page and what became of it", shape: JobSummary },
  202: { about: "The job, which goes on by itself", shape: JobSummary },
} as const;

const OverrideText = z.string().trim().min(1).max(5000).nullable().optional();
const Overrides = z.strictObject({
  ...{ title: OverrideText, description: OverrideText, siteName: OverrideText },
  image: z
    .url({ protocol: /^https?$/ })
    .max(8000)
    .nullable()
    .optional(),
  canonical: z
    .url({ protocol: /^https?$/ })
    .max(8000)
    .nullable()
    .optional(),
  author: z.array(z.string().trim().min(1).max(200)).max(50).nullable().optional(),
  publishedAt: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })])
    .nullable()
    .optional(),
  modifiedAt: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })])
    .nullable()
    .optional(),
  lang: z
    .string()
    .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/)
    .nullable()
    .optional(),
});

export const pageRoutes: readonly Route[] = [
  route(
    {
      id: "listPages",
      method: "GET",
      path: "/pages",
      tag: "Pages",
      scope: "read",
      summary: "Stored pages",
      query: z.object({ ...pageQuery, siteId: Id.optional(), crawlId: Id.optional().describe("Only pages that this run saw last.") }),
      at: "reader",
      answers: { 200: listSpec("Pages", PageRow) },
    },
    (context, { query: { siteId, crawlId, ...query }, asked }) => listPages(context, query, { siteId, runId: crawlId }, asked),
  ),
  route(
    {
      id: "addPage",
      method: "POST",
      path: "/pages",
      tag: "Pages",
      scope: "write",
      summary: "Add a page to a site by hand: it is asked for in its host's turn, and later runs look at it again",
      query: z.object({ wait: waitQuery }),
      body: z.strictObject({ siteId: z.int().positive(), url: Url }).meta({ examples: [{ siteId: 1, url: "https://example.org/hidden" }] }),
      at: "engine",
      answers: jobAnswers,
      problems: ["not-found", "invalid-url", "conflict", "private-network-blocked"],
    },
    async ({ app, engine }, { body: { siteId, url }, query: { wait = 0 } }) => {
      if (!(await app.store.lists.site(siteId))) throw new Problem("not-found", `there is no site ${siteId}`);
      engine.check([url]);
      const { rows } = await app.store.lists.pages.part({ siteId, hashes: await hashesOf(app, url) }, { sort: "id", limit: 1 });
      if (rows[0]) throw new Problem("conflict", "it is stored already", { id: rows[0].id });
      return jobReply(await engine.jobs.start("look", { siteId, url }, wait));
    },
  ),
  route(
    {
      id: "refreshPage",
      method: "POST",
      path: "/pages/{id}/refresh",
      tag: "Pages",
      scope: "write",
      summary: "Ask in its host's turn whether a page has changed, and keep what came of it",
      params: z.object({ id: Id }),
      query: z.object({ wait: waitQuery }),
      at: "engine",
      answers: jobAnswers,
      problems: ["not-found", "private-network-blocked"],
    },
    async ({ app, engine }, { params: { id }, query: { wait = 0 } }) => {
      const { siteId, url } = await pageOf(app, id);
      engine.check([url]);
      return jobReply(await engine.jobs.start("look", { siteId, url, pageId: id }, wait));
    },
  ),
  route(
    {
      id: "getPage",
      method: "GET",
      path: "/pages/{id}",
      tag: "Pages",
      scope: "read",
      summary: "One page",
      params: z.object({ id: Id }),
      at: "reader",
      answers: { 200: { about: "The page", shape: PageRow } },
      problems: ["not-found"],
    },
    async ({ app }, { params }) => ({ data: await pageWithLinks(app, await pageOf(app, params.id)) }),
  ),
  route(
    {
      id: "editPage",
      method: "PATCH",
      path: "/pages/{id}",
      tag: "Pages",
      scope: "write",
      summary: "Say something of a page: a note, tags, or that it does not matter",
      params: z.object({ id: Id }),
      body: z.strictObject({
        note: z.string().max(10_000).optional(),
        tags: z.array(z.string().min(1).max(100)).max(50).optional(),
        muted: z.boolean().optional().describe("Left out of changes."),
        metadata: Overrides.optional().describe("Values that you know better; their source is `manual`. null takes yours back."),
      }),
      at: "writer",
      answers: { 200: { about: "The page as it is now", shape: PageRow } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id }, body: { muted, metadata, ...card } }) => {
      const { overrides: before } = await pageOf(app, id);
      const overrides = metadata && Object.fromEntries(Object.entries({ ...before, ...metadata }).filter(([, value]) => value !== null));
      await editPage(app, { id }, { ...card, isMuted: muted, overrides } as Edit<PageEdits>);
      return { data: await pageWithLinks(app, await pageOf(app, id)) };
    },
  ),
  route(
    {
      id: "removePage",
      method: "DELETE",
      path: "/pages/{id}",
      tag: "Pages",
      scope: "write",
      summary: "Remove a page with its versions and what it says of links; a crawl that hears of it brings it back",
      params: z.object({ id: Id }),
      query: z.object({ dryRun: z.stringbool().default(false).describe("Only say what would go.") }),
      at: "writer",
      answers: { 200: { about: "What went, or would go", shape: z.object({ dryRun: z.boolean(), removed: Counts }) } },
      problems: ["not-found", "already-running"],
    },
    async ({ app }, { params: { id }, query: { dryRun } }) => {
      const { siteId } = await pageOf(app, id);
      return removed(app, siteId, { what: "page", pageId: id }, dryRun);
    },
  ),
];
