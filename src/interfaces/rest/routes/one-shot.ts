import { z } from "zod";
import { duration } from "../../../core/units.ts";
import { pageForms } from "../../../features/fetch-page/page-forms.ts";
import { JobSummary, jobReply } from "../engine/job-json.ts";
import { waitQuery } from "../engine/wait.ts";
import { pageJson } from "../json/page-json.ts";
import { fetchProblem, Problem } from "../problem.ts";
import { type Route, route } from "../route.ts";

const forms = pageForms.filter((form) => form !== "raw") as [Exclude<(typeof pageForms)[number], "raw">];
const scrapeParameters = {
  formats: z.array(z.enum(forms)).min(1).default(["markdown"]).describe("Which forms of the page to answer."),
  part: z.enum(["main", "whole"]).default("main").describe("What the page is about, or all of it."),
  render: z
    .enum(["never", "auto", "always"])
    .optional()
    .describe("Show it to a browser: never, auto (if it says more there) or always; what the server does by itself, unless said."),
  maxAge: duration().optional().describe("A stored copy will do if it is no older than this: 1d, or a number of seconds."),
};

const jobAnswers = {
  200: { about: "The job, which has ended", shape: JobSummary },
  202: { about: "The job, which goes on by itself", shape: JobSummary },
} as const;

export const oneShotRoutes: readonly Route[] = [
  route(
    {
      id: "scrape",
      method: "POST",
      path: "/scrape",
      tag: "One-shot",
      scope: "write",
      summary: "One page, asked for in its host's turn",
      body: z
        .strictObject({ url: z.string().max(4096), ...scrapeParameters })
        .meta({ examples: [{ url: "https://example.org/", formats: ["markdown"] }] }),
      at: "engine",
      answers: { 200: { about: "The page", shape: z.looseObject({ url: z.string(), finalUrl: z.string(), status: z.int().nullable() }) } },
      problems: ["invalid-url", "robots-disallowed", "private-network-blocked", "fetch-timeout", "fetch-failed"],
    },
    async ({ engine, signal }, { body: { formats, ...body } }) => {
      const page = await engine.scrape({ ...body, forms: formats, signal });
      if (page.ok) return { data: pageJson(page) };
      throw new Problem(fetchProblem(page.reason), `${page.finalUrl}: ${page.rule || page.reason}`, {
        reason: page.reason,
        targetStatus: page.status,
      });
    },
  ),
  route(
    {
      id: "scrapeBatch",
      method: "POST",
      path: "/scrape/batch",
      tag: "One-shot",
      scope: "write",
      summary: "Many pages, each asked for in its host's turn",
      query: z.object({ wait: waitQuery }),
      body: z
        .strictObject({ urls: z.array(z.string().max(4096)).min(1).max(1000), ...scrapeParameters })
        .meta({ examples: [{ urls: ["https://example.org/", "https://example.org/news"] }] }),
      at: "engine",
      answers: jobAnswers,
      problems: ["invalid-url", "private-network-blocked"],
    },
    async ({ engine }, { body, query: { wait = 0 } }) => {
      engine.check(body.urls);
      return jobReply(await engine.jobs.start("scrape", body, wait));
    },
  ),
  route(
    {
      id: "map",
      method: "POST",
      path: "/map",
      tag: "One-shot",
      scope: "write",
      summary: "The URLs of a site, from its sitemaps and links; nothing is stored of it",
      query: z.object({ wait: waitQuery }),
      body: z
        .strictObject({
          url: z.string().max(4096),
          depth: z.int().min(0).max(20).default(2).describe("Clicks from the start."),
          limit: z.int().min(1).max(100_000).default(5000),
          query: z
            .string()
            .max(500)
            .optional()
            .describe("Only URLs that have one of these words in them or in a link to them, the best first."),
          includeExternal: z.boolean().default(false),
        })
        .meta({ examples: [{ url: "https://example.org/", depth: 1 }] }),
      at: "engine",
      answers: jobAnswers,
      problems: ["invalid-url", "private-network-blocked"],
    },
    async ({ engine }, { body, query: { wait = 30_000 } }) => {
      engine.check([body.url]);
      return jobReply(await engine.jobs.start("map", body, wait));
    },
  ),
];
