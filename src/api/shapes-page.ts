/** Pages, as the API returns them: the record of JSONL and the library, plus notes, tags and manual values. */
import { z } from "zod";
import type { Page, PageMetadata } from "../records.ts";
import { Change, Score, Time, Verdict, Via, Whole } from "./shapes.ts";

const found = <T extends z.ZodType>(value: T) =>
  z.object({ value, source: z.string(), confidence: z.number().optional() }).readonly().optional();
const Topic = z.object({ name: z.string(), source: z.string(), confidence: z.number(), parents: z.array(z.string()).readonly() });

export const Metadata = z
  .object({
    title: found(z.string()),
    description: found(z.string()),
    image: found(z.string()),
    author: found(z.array(z.string()).readonly()),
    publishedAt: found(z.string()),
    modifiedAt: found(z.string()),
    lang: found(z.string()),
    siteName: found(z.string()),
    canonical: found(z.string()),
    topics: found(z.array(Topic).readonly()),
    wordCount: found(z.number()),
    readingTime: found(z.number()),
    type: found(z.string()),
  })
  .meta({ id: "Metadata" }) satisfies z.ZodType<{ readonly [field in keyof PageMetadata]: unknown }>;

export const TopLink = z.object({ url: z.string(), score: Score, keywords: z.record(z.string(), z.number()) }).meta({ id: "TopLink" });

export const PageRow = z
  .object({
    schemaVersion: z.literal(1),
    id: Whole,
    uid: z.string(),
    siteId: Whole,
    crawlId: Whole.describe("The run that saw it last."),
    seq: Whole,
    url: z.string(),
    status: Whole,
    contentType: z.string().nullable(),
    depth: Whole,
    parentUrl: z.string().nullable(),
    discoveredVia: Via,
    fetchedAt: Time,
    durationMs: z.number(),
    bytes: Whole,
    fromCache: z.boolean(),
    rendered: z.boolean(),
    change: Change,
    previousFetchedAt: Time.nullable(),
    hash: z.object({ text: z.string(), links: z.string() }).readonly(),
    metadata: Metadata,
    verdict: Verdict.nullable(),
    noindex: z.boolean(),
    canonicalUrl: z.string().nullable(),
    duplicateOf: z.string().nullable(),
    nearDuplicateOf: z.string().nullable(),
    linkCount: Whole,
    topLinks: z
      .array(TopLink)
      .readonly()
      .optional()
      .describe("Its best links, where there are keywords; in lists only if asked for by name."),
    gone: z.boolean().describe("Whether it is no longer there."),
    note: z.string(),
    tags: z.array(z.string()).readonly(),
    muted: z.boolean(),
  })
  .meta({ id: "Page" }) satisfies z.ZodType<{ readonly [field in keyof Page]: unknown }>;

const Candidate = z.object({ source: z.string(), value: z.unknown(), rejected: z.string().optional() });

export const ShownField = z.looseObject({
  value: z.unknown(),
  source: z.string(),
  confidence: z.number().optional(),
  candidates: z.array(Candidate).readonly().optional().describe("What else was offered, best first, and why it was not taken."),
});

export const PageMetadataDocument = z
  .object({
    id: Whole,
    url: z.string(),
    isCurrent: z.boolean().describe("Whether today's extractor made it."),
    metadata: z.record(z.string(), ShownField),
  })
  .meta({ id: "PageMetadata" });

export const Version = z
  .object({
    version: Whole,
    crawlId: Whole,
    fetchedAt: Time,
    type: z.string(),
    charset: z.string(),
    wordCount: Whole,
    linkCount: Whole,
    hash: z.object({ text: z.string(), links: z.string() }),
    hasBody: z.boolean(),
    renderedBy: z.string().nullable().describe("The engine of the browser that showed it so."),
    hasScreenshot: z.boolean(),
    metadata: Metadata,
  })
  .meta({ id: "PageVersion" });

export const PageLink = z
  .object({
    position: Whole,
    url: z.string(),
    text: z.string(),
    title: z.string(),
    heading: z.string(),
    context: z.string(),
    rel: z.string(),
    kind: z.string(),
    score: Score,
    keywords: z.record(z.string(), z.number()),
  })
  .meta({ id: "PageLink" });

export const Inlink = z.object({ pageId: Whole, page: z.string(), text: z.string(), heading: z.string() }).meta({ id: "Inlink" });

export const Content = z
  .object({
    id: Whole,
    url: z.string(),
    version: Whole,
    format: z.string(),
    title: z.string().nullable(),
    text: z.string(),
    start: Whole,
    totalChars: Whole,
    nextStart: Whole.nullable(),
  })
  .meta({ id: "PageContent" });

const Mark = z.object({ version: Whole, runId: Whole, at: Time });
const DiffLink = z.object({ url: z.string(), text: z.string() });

export const PageDiffShape = z
  .looseObject({
    url: z.string(),
    title: z.string().nullable(),
    from: Mark,
    to: Mark,
    text: z.array(
      z.looseObject({
        before: z.string().nullable(),
        after: z.string().nullable(),
        removed: z.array(z.string()),
        added: z.array(z.string()),
      }),
    ),
    linksAdded: z.array(DiffLink),
    linksRemoved: z.array(DiffLink),
    fields: z.array(z.object({ field: z.string(), before: z.string().nullable(), now: z.string().nullable() })),
    words: Whole,
    masked: Whole.describe("Places that differ and are left out, because they differ by themselves."),
    hasText: z.boolean(),
  })
  .meta({ id: "PageDiff" });
