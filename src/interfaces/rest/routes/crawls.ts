import { z } from "zod";
import type { App } from "../../../engine/app.ts";
import { waitQuery } from "../engine/wait.ts";
import { runJson } from "../json/run-json.ts";
import { Problem } from "../problem.ts";
import { mergeOptions, RequestOptions } from "../request-options.ts";
import { type Route, route } from "../route.ts";
import { Id, RunSummary } from "../shapes/shapes.ts";

const MAX_SEEDS = 10_000;

/** All other fields are options: `{ "url": …, "maxDepth": 3 }`. */
const CrawlBody = z
  .looseObject({
    url: z.string().max(4096).optional().describe("Where to begin."),
    urls: z.array(z.string().max(4096)).max(MAX_SEEDS).optional().describe("The same for several seeds."),
    siteId: z.int().positive().optional().describe("A site that is known, with the options that were set for it."),
    config: RequestOptions.optional().describe("Options for this run; they may also stand beside `url`."),
    isNew: z.boolean().optional().describe("Begin anew even if a run of this site is unfinished."),
    tags: z.array(z.string().min(1).max(100)).max(50).optional().describe("Tags that its sites get, on top of those they have."),
  })
  .meta({ examples: [{ url: "https://example.org/", maxPages: 100, keywords: { budget: 1, agenda: 0.5 } }] });

function startRequestOf({ url, urls = [], siteId, config = {}, isNew = false, tags: _, ...others }: z.output<typeof CrawlBody>) {
  if (siteId !== undefined && (url !== undefined || urls.length > 0))
    throw new Problem("validation", "say either siteId or url and urls, not both");
  const options = mergeOptions(others, config, Object.keys(CrawlBody.shape));
  return { seeds: url === undefined ? urls : [url, ...urls], siteId, options, isNew };
}

const Patterns = z.array(z.string().min(1).max(1000)).min(1).max(100);

const CrawlEdit = z.strictObject({
  exclude: Patterns.optional().describe("Patterns on top of those the run has."),
  include: Patterns.optional().describe("The same for those that URLs must match."),
  rateLimit: z
    .union([z.string().max(20), z.number().positive()])
    .optional()
    .describe("Requests per host: 1/s, 30/m, none."),
  maxConcurrent: z.int().min(1).max(10_000).optional().describe("Requests in flight in total."),
  maxPages: z
    .union([z.int().min(1), z.literal("none")])
    .optional()
    .describe("Stop after this many pages, counted from the start of the run."),
  priority: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Weights of what is visited first, for URLs that are heard of from now on."),
});

/** Stores the changed options of a run with its sites. */
async function persistEdit({ store, world }: App, runId: number, keys: readonly string[], options: Readonly<Record<string, unknown>>) {
  const changed = Object.fromEntries(keys.map((key) => [key, options[key]]));
  for (const { id } of (await store.run(runId))?.sites ?? []) {
    const before = (await store.userData.site(id))?.options;
    await store.userData.setSite(id, { options: { ...before, ...changed } }, world.clock.wall());
  }
}

async function addTags({ store, world }: App, siteIds: readonly number[], tags: readonly string[]) {
  for (const id of siteIds) {
    const before = (await store.userData.site(id))?.tags ?? [];
    await store.userData.setSite(id, { tags: [...new Set([...before, ...tags])] }, world.clock.wall());
  }
}

const runRoute = { params: z.object({ id: Id }), tag: "Crawls", at: "engine" } as const;
const runAnswer = { about: "The run", shape: RunSummary } as const;

export const crawlRoutes: readonly Route[] = [
  route(
    {
      id: "startCrawl",
      method: "POST",
      path: "/crawls",
      tag: "Crawls",
      scope: "write",
      summary: "Start a crawl, or carry on with an unfinished one of the same site",
      body: CrawlBody,
      at: "engine",
      answers: { 202: { about: "The run, which has begun", shape: RunSummary } },
      problems: ["invalid-url", "not-found", "already-running", "private-network-blocked"],
    },
    async ({ app, engine }, { body }) => {
      const run = await engine.start(startRequestOf(body));
      if (body.tags)
        await addTags(
          app,
          run.sites.map(({ id }) => id),
          body.tags,
        );
      return { status: 202, headers: { location: `/api/v1/crawls/${run.id}` }, data: runJson(run) };
    },
  ),
  route(
    {
      id: "previewCrawl",
      method: "POST",
      path: "/crawls/preview",
      tag: "Crawls",
      scope: "write",
      summary: "What a crawl would do: asks robots.txt, sitemaps and the seeds, and stores nothing",
      body: CrawlBody,
      at: "engine",
      answers: {
        200: { about: "Seeds, robots.txt, sitemaps, the first URLs and an estimate", shape: z.looseObject({ requests: z.int() }) },
      },
      problems: ["invalid-url", "not-found", "private-network-blocked"],
    },
    async ({ engine }, { body }) => ({ data: await engine.preview(startRequestOf(body)) }),
  ),
  route(
    {
      ...runRoute,
      id: "editCrawl",
      method: "PATCH",
      path: "/crawls/{id}",
      scope: "write",
      summary: "Change scope, pace and limits of a run at work",
      query: z.object({
        dryRun: z.stringbool().default(false).describe("Only tell how many queued URLs it would take out."),
        persist: z.stringbool().default(false).describe("Let it hold for later runs of the site, too."),
      }),
      body: CrawlEdit,
      answers: {
        200: {
          about: "How many queued URLs it took out, or would; and the options of the run",
          shape: z.object({ removed: z.int(), isDryRun: z.boolean(), options: z.record(z.string(), z.unknown()) }),
        },
      },
      problems: ["not-found", "conflict"],
    },
    async ({ app, engine }, { params: { id }, query: { dryRun, persist }, body }) => {
      const adjusted = await engine.edit(id, body, dryRun);
      if (persist && !dryRun) await persistEdit(app, id, Object.keys(body), adjusted.options);
      return { data: { ...adjusted, isDryRun: dryRun } };
    },
  ),
  route(
    {
      ...runRoute,
      id: "pauseCrawl",
      method: "POST",
      path: "/crawls/{id}/pause",
      scope: "write",
      summary: "Finish what is in flight and ask for nothing more until it is resumed",
      answers: { 200: runAnswer },
      problems: ["not-found", "conflict"],
    },
    async ({ engine }, { params: { id } }) => ({ data: runJson(await engine.pause(id), "paused") }),
  ),
  route(
    {
      ...runRoute,
      id: "resumeCrawl",
      method: "POST",
      path: "/crawls/{id}/resume",
      scope: "write",
      summary: "Go on with a run that is paused, or take up one that was stopped or interrupted",
      answers: { 200: runAnswer },
      problems: ["not-found", "conflict"],
    },
    async ({ engine }, { params: { id } }) => ({ data: runJson(await engine.resume(id)) }),
  ),
  route(
    {
      ...runRoute,
      id: "stopCrawl",
      method: "POST",
      path: "/crawls/{id}/stop",
      scope: "write",
      summary: "Stop a run and keep what it has found",
      query: z.object({ wait: waitQuery }),
      answers: {
        200: { about: "The run, which has ended", shape: RunSummary },
        202: { about: "It is finishing what is in flight", shape: RunSummary },
      },
      problems: ["not-found", "conflict"],
    },
    async ({ engine }, { params: { id }, query: { wait = 2000 } }) => {
      const run = await engine.stop(id, wait);
      return { status: run.status === "running" ? 202 : 200, data: runJson(run) };
    },
  ),
  route(
    {
      ...runRoute,
      id: "cancelCrawl",
      method: "POST",
      path: "/crawls/{id}/cancel",
      scope: "write",
      summary: "Stop a run and throw away what it has found: what earlier runs knew is as before",
      answers: { 200: { about: "What was removed", shape: z.object({ removed: z.record(z.string(), z.int()) }) } },
      problems: ["not-found", "conflict"],
    },
    async ({ engine }, { params: { id } }) => ({ data: { removed: await engine.cancel(id) } }),
  ),
  route(
    {
      id: "deleteCrawl",
      method: "DELETE",
      path: "/crawls/{id}",
      tag: "Crawls",
      scope: "write",
      summary: "Remove a run that has ended, its ledger, and the pages that no other run knows",
      params: z.object({ id: Id }),
      query: z.object({ dryRun: z.stringbool().default(false).describe("Only count what would go.") }),
      at: "writer",
      answers: {
        200: { about: "What was removed, or would be", shape: z.object({ removed: z.record(z.string(), z.int()), isDryRun: z.boolean() }) },
      },
      problems: ["not-found", "conflict"],
    },
    async ({ app: { store } }, { params: { id }, query: { dryRun } }) => {
      const run = await store.run(id);
      if (!run) throw new Problem("not-found", `there is no run ${id}`);
      if (store.isAlive(run)) throw new Problem("conflict", `run ${id} is at work: stop or cancel it`, { crawlId: id });
      const plan = await store.maintenance.plan({ what: "run", runId: id });
      return { data: { removed: dryRun ? plan.removes : await plan.execute(), isDryRun: dryRun } };
    },
  ),
];
