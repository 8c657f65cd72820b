/** Sites, as the API returns them. */
import { z } from "zod";
import { CounterShape, Counts, Keyword, RunStatus, Score, StopReason, Time, WholeNumber } from "./shapes.ts";

export const LastCrawl = z
  .object({
    id: WholeNumber,
    status: RunStatus,
    stopReason: StopReason,
    startedAt: Time,
    endedAt: Time.nullable(),
    changes: Counts,
    counters: CounterShape.describe("Of the whole run, all its sites together."),
  })
  .meta({ id: "LastCrawl" });

export const Health = z.object({
  errors: WholeNumber.describe("URLs that failed for good: not found, refused by the server, or without an answer."),
  failed: WholeNumber.describe("Of those: no answer, a server error, or an answer that cannot be read."),
  refused: WholeNumber.describe("Of those: the server said no (401, 403, 429)."),
  skipped: WholeNumber.describe("What we left out ourselves: by type, scope, robots.txt, depth …"),
  errorRate: z.number().describe("Errors, of errors and pages."),
});

export const Site = z
  .object({
    id: WholeNumber,
    uid: z.string(),
    url: z.string(),
    name: z.string(),
    tags: z.array(z.string()).readonly(),
    config: z.record(z.string(), z.unknown()).describe("Options of its crawls, as they were written."),
    keywords: z.array(Keyword).readonly(),
    createdAt: Time,
    changedAt: Time.describe("When somebody last said something else of it."),
    counts: z.object({
      pages: WholeNumber.describe("Stored pages that are there, as far as we know."),
      gone: WholeNumber.describe("Stored pages that are there no longer: they answer 404 or 410, or redirect elsewhere."),
      crawls: WholeNumber,
    }),
    lastCrawl: LastCrawl.nullable(),
    newLinks: WholeNumber.describe("Links worth 0.8 or more that the last run was the first to find."),
    health: Health.nullable().describe("Of the last run, on this site; null if it visited several and its ledger was removed."),
  })
  .meta({ id: "Site" });

export const HistoryRow = z
  .object({
    crawlId: WholeNumber,
    status: RunStatus,
    stopReason: StopReason,
    startedAt: Time,
    endedAt: Time.nullable(),
    durationMs: WholeNumber.nullable(),
    pages: WholeNumber.nullable().describe("On this site; null if the run visited several and its ledger was removed. So are the errors."),
    bytes: WholeNumber.nullable().describe("null if the run visited several sites: they are counted together."),
    errors: WholeNumber.nullable(),
    failed: WholeNumber.nullable(),
    changes: Counts,
    newLinks: WholeNumber,
  })
  .meta({ id: "SiteCrawl" });

export const KeywordRow = z
  .object({ word: z.string(), weight: z.number(), links: WholeNumber.describe("How many links it applies to.") })
  .meta({ id: "KeywordCount" });

export const Branch = z
  .object({
    prefix: z.string(),
    pages: WholeNumber,
    hasMore: z.boolean().describe("Whether something lies deeper."),
    status: Counts.describe("By class: 2xx, 3xx…"),
    changed: WholeNumber.describe("What the last crawl of the site found changed."),
    gone: WholeNumber.describe("There no longer; not among the pages."),
    high: WholeNumber.describe("Pages that links worth 0.8 or more lead to."),
    pageId: WholeNumber.nullable().describe("Where it is a single page."),
  })
  .meta({ id: "Folder" });

export const Graph = z
  .object({
    nodes: z.array(
      z.object({
        id: WholeNumber,
        url: z.string(),
        title: z.string().nullable(),
        depth: WholeNumber,
        status: WholeNumber,
        change: z.string(),
        score: Score.describe("What links to it are worth."),
        inlinks: WholeNumber.describe("How many of these pages link to it."),
      }),
    ),
    edges: z.array(z.object({ from: WholeNumber, to: WholeNumber })),
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
