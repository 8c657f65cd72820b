/** Parts of a site: pages, links, keywords, robots.txt, structure and history. */
import { z } from "zod";
import { gexf, graphml } from "../../../engine/formats/index.ts";
import { previewKeywords } from "../../../features/keywords/preview-keywords.ts";
import { storedRobotsReport } from "../../../features/robots/robots.ts";
import { siteRun } from "../../../features/sites/site-facts.ts";
import { siteGraph } from "../../../features/sites/site-graph.ts";
import { etagOf, refuseIfChanged } from "../etag.ts";
import { historyJson, requireSite } from "../json/site-json.ts";
import { answerList, listQuery, listSpec, sortQuery } from "../list.ts";
import { Problem } from "../problem.ts";
import { type Route, route } from "../route.ts";
import { SiteId, Url } from "../shapes/shapes.ts";
import { LinkRow } from "../shapes/shapes-link.ts";
import { PageRow } from "../shapes/shapes-page.ts";
import { Branch, Graph, HistoryRow, KeywordRow, Robots } from "../shapes/shapes-site.ts";
import { linkJson, linkQuery, listLinks } from "./links.ts";
import { listPages, pageQuery } from "./pages.ts";
import { Keywords, replaceKeywords } from "./sites.ts";

const params = z.object({ id: SiteId });
const problems = ["not-found"] as const;
const siteRoute = { method: "GET", tag: "Sites", scope: "read", params, at: "reader", problems } as const;
const graphTypes = { graphml: "application/graphml+xml", gexf: "application/gexf+xml" } as const;
const KeywordList = z.object({ data: z.array(KeywordRow) });

export const sitePartRoutes: readonly Route[] = [
  route(
    {
      ...siteRoute,
      id: "listSitePages",
      path: "/sites/{id}/pages",
      summary: "The stored pages of a site",
      query: z.object(pageQuery),
      answers: { 200: listSpec("Pages", PageRow) },
    },
    async (context, { params: { id }, query, asked }) =>
      listPages(context, query, { siteId: (await requireSite(context.app, id)).id }, asked),
  ),
  route(
    {
      ...siteRoute,
      id: "listSiteLinks",
      path: "/sites/{id}/links",
      summary: "The links of a site that its keywords apply to, the best first",
      query: z.object(linkQuery),
      answers: { 200: listSpec("Links", LinkRow) },
    },
    async (context, { params: { id }, query, asked }) =>
      listLinks(context, query, { siteId: (await requireSite(context.app, id)).id }, asked),
  ),
  route(
    {
      ...siteRoute,
      id: "listKeywords",
      path: "/sites/{id}/keywords",
      summary: "What matters on a site",
      answers: { 200: { about: "Keywords with their weights", shape: KeywordList } },
    },
    async ({ app }, { params: { id } }) => {
      const data = await app.store.lists.keywords((await requireSite(app, id)).id);
      return { headers: { etag: keywordTag(data) }, data: { data } };
    },
  ),
  route(
    {
      ...siteRoute,
      id: "replaceKeywords",
      method: "PUT",
      path: "/sites/{id}/keywords",
      scope: "write",
      summary: "Other keywords: weights hold at once, new words are held against the stored links",
      body: z.union([Keywords, z.strictObject({ keywords: Keywords })]),
      at: "writer",
      answers: {
        200: {
          about: "Keywords as they are now",
          shape: KeywordList.extend({ isLater: z.boolean().describe("Whether new words have to wait for the run that is at work.") }),
        },
      },
      problems: ["not-found", "precondition-failed"],
    },
    async ({ app }, { params: { id }, body, asked }) => {
      const site = await requireSite(app, id);
      refuseIfChanged(asked, keywordTag(await app.store.lists.keywords(site.id)));
      const isLater = await replaceKeywords(app, site, Array.isArray(body) ? body : body.keywords);
      const data = await app.store.lists.keywords(site.id);
      return { headers: { etag: keywordTag(data) }, data: { data, isLater } };
    },
  ),
  route(
    {
      ...siteRoute,
      id: "previewKeywords",
      method: "POST",
      path: "/sites/{id}/keywords/preview",
      summary: "The best links as they would be under other weights; nothing is stored",
      body: z.strictObject({ keywords: Keywords, limit: z.number().int().min(1).max(1000).default(50) }),
      answers: {
        200: {
          about: "Links, with what they are worth now",
          shape: z.object({
            data: z.array(LinkRow.extend({ before: z.number() })),
            unknown: z.array(z.string()).readonly().describe("Words that links were not held against yet."),
          }),
        },
      },
    },
    async ({ app, signal }, { params: { id }, body: { keywords, limit } }) => {
      const site = await requireSite(app, id);
      const { links, unknown } = await previewKeywords(app, site.id, keywords, { limit, signal });
      const data = [];
      for (const { linkId, score, before } of links) {
        const link = await app.store.lists.link(linkId, site.id);
        if (link) data.push({ ...linkJson(link), score, before });
      }
      return { data: { data, unknown } };
    },
  ),
  route(
    {
      ...siteRoute,
      id: "getSiteRobots",
      path: "/sites/{id}/robots",
      summary: "What the site's robots.txt says to us, as it was last read",
      query: z.object({ url: Url.optional().describe("Whether this may be visited; else the site itself.") }),
      answers: { 200: { about: "Rules, delay, sitemaps", shape: Robots } },
    },
    async ({ app }, { params: { id }, query }) => {
      const site = await requireSite(app, id);
      const run = site.lastRunId === undefined ? undefined : await app.store.run(site.lastRunId);
      const userAgent = typeof run?.options.userAgent === "string" ? run.options.userAgent : undefined;
      const report = await storedRobotsReport(app, { url: query.url ?? site.url, userAgent });
      if (!report) throw new Problem("not-found", "its robots.txt has not been read yet: that is done by a crawl");
      return { data: report };
    },
  ),
  route(
    {
      ...siteRoute,
      id: "getSiteTree",
      path: "/sites/{id}/tree",
      summary: "How its pages lie in folders, one level at a time",
      query: z.object({ prefix: z.string().max(4000).default("").describe("The folder: https://example.org/news/; else the hosts.") }),
      answers: { 200: { about: "Folders and pages, the largest first", shape: z.object({ prefix: z.string(), data: z.array(Branch) }) } },
    },
    async ({ app, signal }, { params: { id }, query: { prefix } }) => {
      const site = await requireSite(app, id);
      return { data: { prefix, data: await app.store.lists.tree(site.id, prefix, signal) } };
    },
  ),
  route(
    {
      ...siteRoute,
      id: "getSiteGraph",
      path: "/sites/{id}/graph",
      summary: "Its pages and how they hang together, those that were found first",
      query: z.object({
        maxNodes: z.coerce.number().int().min(1).max(2000).default(500),
        edges: z.enum(["first", "all"]).default("first").describe("The link by which each page was found first, or all links."),
        format: z.enum(["json", "graphml", "gexf"]).optional().describe("Else by `Accept`."),
      }),
      answers: { 200: { about: "Nodes and edges", shape: Graph, types: Object.values(graphTypes) } },
    },
    async ({ app }, { params: { id }, query: { maxNodes, edges, format: wanted }, asked }) => {
      const format = wanted ?? graphFormatFor(asked.accept);
      const { nodes, ...graph } = await siteGraph(app, (await requireSite(app, id)).id, { maxNodes, all: edges === "all" });
      if (format !== "json") return { stream: { type: graphTypes[format], parts: { graphml, gexf }[format](nodes, graph.edges) } };
      const plainNodes = nodes.map(({ hash: _, via: __, parentUrl: ___, title, ...node }) => ({ ...node, title: title ?? null }));
      return { data: { nodes: plainNodes, ...graph } };
    },
  ),
  route(
    {
      ...siteRoute,
      id: "listSiteHistory",
      path: "/sites/{id}/history",
      summary: "One row for each run of a site, the latest first",
      query: z.object({ ...listQuery, ...sortQuery(["id"], "-id") }),
      wantsLive: true,
      answers: { 200: listSpec("Runs", HistoryRow) },
    },
    async ({ app, signal }, { params: { id }, query, live, asked }) => {
      const site = await requireSite(app, id);
      return answerList(query, {
        name: "history",
        list: app.store.lists.runs,
        filter: { siteId: site.id },
        row: HistoryRow,
        json: async (run) => historyJson(app, await siteRun(app, site.id, run), live),
        signal,
        asked,
      });
    },
  ),
];

const graphFormatFor = (accept = "") =>
  accept.includes(graphTypes.graphml) ? "graphml" : accept.includes(graphTypes.gexf) ? "gexf" : "json";

const keywordTag = (keywords: readonly { readonly word: string; readonly weight: number }[]) =>
  etagOf(keywords.map(({ word, weight }) => [word, weight]));
