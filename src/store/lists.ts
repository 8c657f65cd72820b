import type { Query } from "../analysis/search/index.ts";
import type { Change, Hash64, Page, PageVerdict, Via } from "../core/records.ts";
import type { Keyword } from "./links.ts";
import type { Run, Site } from "./run.ts";
import type { Decision } from "./store.ts";
import type { LinkEdits, PageEdits, SiteSettings } from "./user-data.ts";

/** A cursor: the values of the sort keys at the row where a part ended. */
export type Cursor = readonly (string | number)[];

/** The cursor does not belong to this list. */
export class CursorError extends Error {
  constructor() {
    super("this is no place in this list");
    this.name = "PlaceError";
  }
}

export interface ListRequest {
  /** One of the list's sort orders; with a leading dash in reverse. */
  readonly sort: string;
  readonly after?: Cursor | undefined;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ListPart<T> {
  readonly rows: readonly T[];
  /** The cursor of the next part; undefined at the end. */
  readonly next: Cursor | undefined;
}

/** A list of any length, read in parts: rows added or removed meanwhile do not shift the cursor. */
export interface List<Filter, T> {
  /** Sort orders that have an index. */
  readonly sorts: readonly string[];
  part(filter: Filter, window: ListRequest): Promise<ListPart<T>>;
  /** True if all rows are in memory, so that counting costs nothing. */
  readonly isHeld?: boolean;
  /** Reads every row. */
  count(filter: Filter, signal?: AbortSignal): Promise<number>;
}

export interface SiteListFilter {
  readonly key?: string | undefined;
  /** A part of its URL or name. */
  readonly contains?: string | undefined;
  readonly tag?: string | undefined;
}

export interface ListedSite extends Site, SiteSettings {
  readonly createdAt: number;
  /** Stored pages that are not gone. */
  readonly pages: number;
  /** Stored pages that are gone: they answer 404 or 410, or redirect elsewhere. */
  readonly gone: number;
  readonly runs: number;
  readonly lastRunId: number | undefined;
}

export interface PageListFilter {
  readonly siteId?: number | undefined;
  /** The run that visited it last. */
  readonly runId?: number | undefined;
  readonly hashes?: readonly Hash64[] | undefined;
  readonly contains?: string | undefined;
  /** A full-text query; finds only indexed pages. */
  readonly query?: Query | undefined;
  readonly host?: string | undefined;
  /** The beginning of its path. */
  readonly path?: string | undefined;
  /** A status such as 404, or 4 for all 4xx. */
  readonly status?: readonly number[] | undefined;
  /** A part of its content type. */
  readonly type?: string | undefined;
  readonly change?: readonly string[] | undefined;
  readonly depth?: number | undefined;
  readonly lang?: string | undefined;
  readonly topic?: string | undefined;
  /** ISO 8601. */
  readonly publishedAfter?: string | undefined;
  readonly missing?: readonly string[] | undefined;
  readonly verdict?: readonly PageVerdict[] | undefined;
  readonly tag?: string | undefined;
  readonly isMuted?: boolean | undefined;
  /** Only gone pages, or only others. */
  readonly isGone?: boolean | undefined;
}

export interface ListedPage extends Page, PageEdits {
  /** Whether the page is gone. */
  readonly isGone: boolean;
}

export interface LinkListFilter {
  readonly siteId?: number | undefined;
  readonly pageId?: number | undefined;
  readonly hashes?: readonly Hash64[] | undefined;
  /** All of them apply, or at least one if `isAny`. */
  readonly words?: readonly string[] | undefined;
  readonly isAny?: boolean | undefined;
  readonly minScore?: number | undefined;
  /** First found by this run. */
  readonly firstRunId?: number | undefined;
  /** First found by the latest run of its site. */
  readonly isNew?: boolean | undefined;
  readonly types?: readonly string[] | undefined;
  readonly isMuted?: boolean | undefined;
  readonly isPinned?: boolean | undefined;
}

export interface ListedLink extends LinkEdits {
  readonly id: number;
  readonly siteId: number;
  readonly url: string;
  readonly score: number;
  /** How far each keyword applies, 0–1, and its weight. */
  readonly keywords: readonly { readonly word: string; readonly match: number; readonly weight: number }[];
  readonly text: string;
  readonly type: string;
  /** Number of pages of the site that have it, counted up to 1,000. */
  readonly pages: number;
  readonly isNew: boolean;
  readonly firstRunId: number;
  readonly comment: string | undefined;
  /** The stored page it points to. */
  readonly pageId: number | undefined;
  /** The first pages of the site that have it. */
  readonly sources: readonly ListedSource[];
}

/** A page that has a link. */
export interface ListedSource {
  readonly pageId: number;
  readonly page: string;
  readonly text: string;
  readonly title: string;
  readonly heading: string;
  readonly context: string;
  readonly position: number;
  readonly firstRunId: number;
  readonly lastRunId: number;
}

export interface DecisionListFilter {
  readonly runId: number;
  readonly hashes?: readonly Hash64[] | undefined;
  readonly verdict?: readonly string[] | undefined;
  /** `robots` matches all reasons that begin with it. */
  readonly reason?: readonly string[] | undefined;
  readonly rule?: string | undefined;
  readonly host?: string | undefined;
  readonly path?: string | undefined;
  readonly contains?: string | undefined;
  readonly depth?: number | undefined;
  readonly kind?: string | undefined;
}

export interface ListedDecision extends Decision {
  readonly host: string;
  readonly pageId: number | undefined;
}

export const decisionGroups = ["verdict", "reason", "rule", "host", "path", "depth", "status"] as const;
export type DecisionGroup = (typeof decisionGroups)[number];

export interface GroupedDecisions {
  readonly group: Readonly<Record<string, string | number | null>>;
  readonly count: number;
  readonly example: string;
}

export interface ChangeListFilter {
  readonly siteId?: number | undefined;
  /** Changes of the runs after `after`, up to `until`. */
  readonly after: number;
  readonly until: number;
  readonly change?: readonly string[] | undefined;
  readonly minScore?: number | undefined;
  /** Also pages that are walls, errors or shells. */
  readonly isAnyVerdict?: boolean | undefined;
  readonly isMuted?: boolean | undefined;
}

export interface ListedChange {
  readonly runId: number;
  readonly pageId: number;
  readonly siteId: number;
  readonly url: string;
  readonly change: Change;
  readonly title: string | undefined;
  readonly at: number;
  /** Version numbers. */
  readonly fromVersion: number | undefined;
  readonly toVersion: number | undefined;
  readonly detail: string;
  readonly verdict: PageVerdict | undefined;
  /** The score of the links to it. */
  readonly score: number;
}

/** A page that links to another. */
export interface ListedInlink {
  readonly pageId: number;
  readonly page: string;
}

export interface TreeBranch {
  /** Up to the next slash. */
  readonly prefix: string;
  readonly pages: number;
  /** Whether there are deeper URLs. */
  readonly hasMore: boolean;
  /** Pages by status class: 2, 3, 4, 5. */
  readonly status: Readonly<Record<string, number>>;
  readonly changed: number;
  readonly gone: number;
  /** Pages with a score of 0.8 or more. */
  readonly high: number;
  /** Set if the branch is a single page. */
  readonly pageId: number | null;
}

export interface GraphNode {
  readonly id: number;
  readonly url: string;
  readonly title: string | undefined;
  readonly parentUrl: string | undefined;
  readonly depth: number;
  readonly status: number;
  readonly change: Change;
  readonly via: Via;
  readonly hash: Hash64;
  /** The score of the links to it. */
  readonly score: number;
}

/** Lists of stored data, of any length: part of every store. */
export interface ListStore {
  readonly sites: List<SiteListFilter, ListedSite>;
  readonly runs: List<{ readonly siteId?: number | undefined; readonly status?: readonly string[] | undefined }, Run>;
  readonly pages: List<PageListFilter, ListedPage>;
  readonly links: List<LinkListFilter, ListedLink>;
  readonly sources: List<{ readonly siteId: number; readonly linkId: number }, ListedSource>;
  readonly decisions: List<DecisionListFilter, ListedDecision>;
  /** The ledger rows of URLs that failed. */
  readonly failures: List<{ readonly runId: number }, ListedDecision>;
  readonly changes: List<ChangeListFilter, ListedChange>;
  /** Pages of the site with stored links to this page. */
  readonly inlinks: List<{ readonly siteId: number; readonly hash: Hash64 }, ListedInlink>;

  site(id: number): Promise<ListedSite | undefined>;
  page(id: number): Promise<ListedPage | undefined>;
  pageHash(id: number): Promise<Hash64 | undefined>;
  /** On the site where it has the highest score, unless one is given. */
  link(id: number, siteId?: number): Promise<ListedLink | undefined>;
  /** Most frequent first. */
  decisionGroups(
    filter: DecisionListFilter,
    by: readonly DecisionGroup[],
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly GroupedDecisions[]>;
  /** The branches below a URL, one level deep. */
  tree(siteId: number, prefix: string, signal?: AbortSignal): Promise<readonly TreeBranch[]>;
  /** The pages that were found first. */
  graph(siteId: number, limit: number): Promise<readonly GraphNode[]>;
  /** The keywords of a site, with the number of links each applies to. */
  keywords(siteId: number): Promise<readonly (Keyword & { readonly links: number })[]>;
}
