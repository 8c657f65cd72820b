import { z } from "zod";
import type { Reason } from "../../../core/records.ts";
import { typedUrl } from "../../../core/typed-url.ts";
import type { App } from "../../../engine/app.ts";
import { explain } from "../../../features/explain/explain.ts";
import { reasonSentence } from "../../../features/explain/reasons.ts";
import { hashesOf } from "../../../features/pages/url-hashes.ts";
import { type Decision, decisionGroups, type ListedDecision, type Run } from "../../../store/index.ts";
import { answerList, listParameter, listQuery, listShape, listSpec, shortList, sortQuery } from "../list.ts";
import { Problem } from "../problem.ts";
import { type Route, route } from "../route.ts";
import { Id, Url, UrlFilter } from "../shapes/shapes.ts";
import { DecisionGroupRow, DecisionRow, DecisionVerdict, ExplanationShape } from "../shapes/shapes-ledger.ts";
import { LinkRow } from "../shapes/shapes-link.ts";
import { PageRow } from "../shapes/shapes-page.ts";
import { linkQuery, listLinks } from "./links.ts";
import { listPages, pageQuery } from "./pages.ts";

const params = z.object({ id: Id });
const readRoute = { method: "GET", tag: "Crawls", scope: "read", params, at: "reader", problems: ["not-found"] } as const;

export async function requireRun({ store }: App, id: number): Promise<Run> {
  const run = await store.run(id);
  if (run) return run;
  throw new Problem("not-found", `there is no run ${id}`);
}

const decisionSummary = ({ id, verdict, reason, status, depth, via, attempts, at }: Decision) => ({
  id,
  verdict,
  reason,
  status,
  depth,
  via,
  attempts,
  at: new Date(at).toISOString(),
});

const decisionJson = (decision: ListedDecision): z.output<typeof DecisionRow> => ({
  id: decision.id,
  crawlId: decision.runId,
  url: decision.url,
  host: decision.host,
  kind: decision.kind,
  verdict: decision.verdict,
  reason: decision.reason,
  sentence: reasonSentence(decision.reason),
  rule: decision.rule,
  depth: decision.depth,
  via: decision.via,
  parentUrl: decision.parentUrl,
  mentions: decision.mentions,
  attempts: decision.attempts,
  status: decision.status,
  priority: decision.priority,
  pageId: decision.pageId ?? null,
  at: new Date(decision.at).toISOString(),
});

/** Decisions of a run about URLs, and events. */
export const decisionRoutes: readonly Route[] = [
  route(
    {
      id: "explainUrl",
      method: "GET",
      path: "/explain",
      tag: "Crawls",
      scope: "read",
      summary: "Why a URL was crawled, or not, by the latest run that heard of it",
      query: z.object({
        url: Url.min(1).describe("Any URL, however it is spelt."),
        crawlId: Id.optional().describe("As this run decided."),
      }),
      at: "reader",
      answers: { 200: { about: "Why", shape: ExplanationShape } },
      problems: ["not-found"],
    },
    async ({ app }, { query: { url, crawlId } }) => {
      if (crawlId !== undefined) await requireRun(app, crawlId);
      const { run, decision, sentence, ...why } = await explain(app, { url: typedUrl(url), run: crawlId });
      return {
        data: {
          ...why,
          sentence: sentence.replace(/ ?\(nuthatch [a-z]+\)/g, ""),
          crawlId: run,
          decision: decision && decisionSummary(decision),
        },
      };
    },
  ),
  route(
    {
      ...readRoute,
      id: "listDecisions",
      path: "/crawls/{id}/decisions",
      summary: "Why each URL was visited, or not; counted in groups with groupBy",
      query: z.object({
        ...listQuery,
        ...sortQuery(["id"], "id"),
        url: UrlFilter.optional().describe("Exactly this URL, however it is spelt."),
        verdict: listParameter(DecisionVerdict).optional(),
        reason: listParameter(z.string().max(100)).optional().describe("robots stands for robots.disallow, too."),
        rule: z.string().max(2000).optional(),
        host: z.string().max(300).optional(),
        path: z.string().max(2000).optional().describe("How its path begins."),
        contains: z.string().max(500).optional().describe("A part of the URL."),
        depth: z.coerce.number().int().min(0).optional(),
        kind: z.enum(["page", "sitemap", "robots"]).optional(),
        groupBy: listParameter(z.enum(decisionGroups)).optional().describe("Counts instead of rows, the most frequent first."),
      }),
      answers: {
        200: { ...listSpec("Decisions", DecisionRow), shape: z.union([listShape(DecisionRow), listShape(DecisionGroupRow)]) },
      },
    },
    async ({ app, signal }, { params: { id }, query: { url, groupBy, ...query }, asked }) => {
      await requireRun(app, id);
      const filter = { runId: id, ...query, ...(url !== undefined && { hashes: await hashesOf(app, url) }) };
      if (groupBy?.length) {
        const by = [...new Set(groupBy)];
        const groups = await app.store.lists.decisionGroups(filter, by, Number.POSITIVE_INFINITY, signal);
        const sentenceOf = (group: Readonly<Record<string, unknown>>) =>
          by.includes("reason") ? { sentence: reasonSentence(group.reason as Reason) } : {};
        const list = shortList(groups.map(({ group, ...rest }) => ({ ...group, ...sentenceOf(group), ...rest })));
        const row = z
          .object(Object.fromEntries([...by, ...(by.includes("reason") ? ["sentence"] : [])].map((name) => [name, z.unknown()])))
          .extend(DecisionGroupRow.shape);
        return answerList(query, { name: `groups ${by}`, list, filter: undefined, row, json: (one) => one, signal, asked });
      }
      const list = app.store.lists.decisions;
      return answerList(query, { name: "decisions", list, filter, row: DecisionRow, json: decisionJson, signal, asked });
    },
  ),
  route(
    {
      ...readRoute,
      id: "listCrawlErrors",
      path: "/crawls/{id}/errors",
      summary: "URLs that were tried without success",
      query: z.object(listQuery),
      answers: { 200: listSpec("Decisions", DecisionRow) },
    },
    async ({ app, signal }, { params: { id }, query, asked }) => {
      await requireRun(app, id);
      const list = app.store.lists.failures;
      return answerList(query, { name: "errors", list, filter: { runId: id }, row: DecisionRow, json: decisionJson, signal, asked });
    },
  ),
  route(
    {
      ...readRoute,
      id: "listCrawlPages",
      path: "/crawls/{id}/pages",
      summary: "Pages that this run saw last",
      query: z.object({ ...pageQuery, ...sortQuery(["seen", "id"], "seen") }),
      answers: { 200: listSpec("Pages", PageRow) },
    },
    async (context, { params: { id }, query, asked }) => {
      const sort = query.q !== undefined && query.sort === "seen" ? "id" : query.sort;
      return listPages(context, { ...query, sort }, { runId: (await requireRun(context.app, id)).id }, asked);
    },
  ),
  route(
    {
      ...readRoute,
      id: "listCrawlLinks",
      path: "/crawls/{id}/links",
      summary: "Links that this run was the first to find, the best first",
      query: z.object(linkQuery),
      answers: { 200: listSpec("Links", LinkRow) },
    },
    async (context, { params: { id }, query, asked }) => {
      const { sites } = await requireRun(context.app, id);
      const siteId = sites.length === 1 ? sites[0]!.id : undefined;
      return listLinks(context, query, { firstRunId: id, siteId }, asked);
    },
  ),
];
