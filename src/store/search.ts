import type { Page, PageWords } from "../records.ts";
import type { Query } from "../search/index.ts";

export const searchSorts = ["relevance", "date"] as const;

export interface SearchRequest {
  readonly query: Query;
  readonly siteId?: number | undefined;
  /** Only pages whose version was first seen in this time. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** As pages say it, or without its region: `en` is `en-GB` too. */
  readonly lang?: string | undefined;
  readonly topic?: string | undefined;
  /** Also copies, pages that turned out to be something else, and those that ask not to be indexed. */
  readonly isForAll?: boolean | undefined;
  /** The best or newest first; with a dash in front the other way round. */
  readonly sort?: string | undefined;
  readonly limit: number;
}

export interface FoundPage {
  readonly page: Page;
  /** The greater the better; of no meaning beyond this query. */
  readonly score: number;
  readonly firstSeenAt: number;
}

export interface PageToIndex {
  readonly pageId: number;
  readonly versionId: number;
  readonly url: string;
  readonly contentType: string | undefined;
  /** Undefined where it is not stored any more. */
  readonly bodyHash: string | undefined;
}

/** What a version of a page is to be found by. */
export interface IndexedPage {
  readonly pageId: number;
  readonly versionId: number;
  /** Undefined where it has none: it is not looked at again. */
  readonly words: PageWords | undefined;
}

/** Pages by their words: part of every store. */
export interface SearchShelf {
  find(request: SearchRequest): Promise<{ readonly pages: readonly FoundPage[]; readonly total: number }>;
  /** Stored pages that cannot be found yet, though their body is stored, in the order of their numbers. */
  toIndex(
    siteIds: readonly number[] | undefined,
    range: { readonly after: number; readonly limit: number },
  ): Promise<readonly PageToIndex[]>;
  countToIndex(siteIds: readonly number[] | undefined): Promise<number>;
  /** It is to be made ready again, because somebody said something of it. */
  forget(pageId: number): Promise<void>;
  /** All or nothing. What people say of a page is found too. Of a page that has another version by now nothing is written. */
  index(pages: readonly IndexedPage[]): Promise<void>;
}
