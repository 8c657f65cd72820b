import type { Change, Hash64, PageVerdict } from "../records.ts";
import type { WordMatch } from "./links.ts";

/** What a run said of a page. */
export interface ChangeRow {
  readonly runId: number;
  readonly pageId: number;
  readonly siteId: number;
  readonly url: string;
  readonly hash: Hash64;
  readonly contentType: string | null;
  /** What the page is now; null where nobody looked. */
  readonly verdict: PageVerdict | null;
  readonly change: Change;
  readonly at: number;
  readonly detail: string;
  /** The title that somebody gave the page in place of its own. */
  readonly title: string | undefined;
  /** What people wrote on the page. */
  readonly note: string;
  readonly tags: readonly string[];
}

/** A change with what tells it from all others, and the two versions it lies between. */
export interface LatestChange extends ChangeRow {
  readonly runUid: string;
  readonly fromVersion: number | null;
  readonly toVersion: number | null;
  /** Whether the page asks to be left out of indexes. */
  readonly noindex: boolean;
}

/** What can be said of two moments of a site: part of every store. */
export interface History {
  /** What the runs after one and up to another said of the pages of these sites: page by page, and of each page in order. */
  changes(siteIds: readonly number[], range: { readonly after: number; readonly until: number }): AsyncIterable<ChangeRow>;
  /** What runs said of pages, the latest first. */
  latest(of: {
    readonly siteId?: number | undefined;
    readonly runId?: number | undefined;
    readonly since?: number | undefined;
  }): AsyncIterable<LatestChange>;
  /** The last word on a page up to a run. */
  lastChange(pageId: number, until: number): Promise<Change | undefined>;
  /** Whether nobody named the page in the last run up to this one that had a word on it. A run that saw everything and says nothing has found it where it was. */
  wasUnlinked(pageId: number, until: number): Promise<boolean>;
  /** The packed links of a version. */
  links(versionId: number): Promise<Uint8Array | undefined>;
  /** Hashes of the links of each page that is there. */
  linkIndexes(siteIds: readonly number[]): AsyncIterable<{ readonly pageId: number; readonly index: Uint8Array }>;
  /** How far words apply to a link, by the hash of what it leads to. */
  matches(siteId: number, hash: Hash64): Promise<readonly WordMatch[]>;
}
