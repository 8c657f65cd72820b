/** The results of one or more visits, passed to the store: written together or not at all. */

import type {
  Candidate,
  Change,
  DelayCause,
  Fingerprint,
  Hash64,
  Page,
  PageMetadata,
  PageWords,
  REAPPEARED,
  ReadMetadata,
  Reason,
  Remembered,
  StoredBody,
  Verdict,
} from "../core/records.ts";
import type { StoredCandidate } from "./backlog.ts";
import type { Exchange } from "./exchanges.ts";
import type { FoundLink, LinkToStore, PageLink, ScorerSpec } from "./links.ts";
import type { RenderedBy } from "./rendering.ts";
import type { Counters } from "./run.ts";

/** A new ledger row: a URL found for the first time in this run. */
export interface NewUrl extends Candidate {
  readonly verdict: "queued" | "skipped";
  readonly reason: Reason;
  readonly rule: string;
  readonly parentId: number | undefined;
}

/** A ledger row whose URL was found again, at a smaller depth or more often. */
export interface UpdatedRow {
  readonly id: number;
  readonly depth: number;
  readonly isNearer: boolean;
  readonly level: number;
  readonly priority: number;
  readonly mentions: number;
  /** Set if the row goes back into the queue: it had been skipped only for its depth. */
  readonly requeue: boolean;
}

/** A URL mentioned once more: its count, and its new rank in the queue, if it is still queued. */
export interface MentionUpdate {
  readonly hash: Hash64;
  readonly mentions: number;
  /** The new rank; undefined if unknown, so that the old one stays. */
  readonly place: { readonly level: number; readonly priority: number } | undefined;
}

export interface VersionToStore {
  readonly fingerprint: Fingerprint;
  readonly metadata: PageMetadata;
  /** If the metadata is the extractor's, everything else it produced. */
  readonly read?: ReadMetadata | undefined;
  readonly words?: PageWords | undefined;
  readonly canonical: string | undefined;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly type: string;
  readonly charset: string;
  readonly wordCount: number;
  readonly linkCount: number;
  /** Hashes of the links, and the links as one packed document. */
  readonly linkIndex: Uint8Array;
  readonly packedLinks: Uint8Array;
  /** Links to be stored as rows, too. */
  readonly links: readonly LinkToStore[];
  readonly body: StoredBody;
}

/** What a visit found out about its page. */
export interface PageUpdate {
  readonly status: number;
  readonly change: Change;
  readonly contentType: string | undefined;
  readonly bytes: number;
  readonly duration: number;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly fromCache: boolean;
  readonly movedTo: string | undefined;
  /** "head": only the head of the page has changed. */
  readonly detail?: "head" | typeof REAPPEARED;
  readonly duplicateOf: number | undefined;
  readonly nearDuplicateOf: number | undefined;
  /** Absent if the page equals the stored version. */
  readonly version: VersionToStore | undefined;
  /** The stored version was read again with the current reader. */
  readonly isReread?: boolean;
  /** Set if the page was rendered in a browser. */
  readonly rendered?: RenderedBy | undefined;
  /** Version and options of the reader, so that a later run knows whether a 304 can be trusted. */
  readonly reader: string;
  /** When it was visited and whether it had changed, including this visit; absent after a first visit, and if nothing was compared. */
  readonly history?: Uint8Array | undefined;
}

/** One visit, settled. */
export interface SettledVisit {
  readonly candidate: StoredCandidate;
  readonly depth: number;
  readonly verdict: Verdict;
  readonly reason: Reason;
  readonly rule: string;
  readonly status: number | undefined;
  /** Still queued: the visit will be repeated. */
  readonly isRetry: boolean;
  readonly attempts: number;
  /** The URL it redirects to. */
  readonly target: string | undefined;
  /** A redirect target with the same key: the repeated visit uses this spelling. */
  readonly respelt?: string | undefined;
  readonly page: PageUpdate | undefined;
  readonly remembered: Remembered | undefined;
}

export interface HostUpdate {
  readonly host: string;
  /** Milliseconds until the next turn, and why. */
  readonly wait: number;
  readonly delay: number;
  readonly cause: DelayCause;
  readonly failures: number;
  readonly isIdle: boolean;
}

/** The results of one or more visits: written together or not at all. */
export interface Settlement {
  readonly runId: number;
  readonly at: number;
  readonly visits: readonly SettledVisit[];
  readonly heard: readonly NewUrl[];
  readonly again: readonly UpdatedRow[];
  readonly more: readonly MentionUpdate[];
  readonly hosts: readonly HostUpdate[];
  readonly counters: Counters;
  readonly state: Record<string, unknown>;
  /** URLs that count as seeds of the run from now on. */
  readonly homes?: readonly string[];
  /** The scorer of the link matches, if there are keywords. */
  readonly judge?: ScorerSpec | undefined;
  /** Stored beside the run until it ends; undefined if unchanged. Larger than the state, so not written every time. */
  readonly memory?: unknown;
  readonly hints?: readonly HintUpdate[];
  /** Requests and responses, in a run that saves archives. */
  readonly exchanges?: readonly Exchange[];
  /** A part of the links of a page that is settled later. */
  readonly links?: LinksPart;
  /** Pages in `visits` whose link rows are already written, part by part. */
  readonly linksWritten?: ReadonlySet<number>;
  /** Versions to keep per page; all if undefined. */
  readonly keepVersions?: number;
}

/** The link rows of a page that is stored already are written; for a new page, only the URLs. */
export interface LinksPart {
  readonly page: Pick<Remembered, "pageId" | "siteId"> | undefined;
  readonly links: readonly LinkToStore[];
  readonly linkIndex: Uint8Array;
  /** The part is chosen by the hash, so that all mentions of a URL are in one part. */
  readonly part: { readonly index: number; readonly of: number };
}

/** How often a source that said "changed" was right, and how often a page would have been changed by chance. */
export interface HintRecord {
  readonly said: number;
  readonly wasRight: number;
  readonly expected: number;
}

/** New observations of a source, added to the stored ones. */
export interface HintUpdate extends HintRecord {
  readonly siteId: number;
  readonly source: string;
}

/** A page with the data for scheduling its next visit. */
export interface PageObservations {
  readonly pageId: number;
  readonly url: string;
  readonly hash: Hash64;
  readonly depth: number;
  readonly siteId: number;
  readonly firstSeenAt: number;
  readonly history: Uint8Array | undefined;
  readonly isFeed: boolean;
  /** Match times weight for each keyword that applies to links to it. */
  readonly keywordScores: readonly number[];
}

export interface KnownRow {
  readonly depth: number;
  readonly mentions: number;
}

export interface SettleResult {
  /** One id per `heard`; 0 if the URL was known, or another process inserted it first. */
  readonly heardIds: readonly number[];
  /** One per `heard` in a shared run: the row that another process had inserted before, with this mention counted. */
  readonly known?: readonly (KnownRow | undefined)[];
  /** Skips by nofollow that were counted and do not stand: the row was there before, or a link without nofollow has replaced it. */
  readonly notUnfollowed: number;
  /** One per visit: the depth in its row, if others found a smaller one while it was in flight. */
  readonly nearer?: readonly (number | undefined)[];
  /** Visits that were refused because another process has leased their host: nothing of them was written. */
  readonly stale?: ReadonlySet<number>;
  /** One per visit that has a page. */
  readonly pageIds: readonly (number | undefined)[];
  /** One per visit: its sequence number in the order of settling; undefined if it is repeated. */
  readonly seqs: readonly (number | undefined)[];
  /** One per `more`: its row id, if it is still queued. */
  readonly queuedIds: readonly (number | undefined)[];
  /** One per visit with a page to show; read on demand. */
  readonly pages: readonly ((() => Page) | undefined)[];
  /** The links of a page that keywords apply to; read on demand. */
  readonly linksOf: (pageId: number) => readonly PageLink[];
  /** Links with a keyword that no run has found on their site before. */
  readonly newLinks: readonly FoundLink[];
}
