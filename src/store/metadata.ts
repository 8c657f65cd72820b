import type { PageMetadata, PageVerdict, PageWords, ReadMetadata } from "../core/records.ts";

/** Selects stored pages whose metadata is to be filled in. */
export interface PagesToFill {
  readonly siteIds?: readonly number[] | undefined;
  readonly pageIds?: readonly number[] | undefined;
  /** Only pages without metadata, with metadata of an extractor version before this, or marked to be extracted again. */
  readonly before?: number | undefined;
  /** Only pages whose body is stored. */
  readonly hasBody: boolean;
  /** One batch of those with the oldest metadata, instead of all by id. */
  readonly oldestFirst?: boolean | undefined;
}

export interface PageToFill {
  readonly pageId: number;
  readonly siteId: number;
  readonly versionId: number;
  readonly url: string;
  readonly contentType: string | undefined;
  readonly bodyHash: string | undefined;
  readonly metadata: PageMetadata;
  /** Version of the extractor that made it, if one did. */
  readonly extractor: number | undefined;
  /** Marked to be extracted again. */
  readonly isReset: boolean;
}

/** The new metadata of a version. */
export interface FilledPage {
  readonly pageId: number;
  readonly versionId: number;
  readonly metadata: PageMetadata;
  /** Undefined if its body was not read again. */
  readonly read?: ReadMetadata | undefined;
  readonly words?: PageWords | undefined;
}

/** The extractor of a page's metadata, the rejected candidates, and the beginning of the main text. */
export interface StoredEvidence {
  readonly extractor: number;
  /** Undefined if marked to be extracted again. */
  readonly scrapedAt: number | undefined;
  readonly verdict: PageVerdict;
  readonly preview: string;
  readonly evidence: Uint8Array;
}

/** Metadata beyond the values: part of every store. */
export interface MetadataStore {
  /** A batch, by id. */
  pagesToFill(which: PagesToFill, range: { readonly after: number; readonly limit: number }): Promise<readonly PageToFill[]>;
  countPagesToFill(which: PagesToFill): Promise<number>;
  /** All or nothing. Skips pages that have another version by now. */
  fill(pages: readonly FilledPage[], at: number): Promise<void>;
  /** Returns how many pages are marked to be extracted again. */
  reset(which: { readonly siteId?: number | undefined; readonly pageIds?: readonly number[] | undefined }): Promise<number>;
  evidence(pageId: number): Promise<StoredEvidence | undefined>;
  /** Number of pages that are not what was requested, by verdict. */
  verdicts(of: { readonly siteId?: number | undefined; readonly runId?: number | undefined }): Promise<Readonly<Record<string, number>>>;
  /** Block hashes of the pages of a site, the most recently visited first. */
  blocks(siteId: number, limit: number): AsyncIterable<{ readonly url: string; readonly blocks: Uint32Array }>;
  /** Hashes of blocks that repeat on the pages of a site, sorted. */
  boilerplate(siteId: number): Promise<Uint32Array | undefined>;
  /** The packed evidence of the pages of a site, the most recently visited first. */
  evidences(siteId: number, limit: number): AsyncIterable<{ readonly url: string; readonly evidence: Uint8Array }>;
  /** How far sources are trusted on the hosts of sites, by `field:source`. */
  sourceMemories(
    siteIds: readonly number[],
  ): Promise<readonly { readonly siteUrl: string; readonly sources: ReadonlyMap<string, number> }[]>;
  saveSourceMemory(siteId: number, sources: ReadonlyMap<string, number>, at: number): Promise<void>;
  saveBoilerplate(siteId: number, blocks: Uint32Array, at: number): Promise<void>;
}
