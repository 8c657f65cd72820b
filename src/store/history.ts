import type { Change, Hash64, PageVerdict } from "../core/records.ts";
import type { WordMatch } from "./links.ts";

/** A change of a page that a run found. */
export interface ChangeRow {
  readonly runId: number;
  readonly pageId: number;
  readonly siteId: number;
  readonly url: string;
  readonly hash: Hash64;
  readonly contentType: string | null;
  /** What the page is now; null if it was not determined. */
  readonly verdict: PageVerdict | null;
  readonly change: Change;
  readonly at: number;
  readonly detail: string;
  /** The title that a user gave the page. */
  readonly title: string | undefined;
  /** A user's note on the page. */
  readonly note: string;
  readonly tags: readonly string[];
}

/** A change with the run's unique id, and the versions before and after it. */
export interface LatestChange extends ChangeRow {
  readonly runUid: string;
  readonly fromVersion: number | null;
  readonly toVersion: number | null;
  /** Whether the page has noindex. */
  readonly noindex: boolean;
}

/** The changes of sites over time: part of every store. */
export interface History {
  /** The changes found on these sites by the runs after `after`, up to `until`: page by page, each page in order. */
  changes(siteIds: readonly number[], range: { readonly after: number; readonly until: number }): AsyncIterable<ChangeRow>;
  /** The changes of pages, latest first. */
  latest(of: {
    readonly siteId?: number | undefined;
    readonly runId?: number | undefined;
    readonly since?: number | undefined;
  }): AsyncIterable<LatestChange>;
  /** The latest change of a page up to a run. */
  lastChange(pageId: number, until: number): Promise<Change | undefined>;
  /**
   * Whether the page was unlinked in the last crawl up to this run that can tell: one that recorded a change of the page other than
   * unknown, or a finished crawl, which records nothing for a page that is linked and unchanged.
   */
  wasUnlinked(pageId: number, until: number): Promise<boolean>;
  /** The packed links of a version. */
  links(versionId: number): Promise<Uint8Array | undefined>;
  /** Hashes of the links of each page that is not gone. */
  linkIndexes(siteIds: readonly number[]): AsyncIterable<{ readonly pageId: number; readonly index: Uint8Array }>;
  /** Matches of keywords for a link, by the hash of its target. */
  matches(siteId: number, hash: Hash64): Promise<readonly WordMatch[]>;
}
