/** Links, as the API returns them. */
import { z } from "zod";
import { Score, WholeNumber } from "./shapes.ts";

export const LinkSourceRow = z
  .object({
    pageId: WholeNumber,
    page: z.string(),
    text: z.string(),
    title: z.string(),
    heading: z.string(),
    context: z.string(),
    position: WholeNumber,
    firstCrawlId: WholeNumber,
    lastCrawlId: WholeNumber,
  })
  .meta({ id: "LinkSource" });

export const LinkRow = z
  .object({
    id: WholeNumber,
    siteId: WholeNumber,
    url: z.string(),
    score: Score,
    keywords: z.record(z.string(), z.number()).describe("How far each keyword applies, 0–1."),
    text: z.string().describe("In the words of the first page that has it."),
    type: z.string(),
    pages: WholeNumber.describe("On how many pages it stands; counted no further than 1,000."),
    new: z.boolean().describe("Whether the latest run was the first to find it."),
    firstCrawlId: WholeNumber,
    comment: z.string().nullable().describe("Why, where a model or a plugin said so."),
    pageId: WholeNumber.nullable().describe("The stored page it leads to."),
    pinned: z.boolean(),
    muted: z.boolean(),
    note: z.string(),
    scoreOverride: Score.nullable(),
    sources: z.array(LinkSourceRow).readonly().describe("The first pages that have it; all of them are at /links/{id}/sources."),
  })
  .meta({ id: "Link" });
