/** Decisions and changes, as the API returns them. */
import { z } from "zod";
import { Change, Score, StopReason, Time, Url, Verdict, Via, Whole } from "./shapes.ts";
import { PageDiffShape } from "./shapes-page.ts";

export const DecisionVerdict = z.enum(["queued", "fetched", "not-modified", "deferred", "skipped", "failed"]);

export const DecisionRow = z
  .object({
    id: Whole,
    crawlId: Whole,
    url: Url,
    host: z.string(),
    kind: z.string(),
    verdict: DecisionVerdict,
    reason: z.string(),
    sentence: z.string().describe("What the reason means."),
    rule: z.string(),
    depth: Whole,
    via: Via,
    parentUrl: z.string().nullable(),
    mentions: Whole,
    attempts: Whole.describe("Tries that failed in a way that another may heal; 0 where the first answer was final."),
    status: Whole.nullable(),
    priority: z.number(),
    pageId: Whole.nullable(),
    at: Time,
  })
  .meta({ id: "Decision" });

/** Why a URL was crawled or not. */
export const ExplanationShape = z
  .object({
    url: Url,
    sentence: z.string().describe("What happened, and why."),
    verdict: z.string().describe("As of a decision; unheard where no run has heard of it, unknown where what was decided is not kept."),
    reason: z.string(),
    rule: z.string(),
    crawlId: Whole.nullable(),
    chain: z.array(z.string()).readonly().describe("How it was found: from the seed or sitemap down to it."),
    decision: DecisionRow.pick({ id: true, verdict: true, reason: true, status: true, depth: true, via: true, attempts: true, at: true })
      .meta({ id: "ExplainedDecision" })
      .nullable(),
  })
  .meta({ id: "Explanation" });

export const DecisionGroupRow = z.looseObject({ count: Whole, example: z.string() }).meta({ id: "DecisionGroup" });

export const ChangeRow = z
  .object({
    crawlId: Whole,
    siteId: Whole,
    pageId: Whole,
    url: z.string(),
    change: Change,
    title: z.string().nullable(),
    at: Time,
    fromVersion: Whole.nullable(),
    toVersion: Whole.nullable(),
    detail: z.string(),
    verdict: Verdict.nullable(),
    score: Score.describe("What links to it are worth."),
  })
  .meta({ id: "Change" });

const RunMark = z.object({ id: Whole, uid: z.string(), at: Time });

/** The comparison of two runs, as in `nuthatch changes --json`. */
export const ChangeFeedShape = z
  .looseObject({
    from: RunMark.nullable(),
    to: RunMark,
    isComplete: z.boolean(),
    stopReason: StopReason,
    counts: z.record(z.string(), Whole),
    firstCrawls: z
      .array(z.object({ siteId: Whole, url: z.string(), run: RunMark, pages: Whole }))
      .describe("Sites that were first crawled in this range. They are compared with that crawl, and its pages are not listed as new."),
    leftOut: Whole.describe("Walls, errors and shells instead of pages."),
    onlyNoise: Whole.describe("Pages that a run counted as changed, and that differ only in what changes by itself or is ignored."),
    pages: z.array(
      z.looseObject({
        pageId: Whole,
        url: z.string(),
        change: Change,
        kind: z.enum(["content", "head"]).nullable().describe("head: nothing but its title, its description and the like has changed."),
        alsoOn: z
          .array(z.string())
          .describe(
            "Pages on which the same has changed, and nothing else, and other addresses of the same page. They are not listed by themselves.",
          ),
        title: z.string().nullable(),
        at: Time,
        runId: Whole,
        detail: z.string(),
        score: z.number(),
        words: Whole,
        diff: PageDiffShape.omit({ url: true, title: true })
          .meta({ id: "ChangeDiff" })
          .nullable()
          .describe("Between the two versions, where there are two."),
      }),
    ),
    links: z.object({ new: z.array(z.looseObject({ url: z.string() })), gone: z.array(z.looseObject({ url: z.string() })) }),
  })
  .meta({ id: "ChangeFeed" });
