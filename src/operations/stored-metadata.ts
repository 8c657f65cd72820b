import type { App } from "../app.ts";
import { unpackText } from "../crawl/index.ts";
import { EXTRACTOR_VERSION, recordFrom } from "../extract/index.ts";
import type { Metadata, Page } from "../records.ts";

/** Stored metadata of a page with its losing candidates; the text is only its stored beginning. */
export interface StoredMetadata {
  readonly metadata: Metadata;
  /** Made by the current extractor, and not marked to be made again. */
  readonly isCurrent: boolean;
}

export async function storedMetadata({ store }: App, page: Pick<Page, "id" | "metadata">): Promise<StoredMetadata | undefined> {
  const kept = await store.metadata.evidence(page.id);
  if (!kept) return undefined;
  const record = recordFrom(unpackText(kept.evidence), kept.preview);
  const isCurrent = kept.extractor === EXTRACTOR_VERSION && kept.scrapedAt !== undefined;
  return { metadata: { ...record, ...keptValues(record, page) }, isCurrent };
}

/** Values stored with the page win over the evidence, because filling in other fields does not replace them. */
function keptValues(record: Metadata, { metadata }: Pick<Page, "metadata">): Partial<Metadata> {
  const { wordCount: _, readingTime: __, type: ___, ...fields } = metadata;
  const held = Object.entries(fields).map(([name, { value, source, confidence = 1 }]) => {
    const candidates = record[name as keyof typeof fields]?.candidates ?? [];
    return [name, { value, source, confidence, candidates }] as const;
  });
  return Object.fromEntries(held) as Partial<Metadata>;
}
