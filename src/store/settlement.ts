/** What one or more visits taught us, as the store is told of it: written together or not at all. */
import type { StoredCandidate } from "../frontier/index.ts";
import type {
  BACK,
  Candidate,
  Change,
  DelayCause,
  Fingerprint,
  Hash64,
  Page,
  PageMetadata,
  PageWords,
  ReadMetadata,
  Reason,
  Remembered,
  StoredBody,
  Verdict,
} from "../records.ts";
import type { Exchange } from "./exchanges.ts";
import type { FoundLink, Judge, LinkToKeep, PageLink } from "./links.ts";
import type { RenderedBy } from "./rendering.ts";
import type { Counters } from "./run.ts";

/** A new row of the ledger: a URL heard of for the first time in this run. */
export interface Heard extends Candidate {
  readonly verdict: "queued" | "skipped";
  readonly reason: Reason;
  readonly rule: string;
  readonly parentId: number | undefined;
}

/** A row of the ledger whose URL was heard of again, nearer or more often. */
export interface HeardAgain {
  readonly id: number;
  readonly depth: number;
  readonly isNearer: boolean;
  readonly level: number;
  readonly priority: number;
  readonly mentions: number;
  /** Set when the row goes back into the queue: it had been skipped for its depth alone. */
  readonly requeue: boolean;
}

/** A URL named once more: how often by now, and where it stands with that, if it still waits. */
export interface HeardMore {
  readonly hash: Hash64;
  readonly mentions: number;
  /** Where it stands now; as before where that is not known. */
  readonly place: { readonly level: number; readonly priority: number } | undefined;
}

export interface VersionToKeep {
  readonly fingerprint: Fingerprint;
  readonly metadata: PageMetadata;
  /** Where the metadata is the extractor's, all that came with it. */
  readonly read?: ReadMetadata | undefined;
  readonly words?: PageWords | undefined;
  readonly canonical: string | undefined;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly type: string;
  readonly charset: string;
  readonly wordCount: number;
  readonly linkCount: number;
  /** Hashes of the links, and the links with all that was seen of them. */
  readonly linkIndex: Uint8Array;
  readonly packedLinks: Uint8Array;
  /** Those to be kept as rows too. */
  readonly links: readonly LinkToKeep[];
  readonly body: StoredBody;
}

/** What a visit taught us about its page. */
export interface PageNews {
  readonly status: number;
  readonly change: Change;
  readonly contentType: string | undefined;
  readonly bytes: number;
  readonly duration: number;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly fromCache: boolean;
  readonly movedTo: string | undefined;
  /** "head": nothing has changed but what the head of the page says. */
  readonly detail?: "head" | typeof BACK;
  readonly duplicateOf: number | undefined;
  readonly nearDuplicateOf: number | undefined;
  /** Absent when the page is the same as the version we have. */
  readonly version: VersionToKeep | undefined;
  /** The version is the one we have, as today's reader reads it. */
  readonly isReread?: boolean;
  /** Where what was read is the page as a browser showed it. */
  readonly rendered?: RenderedBy | undefined;
  /** Version and options of the reader, so that a later run knows whether it may trust a 304. */
  readonly reader: string;
  /** The looks at it, this one included; absent after a first visit, and where nothing was compared. */
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
  /** Still queued: the visit is to be repeated. */
  readonly isRetry: boolean;
  readonly attempts: number;
  /** Where it redirects to. */
  readonly target: string | undefined;
  /** The same place in other letters, to which it redirects: asked so when it is repeated. */
  readonly respelt?: string | undefined;
  readonly page: PageNews | undefined;
  readonly remembered: Remembered | undefined;
}

export interface HostNews {
  readonly host: string;
  /** Milliseconds until the next turn, and why. */
  readonly wait: number;
  readonly delay: number;
  readonly cause: DelayCause;
  readonly failures: number;
  readonly isIdle: boolean;
}

/** Everything one or more visits taught us: written together or not at all. */
export interface Settlement {
  readonly runId: number;
  readonly at: number;
  readonly visits: readonly SettledVisit[];
  readonly heard: readonly Heard[];
  readonly again: readonly HeardAgain[];
  readonly more: readonly HeardMore[];
  readonly hosts: readonly HostNews[];
  readonly counters: Counters;
  readonly state: Record<string, unknown>;
  /** What counts as a seed of the run from here on. */
  readonly homes?: readonly string[];
  /** Who made the matches of the links, where there are keywords. */
  readonly judge?: Judge | undefined;
  /** Kept beside the run until it ends; undefined if it is as before. Larger than its state, so not written every time. */
  readonly memory?: unknown;
  readonly hints?: readonly HintNews[];
  /** What went over the wire, in a run that saves archives. */
  readonly exchanges?: readonly Exchange[];
  /** Links of pages that are settled after this, which get their rows now. */
  readonly links?: readonly Pick<LinkToKeep, "hash" | "url">[];
  /** Versions of each page that stay. All of them, if nothing is said. */
  readonly keepVersions?: number;
}

/** How often a source that said "changed" was right, and how often a page would have been found changed without its word. */
export interface HintRecord {
  readonly said: number;
  readonly wasRight: number;
  readonly expected: number;
}

/** What was learned of a source; added to what was known before. */
export interface HintNews extends HintRecord {
  readonly siteId: number;
  readonly source: string;
}

/** A page with all that tells when to look at it again. */
export interface PageLooks {
  readonly pageId: number;
  readonly url: string;
  readonly hash: Hash64;
  readonly depth: number;
  readonly siteId: number;
  readonly firstSeenAt: number;
  readonly history: Uint8Array | undefined;
  readonly isFeed: boolean;
  /** Match times weight for each keyword that applies to links to it. */
  readonly worths: readonly number[];
}

export interface KnownRow {
  readonly depth: number;
  readonly mentions: number;
}

export interface Settled {
  /** One id per `heard`; 0 where another process had it first. */
  readonly heardIds: readonly number[];
  /** One per `heard`, where several are at work: what the row of another process says, which was named once more by this. */
  readonly known?: readonly (KnownRow | undefined)[];
  /** One per visit, where its row says that others have heard of it nearer than it was known to be when it was let out. */
  readonly nearer?: readonly (number | undefined)[];
  /** Which of the visits were refused, because their host had become another process's: nothing of them was written. */
  readonly stale?: ReadonlySet<number>;
  /** One per visit that has a page. */
  readonly pageIds: readonly (number | undefined)[];
  /** One per visit: its place in the order of settling; undefined where it is repeated. */
  readonly seqs: readonly (number | undefined)[];
  /** One per `more`: its row, if it still waits. */
  readonly waitingIds: readonly (number | undefined)[];
  /** One per visit, where there is a page to show; read when somebody looks. */
  readonly pages: readonly ((() => Page) | undefined)[];
  /** The links of a page that keywords apply to; read when somebody looks. */
  readonly linksOf: (pageId: number) => readonly PageLink[];
  /** Links that no run has found on their site before, and that a keyword applies to. */
  readonly found: readonly FoundLink[];
}
