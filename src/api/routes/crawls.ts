import { z } from "zod";
import { Problem } from "../problem.ts";
import { type Route, route } from "../route.ts";
import { runJson } from "../run-json.ts";
import { Id, RunSummary } from "../shapes.ts";

export const crawlRoutes: readonly Route[] = [
  route(
    {
      id: "startCrawl",
      method: "POST",
      path: "/crawls",
      tag: "Crawls",
      scope: "write",
      summary: "Start a crawl",
      body: z.strictObject({
        url: z.string().optional(),
        urls: z.array(z.string()).max(10_000).optional(),
        config: z.record(z.string(), z.unknown()).default({}),
      }),
      at: "engine",
      answers: { 202: { about: "The run, which has begun", shape: RunSummary } },
      problems: ["invalid-url", "already-running", "private-network-blocked"],
    },
    async ({ engine }, { body: { url, urls = [], config } }) => {
      const run = await engine.start({ seeds: url === undefined ? urls : [url, ...urls], options: config, isNew: false });
      return { status: 202, headers: { location: `/api/v1/crawls/${run.id}` }, data: runJson(run) };
    },
  ),
  route(
    {
      id: "getCrawl",
      method: "GET",
      path: "/crawls/{id}",
      tag: "Crawls",
      scope: "read",
      summary: "How a run stands",
      params: z.object({ id: Id }),
      at: "reader",
      answers: { 200: { about: "The run", shape: RunSummary } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id } }) => {
      const run = await app.store.run(id);
      if (!run) throw new Problem("not-found", `there is no run ${id}`);
      return { data: runJson(run) };
    },
  ),
];
