import type { PageWords, ReadMetadata } from "../../core/records.ts";
import type { FilledPage, PageToFill, Store } from "../../store/index.ts";
import type { Reader } from "../crawl/index.ts";
import { merge } from "./merge.ts";

/** The result for one page. */
export interface EnhancedPage {
  /** Null if the page is not stored. */
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
  /** Its setup must include metadata. */
  readonly reader: Reader;
  readonly clock: { wall(): number };
}

/** Extracted metadata, or the reason why there is none. */
export type RereadResult = { readonly metadata: ReadMetadata; readonly words?: PageWords | undefined } | { readonly reason: string };

/** Reads the stored body; makes no requests. */
export async function readStored({ url, bodyHash, contentType }: PageToFill, tools: FillTools): Promise<RereadResult> {
  const bytes = bodyHash === undefined ? undefined : await tools.store.body(bodyHash);
  if (!bytes) return { reason: "its body is not stored" };
  return rereadPage({ url, contentType, bytes: Uint8Array.from(bytes) }, tools);
}

export async function rereadPage(
  body: { url: string; contentType: string | undefined; bytes: Uint8Array },
  { reader, clock }: FillTools,
): Promise<RereadResult> {
  const result = await reader.read({ ...body, robotsTags: [], as: "page", now: clock.wall() });
  if ("error" in result) return { reason: result.error };
  const { metadata, words, type } = result.reading;
  return metadata ? { metadata, words } : { reason: type === "html" ? "its metadata could not be read" : "it is no HTML page" };
}

/** Stores the results of several pages in one transaction, and returns one report per page. */
export async function fill(
  pages: readonly (PageToFill & { readonly read: RereadResult })[],
  { store, clock }: FillTools,
  force: boolean,
): Promise<EnhancedPage[]> {
  const filled: FilledPage[] = [];
  const results = pages.map((page): EnhancedPage => {
    const { pageId, versionId, url, read } = page;
    if ("reason" in read) return { id: pageId, url, status: "failed", fieldsAdded: [], reason: read.reason };
    // Without an extractor version the values are only those of the crawl's own reader; and a marked page is to be extracted again.
    const replacesAll = page.isReset || page.extractor === undefined;
    const { metadata, fieldsAdded, isChanged } = merge(page, read.metadata, force ? "overwrite" : replacesAll ? "replace" : "keep");
    // A refetched body may differ from the stored version, so its words must not be indexed for that version.
    filled.push({ pageId, versionId, metadata, read: read.metadata, words: force ? undefined : read.words });
    return { id: pageId, url, status: isChanged ? "enhanced" : "unchanged", fieldsAdded };
  });
  if (filled.length > 0) await store.metadata.fill(filled, clock.wall());
  return results;
}
