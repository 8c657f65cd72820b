import type {
  Change,
  Fingerprint,
  Hash64,
  Page,
  PageMetadata,
  PageVerdict,
  Reason,
  Remembered,
  StopReason,
  Verdict,
  Via,
} from "../core/records.ts";
import type { Seed } from "../core/seed.ts";
import type { Backlog } from "./backlog.ts";
import type { ContextStore } from "./contexts.ts";
import type { DnsCache } from "./dns-cache.ts";
import type { ExchangeStore } from "./exchanges.ts";
import type { History } from "./history.ts";
import type { IdempotencyStore } from "./idempotency.ts";
import type { KeyStore } from "./keys.ts";
import type { Keyword, LinkStore } from "./links.ts";
import type { ListStore } from "./lists.ts";
import type { MaintenanceStore } from "./maintenance.ts";
import type { MetadataStore } from "./metadata.ts";
import type { QueueStore } from "./queue.ts";
import type { RenderingStore } from "./rendering.ts";
import type { Counters, Run, RunKind, RunStatus, Site } from "./run.ts";
import type { SearchStore } from "./search.ts";
import type { ServiceStore } from "./service.ts";
import type { HintUpdate, PageObservations, Settlement, SettleResult } from "./settlement.ts";
import type { UserDataStore } from "./user-data.ts";
import type { WorkerStore } from "./workers.ts";

/** A database error that the user can fix: locked, full, newer, damaged. */
export class StorageError extends Error {
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StorageError";
    this.hint = hint;
  }
}

/** The database is fine, but another process is working in it. */
export class RunningError extends StorageError {}

/** The given place does not match the database's. */
export class WrongLocationError extends StorageError {}

/** A file of an earlier version that was migrated when it was opened. */
export interface Upgrade {
  readonly from: number;
  readonly to: number;
  /** The unchanged copy of the file. */
  readonly backup: string | undefined;
}

/** The key of a URL by the current rules, and its hash, for a run with these options (JSON). */
export type Rekey = (url: string, options: string) => { readonly key: string; readonly hash: Hash64 };

export interface StoredRobots {
  readonly origin: string;
  readonly fetchedAt: number;
  readonly kind: "rules" | "allow-all";
  readonly why: string;
  readonly text: string;
}

export interface PackedLinks {
  readonly index: Uint8Array;
  /** The page has nofollow. */
  readonly nofollow: boolean;
  readonly links: () => Uint8Array;
}

/** A page that may be a duplicate. */
export interface PossibleDuplicate {
  readonly siteId: number;
  readonly hash: Hash64;
  readonly fingerprint: Fingerprint;
}

export interface Duplicate {
  readonly pageId: number;
  readonly url: string;
  readonly depthInRun: number | undefined;
}

/** A ledger row, as shown to users. */
export interface Decision {
  readonly id: number;
  readonly runId: number;
  readonly url: string;
  readonly key: string;
  readonly kind: string;
  readonly verdict: Verdict;
  readonly reason: Reason;
  readonly rule: string;
  readonly depth: number;
  readonly via: Via;
  readonly parentUrl: string | null;
  readonly parentId: number | null;
  readonly mentions: number;
  readonly attempts: number;
  readonly status: number | null;
  readonly priority: number;
  readonly at: number;
  readonly seq: number | null;
}

export interface LedgerRow {
  readonly id: number;
  readonly url: string;
  readonly verdict: Verdict;
  readonly reason: Reason;
  readonly rule: string;
  readonly pageId: number | undefined;
  readonly depth: number;
  readonly mentions: number;
  /** The URL it redirects to. */
  readonly target: string | undefined;
}

export interface PageChange {
  readonly runId: number;
  readonly pageId: number;
  readonly url: string;
  readonly change: Change;
  readonly title: string | null;
  readonly at: number;
  readonly fromVersion: number | null;
  readonly toVersion: number | null;
  readonly detail: string;
  readonly verdict: PageVerdict | null;
  /** A user's note on the page. */
  readonly note: string;
  readonly tags: readonly string[];
}

export interface PageFilter {
  readonly siteId?: number | undefined;
  /** Visited by this run; with `afterSeq`, by no run since. */
  readonly runId?: number | undefined;
  readonly change?: readonly string[] | undefined;
  readonly url?: string | undefined;
  /** Neither gone nor moved; if several sites have the same URL, only the result of the latest visit. */
  readonly isThere?: boolean | undefined;
  /** Only gone pages, or only others. */
  readonly isGone?: boolean | undefined;
  /** Only pages whose current version was first seen at this time or later. */
  readonly since?: number | undefined;
  /** Only pages that lack at least one of these metadata fields. */
  readonly missing?: readonly string[] | undefined;
  readonly afterSeq?: number | undefined;
  readonly limit?: number | undefined;
  readonly sort?: string | undefined;
}

export interface Version {
  readonly id: number;
  readonly number: number;
  readonly runId: number;
  readonly fetchedAt: number;
  readonly metadata: PageMetadata;
  readonly fingerprint: Fingerprint;
  readonly bodyHash: string | null;
  readonly wordCount: number;
  readonly linkCount: number;
  readonly charset: string;
  readonly type: string;
  /** The browser engine that rendered it; null if not rendered. */
  readonly renderedBy: string | null;
  readonly hasScreenshot: boolean;
}

export interface UndiscoveredPage {
  readonly pageId: number;
  readonly url: string;
  readonly depth: number;
  readonly siteId: number;
  /** The URL was found, and this rule skipped it. */
  readonly refusedBy: string | undefined;
}

/** The port to everything stored. One implementation per database; each must pass the tests in store/contract.ts. */
export interface Store {
  /** Seeds the URL hashes of this database. */
  readonly hashSeed: Hash64;
  readonly owner: string;
  /** The data file, or `:memory:`. */
  readonly path: string;
  readonly upgrade: Upgrade | undefined;
  readonly maintenance: MaintenanceStore;
  readonly history: History;
  readonly links: LinkStore;
  readonly lists: ListStore;
  readonly userData: UserDataStore;
  readonly metadata: MetadataStore;
  readonly queue: QueueStore;
  readonly service: ServiceStore;
  readonly keys: KeyStore;
  readonly idempotency: IdempotencyStore;
  readonly contexts: ContextStore;
  readonly exchanges: ExchangeStore;
  readonly search: SearchStore;
  readonly rendering: RenderingStore;
  readonly workers: WorkerStore;
  /** Undefined for a SQLite file, which has one process per run. */
  readonly names?: DnsCache;
  /** Whether a name was public or private when it was first resolved, in any process. Stores `here` if it is new. */
  firstResolvedAs(name: string, here: "public" | "private"): Promise<"public" | "private">;

  /** Recomputes the keys of a file whose keys were made by earlier rules; does nothing if the version is the same. */
  rekey(version: number, keyed: Rekey): Promise<void>;
  site(url: string, key: string): Promise<Site>;
  /** Several at once, in the same order. */
  sitesAt(places: readonly { readonly url: string; readonly key: string }[]): Promise<readonly Site[]>;
  sites(): Promise<readonly Site[]>;
  startRun(run: {
    kind?: RunKind;
    sites: readonly Site[];
    seeds: readonly Seed[];
    options: Record<string, unknown>;
    at: number;
    /** Set as the keywords of its sites before another process can join the run. */
    keywords?: readonly Keyword[];
  }): Promise<Run>;
  /**
   * Resumes a run that ended uncleanly or was stopped: visits in flight go back into the queue. `anew` is written in the same transaction,
   * before other processes can join.
   */
  resumeRun(
    runId: number,
    at: number,
    /** `seeds`: seeds of the run that are named again now, perhaps by another origin. */
    changes?: { keywords?: readonly Keyword[]; options?: Record<string, unknown>; seeds?: readonly Seed[] },
  ): Promise<Run>;
  endRun(
    runId: number,
    end: { status: RunStatus; stopReason: StopReason; at: number; counters: Counters; state: Record<string, unknown> },
  ): Promise<void>;
  run(id: number): Promise<Run | undefined>;
  /** Latest first. */
  runs(filter: {
    kind?: RunKind | undefined;
    siteId?: number | undefined;
    before?: number | undefined;
    limit?: number | undefined;
  }): Promise<readonly Run[]>;
  /** The memory stored by the latest settlement that had one, unless the run has ended since. */
  memory(runId: number): Promise<unknown>;
  isAlive(run: Run): boolean;
  /** Whether other runs have visited these sites. */
  hasOtherRuns(run: Run): Promise<boolean>;

  backlog(runId: number): Backlog;
  /** Every hash of the ledger of a run, with depth and mentions, to rebuild the seen set. */
  forEachKnownUrl(runId: number, onEach: (hash: Hash64, depth: number, mentions: number) => void): Promise<void>;
  /** URLs that count as seeds of the run besides the given ones. */
  extraSeeds(runId: number): Promise<readonly string[]>;
  ledgerRows(runId: number, hashes: readonly Hash64[]): Promise<readonly (LedgerRow | undefined)[]>;
  findStored(siteIds: readonly number[], hash: Hash64, reader: string): Promise<Remembered | undefined>;
  /** For each, another page of its site with the same text and links, and its depth in this run. */
  findDuplicates(runId: number, candidates: readonly PossibleDuplicate[]): Promise<readonly (Duplicate | undefined)[]>;
  /** The simhashes of the most recently visited pages, oldest first. */
  simhashes(siteIds: readonly number[], limit: number, onEach: (pageId: number, simhash: string) => void): Promise<void>;
  /** The page type given by the stored version. */
  knownType(hash: Hash64): Promise<string | undefined>;
  /** The URLs that failed permanently in the latest runs of each of these sites. */
  forEachFailed(siteIds: readonly number[], onEach: (hash: Hash64) => void): Promise<void>;
  /** URLs that were skipped for their type in the latest runs of each of these sites, latest run last. */
  forEachRefusedType(siteIds: readonly number[], onEach: (hash: Hash64, rule: string, at: number) => void): Promise<void>;
  /** The links of a page's current version: their hashes, and on demand the packed document. */
  packedLinks(pageId: number): Promise<PackedLinks | undefined>;
  settle(settlement: Settlement): Promise<SettleResult>;
  /** Queued URLs whose host stays unavailable get this verdict when the run ends. */
  defer(runId: number, host: string, reason: Reason, rule: string): Promise<number>;
  /** Pages of the site known from earlier runs that this run has not found, or has skipped by a rule. */
  undiscoveredPages(runId: number, siteIds: readonly number[]): AsyncIterable<UndiscoveredPage>;
  /** Pages that a run did not reach because it ended early: unknown, not gone. Returns how many. */
  markUnreached(runId: number, siteIds: readonly number[], at: number): Promise<number>;
  /** Every page that is not gone, with its past visits. */
  pageObservations(siteIds: readonly number[]): AsyncIterable<PageObservations>;
  observationsOf(siteIds: readonly number[], hash: Hash64): Promise<PageObservations | undefined>;
  /** Every page requested since the last complete run, whatever the result, and every sitemap since the given time. */
  forEachRequested(siteIds: readonly number[], sitemapsSince: number, onEach: (hash: Hash64) => void): Promise<void>;
  /** How reliable the hints of each source were. */
  hints(siteIds: readonly number[]): Promise<readonly HintUpdate[]>;
  /** Returns for how many pages this is new. */
  markUnknown(runId: number, pages: readonly { readonly pageId: number; readonly rule: string }[], at: number): Promise<number>;
  releaseHosts(runId: number): Promise<void>;
  /** The noise learned for a template, as saved. */
  noise(siteId: number, template: string): Promise<string | undefined>;
  noisyTemplates(siteId: number): Promise<readonly string[]>;
  saveNoise(siteId: number, template: string, text: string): Promise<void>;

  /** Model answers by request key; keys without an answer are left out. */
  modelAnswers(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  saveModelAnswers(modelAnswers: readonly { readonly key: string; readonly text: string }[], at: number): Promise<void>;

  robots(origin: string): Promise<StoredRobots | undefined>;
  saveRobots(robots: StoredRobots): Promise<void>;

  pages(filter: PageFilter): AsyncIterable<Page>;
  countPages(filter: Omit<PageFilter, "limit" | "sort">): Promise<number>;
  page(by: { id: number } | { hash: Hash64 }): Promise<Page | undefined>;
  versions(pageId: number): Promise<readonly Version[]>;
  body(hash: string): Promise<Uint8Array | undefined>;
  /** Reads without the cache, for a caller that goes through all bodies. */
  bodyUncached(hash: string): Promise<Uint8Array | undefined>;
  decisions(filter: {
    siteId?: number | undefined;
    runId?: number | undefined;
    hash?: Hash64 | undefined;
    verdict?: readonly string[] | undefined;
    reason?: string | undefined;
    limit?: number | undefined;
  }): AsyncIterable<Decision>;
  decision(id: number): Promise<Decision | undefined>;
  changes(runId: number, siteId?: number): AsyncIterable<PageChange>;
  linkDocuments(
    filter: Pick<PageFilter, "siteId" | "runId" | "since">,
  ): AsyncIterable<{ pageId: number; siteId: number; page: string; packed: Uint8Array }>;
  /** Pages that link to this URL. */
  inlinks(hash: Hash64, limit: number): Promise<readonly { page: string; text: string }[]>;
  check(): Promise<string>;
  close(): Promise<void>;
}
