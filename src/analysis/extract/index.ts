/**
 * What a page says about itself: title, description, image, author, dates, language, site name, canonical address,
 * topics and main text, each with its source, confidence and rejected candidates. It works on one tree of the page, so a
 * crawl gets metadata from the parse it makes anyway. Each field collects candidates with signs and weighs them
 * (`weigh.ts`); the weights are data, learned by a script. No clock, no network, no disk.
 */
import type { Metadata } from "../../core/records.ts";
import { type ExtractOptions, metadataOf } from "./metadata.ts";
import { viewPage } from "./page-view.ts";

export type { Metadata } from "../../core/records.ts";
export { EXTRACTOR_VERSION } from "../../core/version.ts";
export { blockHashes, repeatedBlocks, withoutRepeated } from "./boilerplate.ts";
export { imageSize } from "./image/image.ts";
export { extractionLine } from "./log-line.ts";
export { type MainText, mainTextOf } from "./main-text.ts";
export { type Extracted, type ExtractOptions, metadataOf } from "./metadata.ts";
export type { MetadataOptions } from "./options.ts";
export { type PageView, viewTree } from "./page-view.ts";
export { learnSources, type SourceMemory } from "./source-memory.ts";
export { evidenceOf, fieldNames, PREVIEW, recordFrom, valuesOf } from "./stored-metadata.ts";
export { verdictOf } from "./verdict.ts";

/** The most used fields; a field is missing if nothing is known. */
export interface PlainMetadata {
  readonly title?: string;
  readonly description?: string;
  readonly image?: string;
  readonly author?: readonly string[];
  readonly publishedAt?: string;
  readonly modifiedAt?: string;
  readonly lang?: string;
  readonly siteName?: string;
  readonly canonical?: string;
  readonly text?: string;
  readonly topics?: readonly string[];
}

export function extract(html: string, url: string, options?: ExtractOptions): PlainMetadata {
  return plainOf(extractWithSources(html, url, options));
}

export function extractWithSources(html: string, url: string, options?: ExtractOptions): Metadata {
  return metadataOf(viewPage(html, { url, now: Date.now() }), options).metadata;
}

export function plainOf(metadata: Metadata): PlainMetadata {
  const { title, description, image, author, publishedAt, modifiedAt, lang, siteName, canonical, text, topics } = metadata;
  const fields = { title, description, image, author, publishedAt, modifiedAt, lang, siteName, canonical, text };
  const found = Object.entries(fields).flatMap(([name, { value }]) => (value === null ? [] : [[name, value] as const]));
  return { ...Object.fromEntries(found), ...(topics.value && { topics: topics.value.map(({ name }) => name) }) };
}
