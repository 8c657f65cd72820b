/** Pages, as the API returns them: the record of JSONL and the library, plus notes, tags and manual values. */
import { z } from "zod";
import type { Page, PageMetadata } from "../../../core/records.ts";
import { Change, Score, Time, Verdict, Via, WholeNumber } from "./shapes.ts";

const metadataField = <T extends z.ZodType>(value: T) =>
  z.object({ value, source: z.string(), confidence: z.number().optional() }).readonly().optional();
const Topic = z.object({ name: z.string(), source: z.string(), confidence: z.number(), parents: z.array(z.string()).readonly() });

export const Metadata = z
  .object({
    title: metadataField(z.string()),
    description: metadataField(z.string()),
    image: metadataField(z.string()),
    author: metadataField(z.array(z.string()).readonly()),
    publishedAt: metadataField(z.string()),
    modifiedAt: metadataField(z.string()),
    lang: metadataField(z.string()),
    siteName: metadataField(z.string()),
    canonical: metadataField(z.string()),
    topics: metadataField(z.array(Topic).readonly()),
    wordCount: metadataField(z.number()),
    readingTime: metadataField(z.number()),
    type: metadataField(z.string()),
  })
  .meta({ id: "Metadata" }) satisfies z.ZodType<{ readonly [field in keyof PageMetadata]: unknown }>;

export const TopLink = z.object({ url: z.string(), score: Score, keywords: z.record(z.string(), z.number()) }).meta({ id: "TopLink" });

export const PageRow = z
  .object({
    schemaVersion: z.literal(1),
    id: WholeNumber,
    uid: z.string(),
    siteId: WholeNumber,
    crawlId: WholeNumber.describe("The run that saw it last."),
    seq: WholeNumber,
    url: z.string(),
    status: WholeNumber,
    contentType: z.string().nullable(),
    depth: WholeNumber,
    parentUrl: z.string().nullable(),
    discoveredVia: Via,
    fetchedAt: Time,
    durationMs: z.number(),
    bytes: WholeNumber,
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
    linkCount: WholeNumber,
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
    id: WholeNumber,
    url: z.string(),
    isCurrent: z.boolean().describe("Whether today's extractor made it."),
    metadata: z.record(z.string(), ShownField),
  })
  .meta({ id: "PageMetadata" });

export const Version = z
  .object({
    version: WholeNumber,
    crawlId: WholeNumber,
    fetchedAt: Time,
    type: z.string(),
    charset: z.string(),
    wordCount: WholeNumber,
    linkCount: WholeNumber,
    hash: z.object({ text: z.string(), links: z.string() }),
    hasBody: z.boolean(),
    renderedBy: z.string().nullable().describe("The engine of the browser that showed it so."),
    hasScreenshot: z.boolean(),
    metadata: Metadata,
  })
  .meta({ id: "PageVersion" });

export const PageLink = z
  .object({
    position: WholeNumber,
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

export const Inlink = z.object({ pageId: WholeNumber, page: z.string(), text: z.string(), heading: z.string() }).meta({ id: "Inlink" });

export const Content = z
  .object({
    id: WholeNumber,
    url: z.string(),
    version: WholeNumber,
    format: z.string(),
    title: z.string().nullable(),
    text: z.string(),
    start: WholeNumber,
    totalChars: WholeNumber,
    nextStart: WholeNumber.nullable(),
  })
  .meta({ id: "PageContent" });

const VersionReference = z.object({ version: WholeNumber, runId: WholeNumber, at: Time });
const DiffLink = z.object({ url: z.string(), text: z.string() });

export const PageDiffShape = z
  .looseObject({
    url: z.string(),
    title: z.string().nullable(),
    from: VersionReference,
    to: VersionReference,
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
    words: WholeNumber,
    masked: WholeNumber.describe("Places that differ and are left out, because they differ by themselves."),
    hasText: z.boolean(),
  })
  .meta({ id: "PageDiff" });
