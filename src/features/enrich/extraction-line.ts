import { extractionLine } from "../../analysis/extract/index.ts";
import type { Found, MetaField, Page, PageMetadata } from "../../core/records.ts";

/** The sources of a page's values, for a log; undefined if its metadata was not extracted just now. */
export function extractionLineOf({ url, metadata, change, verdict }: Page): string | undefined {
  return verdict === null || (change !== "new" && change !== "changed") ? undefined : storedLine(url, metadata);
}

/** The same for stored metadata. */
export function storedLine(url: string, { title, description, image, author, publishedAt, topics, wordCount }: PageMetadata): string {
  return extractionLine(url, {
    title: asField(title),
    description: asField(description),
    image: asField(image),
    author: asField(author),
    publishedAt: asField(publishedAt),
    text: asField(wordCount && { value: "", source: wordCount.source }),
    topics: asField(topics),
  });
}

const asField = <T>(found: Found<T> | undefined): MetaField<T> => ({
  value: found?.value ?? null,
  source: found?.source ?? "",
  confidence: found?.confidence ?? 0,
  candidates: [],
});
