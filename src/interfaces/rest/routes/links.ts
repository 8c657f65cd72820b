import { z } from "zod";
import { keyOptionsOf, resolve } from "../../../analysis/url/index.ts";
import { hasUserInfo, typedUrl } from "../../../core/typed-url.ts";
import type { App } from "../../../engine/app.ts";
import { resolveConfig } from "../../../engine/config/index.ts";
import { hashesOf } from "../../../features/pages/url-hashes.ts";
import type { LinkListFilter, ListedLink, ListedSource } from "../../../store/index.ts";
import { loginInUrlMessage } from "../json/run-options.ts";
import { answerList, type ListQuery, listParameter, listQuery, listSpec, pickFields, sortQuery } from "../list.ts";
import { Problem } from "../problem.ts";
import { type Reply, type RequestContext, type Route, type RouteContext, route } from "../route.ts";
import { Id, Score, Url, UrlFilter } from "../shapes/shapes.ts";
import { LinkRow, LinkSourceRow } from "../shapes/shapes-link.ts";

/** Filters of links, wherever they are listed. */
const linkFilters = {
  url: UrlFilter.optional().describe("Exactly this link, however it is spelt."),
  keyword: listParameter(z.string().min(1).max(100)).optional().describe("Only links that all of these apply to, separated by commas."),
  any: z.stringbool().default(false).describe("With keyword: one of them is enough."),
  minScore: z.coerce.number().min(0).max(2).optional(),
  new: z.stringbool().default(false).describe("Only what the latest run of its site was the first to find."),
  type: listParameter(z.string().regex(/^[a-z0-9]{1,20}$/))
    .optional()
    .describe("What it leads to: pdf, html…; several with commas."),
  muted: z.stringbool().default(false).describe("Only those that were muted; they are left out otherwise."),
  pinned: z.stringbool().optional(),
  pageId: Id.optional().describe("Only links of this page."),
};

export const linkQuery = { ...listQuery, ...sortQuery(["score", "id"], "-score"), ...linkFilters };

type LinkQuery = ListQuery & z.output<z.ZodObject<typeof linkFilters>>;

const sourceJson = (source: ListedSource): z.output<typeof LinkSourceRow> => {
  const { pageId, page, text, title, heading, context, position, firstRunId, lastRunId } = source;
  return { pageId, page, text, title, heading, context, position, firstCrawlId: firstRunId, lastCrawlId: lastRunId };
};

export const linkJson = (link: ListedLink): z.output<typeof LinkRow> => ({
  id: link.id,
  siteId: link.siteId,
  url: link.url,
  score: link.score,
  text: link.text,
  type: link.type,
  pages: link.pages,
  note: link.note,
  keywords: Object.fromEntries(link.keywords.map(({ word, match }) => [word, match])),
  new: link.isNew,
  firstCrawlId: link.firstRunId,
  comment: link.comment ?? null,
  pageId: link.pageId ?? null,
  pinned: link.isPinned,
  muted: link.isMuted,
  scoreOverride: link.scoreOverride ?? null,
  sources: link.sources.map(sourceJson),
});

const tableFormat = {
  columns: [
    ...["score", "url", "text", "type", "pages", "new", "keywords", "firstCrawlId", "siteId", "id", "pageId"],
    ...["pinned", "muted", "note", "comment"],
  ],
  flat: (listed: ListedLink) => {
    const { sources: _, scoreOverride: __, ...link } = linkJson(listed);
    const keywords = listed.keywords.map(({ word, match }) => `${word} ${match}`).join(", ");
    return pickFields({ ...link, keywords }, tableFormat.columns);
  },
};

export async function listLinks(
  { app, signal }: RouteContext,
  query: LinkQuery,
  range: Pick<LinkListFilter, "siteId" | "firstRunId">,
  asked: RequestContext,
): Promise<Reply> {
  const { url, keyword, any, minScore, type, muted, pinned, pageId } = query;
  const filter: LinkListFilter = {
    ...range,
    ...(url !== undefined && { hashes: await hashesOf(app, url) }),
    words: keyword,
    isAny: any,
    minScore,
    isNew: query.new,
    types: type,
    isMuted: muted,
    isPinned: pinned,
    pageId,
  };
  const list = app.store.lists.links;
  return answerList(query, {
    name: "links",
    list,
    filter,
    row: LinkRow,
    json: linkJson,
    table: tableFormat,
    signal,
    asked,
  });
}

async function requireLink({ store }: App, id: number, siteId: number | undefined): Promise<ListedLink> {
  const link = await store.lists.link(id, siteId);
  if (link) return link;
  throw new Problem("not-found", `there is no link ${id}${siteId === undefined ? "" : ` on site ${siteId}`}`);
}

const params = z.object({ id: Id });
const siteParameter = z.object({
  siteId: Id.optional().describe("Where a link stands on several sites; else the one where it is worth most."),
});
const tag = "Links";

const annotations = {
  pinned: z.boolean().optional(),
  muted: z.boolean().optional().describe("Left out of lists."),
  note: z.string().max(10_000).optional(),
};

export const linkRoutes: readonly Route[] = [
  route(
    {
      id: "listLinks",
      method: "GET",
      path: "/links",
      tag,
      scope: "read",
      summary: "Links that keywords apply to, the best first",
      query: z.object({
        ...linkQuery,
        siteId: Id.optional(),
        crawlId: Id.optional().describe("Only what this run was the first to find."),
      }),
      at: "reader",
      answers: { 200: listSpec("Links", LinkRow) },
    },
    (context, { query: { siteId, crawlId, ...query }, asked }) => listLinks(context, query, { siteId, firstRunId: crawlId }, asked),
  ),
  route(
    {
      id: "addLink",
      method: "POST",
      path: "/links",
      tag,
      scope: "write",
      summary: "Put a link on a site's list by hand",
      body: z.strictObject({ siteId: z.number().int().positive(), url: Url, score: Score.default(1), ...annotations }),
      at: "writer",
      answers: { 201: { about: "The link", shape: LinkRow } },
      problems: ["not-found", "invalid-url", "conflict"],
    },
    async ({ app }, { body: { siteId, url, score, pinned, muted, note } }) => {
      if (!(await app.store.lists.site(siteId))) throw new Problem("not-found", `there is no site ${siteId}`);
      const [hash] = await hashesOf(app, url);
      const resolved = resolve(typedUrl(url), undefined, keyOptionsOf(resolveConfig([])));
      if (!hash || !resolved) throw new Problem("invalid-url", `${url} is not an http or https URL`);
      if (hasUserInfo(url)) throw new Problem("invalid-url", loginInUrlMessage(resolved.host));
      const id = await app.store.userData.link(resolved.url, hash);
      if (await app.store.lists.link(id, siteId)) throw new Problem("conflict", "it is on the list already", { id });
      await app.store.userData.setLink(
        { siteId, linkId: id },
        { isPinned: pinned, isMuted: muted, note, scoreOverride: score },
        app.world.clock.wall(),
      );
      const data = linkJson(await requireLink(app, id, siteId));
      return { status: 201, headers: { location: `/api/v1/links/${id}?siteId=${siteId}` }, data };
    },
  ),
  route(
    {
      id: "getLink",
      method: "GET",
      path: "/links/{id}",
      tag,
      scope: "read",
      summary: "One link",
      params,
      query: siteParameter,
      at: "reader",
      answers: { 200: { about: "The link", shape: LinkRow } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id }, query: { siteId } }) => ({ data: linkJson(await requireLink(app, id, siteId)) }),
  ),
  route(
    {
      id: "editLink",
      method: "PATCH",
      path: "/links/{id}",
      tag,
      scope: "write",
      summary: "Pin or mute a link, note something, or give it a score of your own",
      params,
      query: siteParameter,
      body: z.strictObject({
        ...annotations,
        scoreOverride: Score.nullable().optional().describe("null goes back to what keywords make of it."),
      }),
      at: "writer",
      answers: { 200: { about: "The link as it is now", shape: LinkRow } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id }, query, body: { pinned, muted, note, scoreOverride } }) => {
      const { siteId } = await requireLink(app, id, query.siteId);
      await app.store.userData.setLink(
        { siteId, linkId: id },
        { isPinned: pinned, isMuted: muted, note, scoreOverride },
        app.world.clock.wall(),
      );
      return { data: linkJson(await requireLink(app, id, siteId)) };
    },
  ),
  route(
    {
      id: "removeLink",
      method: "DELETE",
      path: "/links/{id}",
      tag,
      scope: "write",
      summary: "Forget a link, until a crawl finds it again on a page that has changed",
      params,
      query: siteParameter,
      at: "writer",
      answers: { 204: { about: "It is forgotten" } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id }, query }) => {
      const { siteId } = await requireLink(app, id, query.siteId);
      await app.store.userData.removeLink(siteId, id);
      return { status: 204 };
    },
  ),
  route(
    {
      id: "listLinkSources",
      method: "GET",
      path: "/links/{id}/sources",
      tag,
      scope: "read",
      summary: "The pages that have a link, with their words for it",
      params,
      query: z.object({ ...listQuery, ...siteParameter.shape }),
      at: "reader",
      answers: { 200: listSpec("Pages", LinkSourceRow) },
      problems: ["not-found"],
    },
    async ({ app, signal }, { params: { id }, query, asked }) => {
      const { siteId } = await requireLink(app, id, query.siteId);
      const list = app.store.lists.sources;
      return answerList(query, {
        name: "sources",
        list,
        filter: { siteId, linkId: id },
        row: LinkSourceRow,
        json: sourceJson,
        signal,
        asked,
      });
    },
  ),
];
