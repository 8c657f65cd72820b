import { z } from "zod";
import type { App } from "../../../engine/app.ts";
import { type MadeContext, removeContext, storedContext } from "../../../features/context/context.ts";
import { contextFormats, contextJson, contextLlms, contextMarkdown, sectionNames } from "../../../features/context/context-forms.ts";
import type { ContextInfo } from "../../../store/index.ts";
import { JobSummary, jobReply } from "../engine/job-json.ts";
import { waitQuery } from "../engine/wait.ts";
import { answerList, listParameter, listQuery, listSpec, shortList } from "../list.ts";
import { Problem } from "../problem.ts";
import { mergeOptions, RequestOptions } from "../request-options.ts";
import { type Reply, type Route, route } from "../route.ts";
import { Id, Time } from "../shapes/shapes.ts";

const waitParameter = z.object({ wait: waitQuery });
const tag = "Contexts";
const answers = {
  200: { about: "The job, which has ended; its result names the context", shape: JobSummary },
  202: { about: "The job, which goes on by itself", shape: JobSummary },
} as const;

/** All other fields are options: `{ "url": …, "rateLimit": "2/s" }`. */
const ContextBody = z
  .looseObject({
    url: z.string().max(4096).describe("Where to begin."),
    maxLinks: z.int().min(0).max(100).default(5).describe("Follow at most this many links."),
    minScore: z.number().min(0).max(1).default(0.4).describe("Follow only links of this relevance or more."),
    followLinks: z.boolean().default(true).describe("Whether links are followed at all."),
    maxTokens: z
      .int()
      .min(1)
      .optional()
      .describe("About so many tokens of it are given to whoever says no other number: the most relevant pages first."),
    config: RequestOptions.optional(),
  })
  .meta({ examples: [{ url: "https://example.org/guide", maxLinks: 5 }] });

const ContextRow = z
  .object({ id: z.int(), uid: z.string(), siteId: z.int(), url: z.string(), madeAt: Time, options: z.looseObject({}) })
  .meta({ id: "ContextSummary" });

const rowOf = ({ id, uid, siteId, url, options, madeAt }: ContextInfo): z.output<typeof ContextRow> => ({
  id,
  uid,
  siteId,
  url,
  madeAt: new Date(madeAt).toISOString(),
  options: JSON.parse(options) as Record<string, unknown>,
});

async function requireContext(app: App, id: number): Promise<MadeContext> {
  const context = await storedContext(app, id);
  if (!context) throw new Problem("not-found", `there is no context ${id}`);
  return context;
}

/** The parameters a context was made with, in the form of a request. */
async function requestOf(app: App, id: number) {
  const { maxTokens } = await requireContext(app, id);
  const stored = (await app.store.contexts.list()).find((context) => context.id === id);
  if (!stored) throw new Problem("not-found", `there is no context ${id}`);
  const { follow = true, maxLinks, minScore, maxDepth, ...config } = JSON.parse(stored.options) as Record<string, unknown>;
  const options = { ...config, ...(maxDepth !== undefined && { maxDepth: maxDepth ?? "none" }) };
  return {
    url: stored.url,
    followLinks: follow,
    ...(maxLinks !== undefined && { maxLinks }),
    ...(minScore !== undefined && { minScore }),
    ...(maxTokens !== undefined && { maxTokens }),
    options,
  };
}

export const contextRoutes: readonly Route[] = [
  route(
    {
      id: "makeContext",
      method: "POST",
      path: "/contexts",
      tag,
      scope: "write",
      summary: "A page and the links that explain it, as one text; made again, only what changed is fetched",
      query: waitParameter,
      body: ContextBody,
      at: "engine",
      answers,
      problems: ["invalid-url", "private-network-blocked"],
    },
    async ({ engine }, { body: { url, maxLinks, minScore, followLinks, maxTokens, config = {}, ...others }, query: { wait = 0 } }) => {
      const options = mergeOptions(others, config, Object.keys(ContextBody.shape));
      engine.check([url], options);
      return jobReply(await engine.jobs.start("context", { url, maxLinks, minScore, followLinks, maxTokens, options }, wait));
    },
  ),
  route(
    {
      id: "listContexts",
      method: "GET",
      path: "/contexts",
      tag,
      scope: "read",
      summary: "The contexts that are stored, the latest first",
      query: z.object(listQuery),
      at: "reader",
      answers: { 200: listSpec("Contexts, without what is in them", ContextRow) },
    },
    async ({ app: { store }, signal }, { query, asked }) => {
      const list = shortList(await store.contexts.list());
      return answerList(query, { name: "contexts", list, filter: undefined, row: ContextRow, json: rowOf, signal, asked });
    },
  ),
  route(
    {
      id: "getContext",
      method: "GET",
      path: "/contexts/{id}",
      tag,
      scope: "read",
      summary: "A context as it was made last",
      params: z.object({ id: Id }),
      query: z.object({
        format: z.enum(contextFormats).default("json"),
        maxTokens: z.coerce.number().int().min(1).optional().describe("At most so many tokens, about: the most relevant pages first."),
        sections: listParameter(z.enum(sectionNames))
          .optional()
          .describe(`Only these, of ${sectionNames.join(", ")}.`)
          .meta({ type: "string" }),
      }),
      at: "reader",
      answers: { 200: { about: "The context", shape: z.looseObject({}), types: ["text/markdown", "text/plain"] } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id }, query: { format, maxTokens, sections } }) => {
      const { pack, maxTokens: storedMax } = await requireContext(app, id);
      const shape = { maxTokens: maxTokens ?? storedMax, sections };
      if (format === "json") return { data: contextJson(pack, shape) };
      return format === "llms" ? text("text/plain", contextLlms(pack, shape)) : text("text/markdown", contextMarkdown(pack, shape));
    },
  ),
  route(
    {
      id: "deleteContext",
      method: "DELETE",
      path: "/contexts/{id}",
      tag,
      scope: "write",
      summary: "Remove a context; its pages stay",
      params: z.object({ id: Id }),
      at: "writer",
      answers: { 204: { about: "It is gone" } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id } }) => {
      if (!(await removeContext(app, id))) throw new Problem("not-found", `there is no context ${id}`);
      return { status: 204 };
    },
  ),
  route(
    {
      id: "refreshContext",
      method: "POST",
      path: "/contexts/{id}/refresh",
      tag,
      scope: "write",
      summary: "Make a context anew: of pages that are known only what changed is fetched",
      params: z.object({ id: Id }),
      query: waitParameter,
      at: "engine",
      answers,
      problems: ["not-found", "private-network-blocked"],
    },
    async ({ engine, app }, { params: { id }, query: { wait = 0 } }) => {
      const input = await requestOf(app, id);
      engine.check([input.url], input.options);
      return jobReply(await engine.jobs.start("context", input, wait));
    },
  ),
];

async function* singlePart(part: string): AsyncGenerator<string> {
  yield part;
}

const text = (type: string, content: string): Reply => ({ stream: { type: `${type}; charset=utf-8`, parts: singlePart(content) } });
