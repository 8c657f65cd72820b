import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";

export interface EnhanceRequest {
  readonly config: Config;
  /** Only these stored pages. */
  readonly pageIds?: readonly number[] | undefined;
  /** Only the stored pages of these addresses; one that is not stored is answered as failed. */
  readonly urls?: readonly string[] | undefined;
  /** Only pages of this site, by its number, URL or a part of it. */
  readonly site?: string | undefined;
  /** Only pages without metadata, with an older extractor's, or marked to be done again. The default, unless `force` is said. */
  readonly missing?: boolean | undefined;
  /** At most this many pages. */
  readonly limit?: number | undefined;
  /** Pages written together: 1 to 100. */
  readonly batchSize?: number | undefined;
  /** Ask for the pages again instead of reading their stored bodies, and overwrite what is known. */
  readonly force?: boolean | undefined;
  /** Milliseconds between two requests, on top of the pace of their hosts. */
  readonly delay?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of each page once it is written, and of how many there will be. */
  readonly onPage?: ((page: EnhancedPage, total: number) => void) | undefined;
}

export interface EnhancedPage {
  readonly id: number | null;
  readonly url: string;
  readonly status: "enhanced" | "unchanged" | "failed";
  /** Fields that had no value before. */
  readonly fieldsAdded: readonly string[];
  /** Why it failed. */
  readonly reason?: string;
}

export interface Enhancement {
  readonly processed: number;
  readonly enhanced: number;
  readonly results: readonly EnhancedPage[];
}

/** Fills in the metadata of stored pages, in batches that are each written together. What is known is never overwritten unless forced. */
export declare function enhance(app: App, request: EnhanceRequest): Promise<Enhancement>;

/** Marks stored pages so that their metadata is made again; answers how many. */
export declare function resetMetadata(app: App, which: Pick<EnhanceRequest, "pageIds" | "urls" | "site">): Promise<number>;
