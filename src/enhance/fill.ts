import type { Reader } from "../crawl/index.ts";
import type { PageWords, ReadMetadata } from "../records.ts";
import type { FilledPage, PageToFill, Store } from "../store/index.ts";
import { merge } from "./merge.ts";

/** What became of one page. */
export interface EnhancedPage {
  /** Null where no such page is stored. */
  readonly id: number | null;
  readonly url: string;
  readonly status: "enhanced" | "unchanged" | "failed";
  /** Fields that had no value before. */
  readonly fieldsAdded: readonly string[];
  /** Why it failed. */
  readonly reason?: string;
}

export interface FillTools {
  readonly store: Store;
  /** Reads metadata too. */
  readonly reader: Reader;
  readonly clock: { wall(): number };
}

/** The metadata of a page, or why there is none. */
export type ReadAgain = { readonly metadata: ReadMetadata; readonly words?: PageWords | undefined } | { readonly reason: string };

/** As its body says that is stored. Nothing is asked of the web. */
export async function readStored({ url, bodyHash, contentType }: PageToFill, tools: FillTools): Promise<ReadAgain> {
  const bytes = bodyHash === undefined ? undefined : await tools.store.body(bodyHash);
  if (!bytes) return { reason: "its body is not stored" };
  return readAgain({ url, contentType, bytes: Uint8Array.from(bytes) }, tools);
}

export async function readAgain(
  body: { url: string; contentType: string | undefined; bytes: Uint8Array },
  { reader, clock }: FillTools,
): Promise<ReadAgain> {
  const result = await reader.read({ ...body, robotsTags: [], as: "page", now: clock.wall() });
  if ("error" in result) return { reason: result.error };
  const { metadata, words, type } = result.reading;
  return metadata ? { metadata, words } : { reason: type === "html" ? "its metadata could not be read" : "it is no HTML page" };
}

/** Writes what was read of some pages together, and answers what became of each. */
export async function fill(
  pages: readonly (PageToFill & { readonly read: ReadAgain })[],
  { store, clock }: FillTools,
  force: boolean,
): Promise<EnhancedPage[]> {
  const filled: FilledPage[] = [];
  const results = pages.map((page): EnhancedPage => {
    const { pageId, versionId, url, read } = page;
    if ("reason" in read) return { id: pageId, url, status: "failed", fieldsAdded: [], reason: read.reason };
    // Without an extractor's values all that is known is what the crawl saw in passing; and who marks a page wants its metadata made anew.
    const isAnew = page.isReset || page.extractor === undefined;
    const { metadata, fieldsAdded, isChanged } = merge(page, read.metadata, force ? "overwrite" : isAnew ? "replace" : "keep");
    // What was asked for again may say other words than the body that is stored.
    filled.push({ pageId, versionId, metadata, read: read.metadata, words: force ? undefined : read.words });
    return { id: pageId, url, status: isChanged ? "enhanced" : "unchanged", fieldsAdded };
  });
  if (filled.length > 0) await store.metadata.fill(filled, clock.wall());
  return results;
}
