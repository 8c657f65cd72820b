import { EXTRACTOR_VERSION, recordFrom } from "../../analysis/extract/index.ts";
import type { Metadata, Page } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import { unpackText } from "../../engine/crawl/index.ts";

/** Stored metadata of a page with its losing candidates; the text is only its stored beginning. */
export interface StoredMetadata {
  readonly metadata: Metadata;
  /** Made by the current extractor, and not marked to be made again. */
  readonly isCurrent: boolean;
}

export async function storedMetadata({ store }: App, page: Pick<Page, "id" | "metadata">): Promise<StoredMetadata | undefined> {
  const stored = await store.metadata.evidence(page.id);
  if (!stored) return undefined;
  const record = recordFrom(unpackText(stored.evidence), stored.preview);
  const isCurrent = stored.extractor === EXTRACTOR_VERSION && stored.scrapedAt !== undefined;
  return { metadata: { ...record, ...storedValues(record, page) }, isCurrent };
}

/** Values stored with the page win over the evidence, because filling in other fields does not replace them. */
function storedValues(record: Metadata, { metadata }: Pick<Page, "metadata">): Partial<Metadata> {
  const { wordCount: _, readingTime: __, type: ___, ...fields } = metadata;
  const held = Object.entries(fields).map(([name, { value, source, confidence = 1 }]) => {
    const candidates = record[name as keyof typeof fields]?.candidates ?? [];
    return [name, { value, source, confidence, candidates }] as const;
  });
  return Object.fromEntries(held) as Partial<Metadata>;
}
