/** Sites, as the API returns them. */
import { z } from "zod";
import { CounterShape, Counts, Keyword, RunStatus, Score, StopReason, Time, Whole } from "./shapes.ts";

export const LastCrawl = z
  .object({
    id: Whole,
    status: RunStatus,
    stopReason: StopReason,
    startedAt: Time,
    endedAt: Time.nullable(),
    changes: Counts,
    counters: CounterShape.describe("Of the whole run, all its sites together."),
  })
  .meta({ id: "LastCrawl" });

export const Health = z.object({
  errors: Whole.describe("URLs that failed for good: not found, refused by the server, or without an answer."),
  failed: Whole.describe("Of those: no answer, a server error, or an answer that cannot be read."),
  refused: Whole.describe("Of those: the server said no (401, 403, 429)."),
  skipped: Whole.describe("What we left out ourselves: by type, scope, robots.txt, depth …"),
  errorRate: z.number().describe("Errors, of errors and pages."),
});

export const Site = z
  .object({
    id: Whole,
    uid: z.string(),
    url: z.string(),
    name: z.string(),
    tags: z.array(z.string()).readonly(),
    config: z.record(z.string(), z.unknown()).describe("Options of its crawls, as they were written."),
    keywords: z.array(Keyword).readonly(),
    createdAt: Time,
    changedAt: Time.describe("When somebody last said something else of it."),
    counts: z.object({
      pages: Whole.describe("Stored pages that are there, as far as we know."),
      gone: Whole.describe("Stored pages that are there no longer: they answer 404 or 410, or redirect elsewhere."),
      crawls: Whole,
    }),
    lastCrawl: LastCrawl.nullable(),
    newLinks: Whole.describe("Links worth 0.8 or more that the last run was the first to find."),
    health: Health.nullable().describe("Of the last run, on this site; null if it visited several and its ledger was removed."),
  })
  .meta({ id: "Site" });

export const HistoryRow = z
  .object({
    crawlId: Whole,
    status: RunStatus,
    stopReason: StopReason,
    startedAt: Time,
    endedAt: Time.nullable(),
    durationMs: Whole.nullable(),
    pages: Whole.nullable().describe("On this site; null if the run visited several and its ledger was removed. So are the errors."),
    bytes: Whole.nullable().describe("null if the run visited several sites: they are counted together."),
    errors: Whole.nullable(),
    failed: Whole.nullable(),
    changes: Counts,
    newLinks: Whole,
  })
  .meta({ id: "SiteCrawl" });

export const KeywordRow = z
  .object({ word: z.string(), weight: z.number(), links: Whole.describe("How many links it applies to.") })
  .meta({ id: "KeywordCount" });

export const Branch = z
  .object({
    prefix: z.string(),
    pages: Whole,
    hasMore: z.boolean().describe("Whether something lies deeper."),
    status: Counts.describe("By class: 2xx, 3xx…"),
    changed: Whole.describe("What the last crawl of the site found changed."),
    gone: Whole.describe("There no longer; not among the pages."),
    high: Whole.describe("Pages that links worth 0.8 or more lead to."),
    pageId: Whole.nullable().describe("Where it is a single page."),
  })
  .meta({ id: "Folder" });

export const Graph = z
  .object({
    nodes: z.array(
      z.object({
        id: Whole,
        url: z.string(),
        title: z.string().nullable(),
        depth: Whole,
        status: Whole,
        change: z.string(),
        score: Score.describe("What links to it are worth."),
        inlinks: Whole.describe("How many of these pages link to it."),
      }),
    ),
    edges: z.array(z.object({ from: Whole, to: Whole })),
    isCut: z.boolean().describe("Whether there are more pages than these."),
  })
  .meta({ id: "Graph" });

export const Robots = z
  .object({
    url: z.string(),
    robotsUrl: z.string(),
    agent: z.string(),
    fetchedAt: Time,
    isStored: z.boolean(),
    kind: z.string(),
    why: z.string(),
    allowed: z.boolean(),
    rule: z.string().nullable(),
    crawlDelayMs: z.number().nullable(),
    sitemaps: z.array(z.string()),
  })
  .meta({ id: "Robots" });
