import type { PageMetadata, PageVerdict, PageWords, ReadMetadata } from "../records.ts";

/** Which stored pages are to be looked at for their metadata. */
export interface PagesToFill {
  readonly siteIds?: readonly number[] | undefined;
  readonly pageIds?: readonly number[] | undefined;
  /** Only pages without metadata, with that of an earlier version than this, or marked to be done again. */
  readonly before?: number | undefined;
  /** Only pages whose body is stored. */
  readonly hasBody: boolean;
  /** Those whose metadata is the oldest, one part of them alone, instead of all in the order of their numbers. */
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
  /** Somebody wants it to be done again. */
  readonly isReset: boolean;
}

/** The metadata of a version as it is from now on. */
export interface FilledPage {
  readonly pageId: number;
  readonly versionId: number;
  readonly metadata: PageMetadata;
  /** Undefined where its body was not read again. */
  readonly read?: ReadMetadata | undefined;
  readonly words?: PageWords | undefined;
}

/** Who made the metadata of a page, what lost, and how its main text begins. */
export interface StoredEvidence {
  readonly extractor: number;
  /** Undefined where it is to be made again. */
  readonly scrapedAt: number | undefined;
  readonly verdict: PageVerdict;
  readonly preview: string;
  readonly evidence: Uint8Array;
}

/** What pages say about themselves, besides the values: part of every store. */
export interface MetadataShelf {
  /** Some of them, in the order of their numbers. */
  toFill(which: PagesToFill, range: { readonly after: number; readonly limit: number }): Promise<readonly PageToFill[]>;
  countToFill(which: PagesToFill): Promise<number>;
  /** All or nothing. Of a page that has another version by now nothing is written. */
  fill(pages: readonly FilledPage[], at: number): Promise<void>;
  /** Answers how many pages will be done again. */
  reset(which: { readonly siteId?: number | undefined; readonly pageIds?: readonly number[] | undefined }): Promise<number>;
  evidence(pageId: number): Promise<StoredEvidence | undefined>;
  /** How many pages are something else than what was asked for, by what they are. */
  verdicts(of: { readonly siteId?: number | undefined; readonly runId?: number | undefined }): Promise<Readonly<Record<string, number>>>;
  /** The hashes of the blocks of pages of a site, the pages met last first. */
  blocks(siteId: number, limit: number): AsyncIterable<{ readonly url: string; readonly blocks: Uint32Array }>;
  /** What repeats on the pages of a site, sorted. */
  boilerplate(siteId: number): Promise<Uint32Array | undefined>;
  /** What was written down with the metadata of pages of a site, the pages met last first. */
  evidences(siteId: number, limit: number): AsyncIterable<{ readonly url: string; readonly evidence: Uint8Array }>;
  /** How far sources are trusted on the hosts of sites, by `field:source`. */
  sourceMemories(
    siteIds: readonly number[],
  ): Promise<readonly { readonly siteUrl: string; readonly sources: ReadonlyMap<string, number> }[]>;
  saveSourceMemory(siteId: number, sources: ReadonlyMap<string, number>, at: number): Promise<void>;
  saveBoilerplate(siteId: number, blocks: Uint32Array, at: number): Promise<void>;
}
