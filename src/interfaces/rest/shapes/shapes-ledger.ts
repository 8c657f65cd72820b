/** Decisions and changes, as the API returns them. */
import { z } from "zod";
import { Change, Score, StopReason, Time, Url, Verdict, Via, WholeNumber } from "./shapes.ts";
import { PageDiffShape } from "./shapes-page.ts";

export const DecisionVerdict = z.enum(["queued", "fetched", "not-modified", "deferred", "skipped", "failed"]);

export const DecisionRow = z
  .object({
    id: WholeNumber,
    crawlId: WholeNumber,
    url: Url,
    host: z.string(),
    kind: z.string(),
    verdict: DecisionVerdict,
    reason: z.string(),
    sentence: z.string().describe("What the reason means."),
    rule: z.string(),
    depth: WholeNumber,
    via: Via,
    parentUrl: z.string().nullable(),
    mentions: WholeNumber,
    attempts: WholeNumber.describe("Tries that failed in a way that another may heal; 0 where the first answer was final."),
    status: WholeNumber.nullable(),
    priority: z.number(),
    pageId: WholeNumber.nullable(),
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
    crawlId: WholeNumber.nullable(),
    chain: z.array(z.string()).readonly().describe("How it was found: from the seed or sitemap down to it."),
    decision: DecisionRow.pick({ id: true, verdict: true, reason: true, status: true, depth: true, via: true, attempts: true, at: true })
      .meta({ id: "ExplainedDecision" })
      .nullable(),
  })
  .meta({ id: "Explanation" });

export const DecisionGroupRow = z.looseObject({ count: WholeNumber, example: z.string() }).meta({ id: "DecisionGroup" });

export const ChangeRow = z
  .object({
    crawlId: WholeNumber,
    siteId: WholeNumber,
    pageId: WholeNumber,
    url: z.string(),
    change: Change,
    title: z.string().nullable(),
    at: Time,
    fromVersion: WholeNumber.nullable(),
    toVersion: WholeNumber.nullable(),
    detail: z.string(),
    verdict: Verdict.nullable(),
    score: Score.describe("What links to it are worth."),
  })
  .meta({ id: "Change" });

const RunReference = z.object({ id: WholeNumber, uid: z.string(), at: Time });

/** The comparison of two runs, as in `nuthatch changes --json`. */
export const ChangeFeedShape = z
  .looseObject({
    from: RunReference.nullable(),
    to: RunReference,
    isComplete: z.boolean(),
    stopReason: StopReason,
    counts: z.record(z.string(), WholeNumber),
    firstCrawls: z
      .array(z.object({ siteId: WholeNumber, url: z.string(), run: RunReference, pages: WholeNumber }))
      .describe("Sites that were first crawled in this range. They are compared with that crawl, and its pages are not listed as new."),
    leftOut: WholeNumber.describe("Walls, errors and shells instead of pages."),
    onlyNoise: WholeNumber.describe("Pages that a run counted as changed, and that differ only in what changes by itself or is ignored."),
    pages: z.array(
      z.looseObject({
        pageId: WholeNumber,
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
        runId: WholeNumber,
        detail: z.string(),
        score: z.number(),
        words: WholeNumber,
        diff: PageDiffShape.omit({ url: true, title: true })
          .meta({ id: "ChangeDiff" })
          .nullable()
          .describe("Between the two versions, where there are two."),
      }),
    ),
    links: z.object({ new: z.array(z.looseObject({ url: z.string() })), gone: z.array(z.looseObject({ url: z.string() })) }),
  })
  .meta({ id: "ChangeFeed" });
