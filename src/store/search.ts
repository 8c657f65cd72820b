import type { Query } from "../analysis/search/index.ts";
import type { Page, PageWords } from "../core/records.ts";

export const searchSorts = ["relevance", "date"] as const;

export interface SearchRequest {
  readonly query: Query;
  readonly siteId?: number | undefined;
  /** Only pages whose version was first seen in this period. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** The page's language, or without its region: `en` also matches `en-GB`. */
  readonly lang?: string | undefined;
  readonly topic?: string | undefined;
  /** Also duplicates, pages with a bad verdict, and pages with noindex. */
  readonly isForAll?: boolean | undefined;
  /** Best or newest first; with a leading dash in reverse. */
  readonly sort?: string | undefined;
  readonly limit: number;
}

export interface FoundPage {
  readonly page: Page;
  /** Higher is better; comparable only within this query. */
  readonly score: number;
  readonly firstSeenAt: number;
}

export interface PageToIndex {
  readonly pageId: number;
  readonly versionId: number;
  readonly url: string;
  readonly contentType: string | undefined;
  /** Undefined if it is no longer stored. */
  readonly bodyHash: string | undefined;
}

/** The words of a page version, for the index. */
export interface IndexedPage {
  readonly pageId: number;
  readonly versionId: number;
  /** Undefined if it has none, so that it is not read again. */
  readonly words: PageWords | undefined;
}

/** Full-text search of pages: part of every store. */
export interface SearchStore {
  find(request: SearchRequest): Promise<{ readonly pages: readonly FoundPage[]; readonly total: number }>;
  /** Stored pages that are not indexed yet although their body is stored, by id. */
  pagesToIndex(
    siteIds: readonly number[] | undefined,
    range: { readonly after: number; readonly limit: number },
  ): Promise<readonly PageToIndex[]>;
  countPagesToIndex(siteIds: readonly number[] | undefined): Promise<number>;
  /** Marks it to be indexed again, because a user entered something for it. */
  forget(pageId: number): Promise<void>;
  /** All or nothing. Also indexes user entries for the pages. Skips pages that have another version by now. */
  index(pages: readonly IndexedPage[]): Promise<void>;
}
