import type { Backlog } from "../frontier/index.ts";
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
} from "../records.ts";
import type { Seed } from "../seed.ts";
import type { Cards } from "./cards.ts";
import type { Care } from "./care.ts";
import type { ContextShelf } from "./contexts.ts";
import type { ExchangeShelf } from "./exchanges.ts";
import type { History } from "./history.ts";
import type { KeyShelf } from "./keys.ts";
import type { Keyword, Links } from "./links.ts";
import type { Lists } from "./lists.ts";
import type { MetadataShelf } from "./metadata.ts";
import type { NameShelf } from "./names.ts";
import type { QueueLooks } from "./queue.ts";
import type { RenderingShelf } from "./rendering.ts";
import type { ReplayShelf } from "./replays.ts";
import type { Counters, Run, RunKind, RunStatus, Site } from "./run.ts";
import type { SearchShelf } from "./search.ts";
import type { ServiceShelf } from "./service.ts";
import type { HintNews, PageLooks, Settled, Settlement } from "./settlement.ts";
import type { WorkerShelf } from "./workers.ts";

/** Thrown for trouble with the database that a person can mend: locked, full, newer, broken. */
export class StorageError extends Error {
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StorageError";
    this.hint = hint;
  }
}

/** Nothing is wrong with the database: somebody else is at work in it. */
export class AtWorkError extends StorageError {}

/** What somebody named is not what the database knows. */
export class WrongPlaceError extends StorageError {}

/** A file of an earlier version that was brought to today's when it was opened. */
export interface Upgrade {
  readonly from: number;
  readonly to: number;
  /** Where the file is as it was. */
  readonly backup: string | undefined;
}

/** The key of a URL by today's rules, and its hash, for a run with these options (JSON). */
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
  /** The page asked for its links not to be followed. */
  readonly nofollow: boolean;
  readonly links: () => Uint8Array;
}

/** A page that may say what another says. */
export interface Suspect {
  readonly siteId: number;
  readonly hash: Hash64;
  readonly fingerprint: Fingerprint;
}

export interface Twin {
  readonly pageId: number;
  readonly url: string;
  readonly depthInRun: number | undefined;
}

/** A row of the ledger, as people read it. */
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
  /** Where it redirects to. */
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
  /** What people wrote on the page. */
  readonly note: string;
  readonly tags: readonly string[];
}

export interface PageFilter {
  readonly siteId?: number | undefined;
  /** Met by this run; with `afterSeq`, by none since. */
  readonly runId?: number | undefined;
  readonly change?: readonly string[] | undefined;
  readonly url?: string | undefined;
  /** Neither gone nor moved; and where several sites know an address, only what the latest look at it found. */
  readonly isThere?: boolean | undefined;
  /** Only those that are there no longer, or only those that are. */
  readonly isGone?: boolean | undefined;
  /** Only those whose present version was first seen at this moment or later. */
  readonly since?: number | undefined;
  /** Only those that lack one of these fields of metadata. */
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
  /** The engine of the browser that showed it so; null where none did. */
  readonly renderedBy: string | null;
  readonly hasScreenshot: boolean;
}

export interface UnheardPage {
  readonly pageId: number;
  readonly url: string;
  readonly depth: number;
  readonly siteId: number;
  /** It was heard of, and this rule kept it out. */
  readonly refusedBy: string | undefined;
}

/** What we know. One implementation per database; every one passes the contract in store/contract.ts. */
export interface Store {
  /** Keys the hashes of this database. */
  readonly hashSeed: Hash64;
  readonly owner: string;
  /** The data file, or `:memory:`. */
  readonly path: string;
  readonly upgrade: Upgrade | undefined;
  readonly care: Care;
  readonly history: History;
  readonly links: Links;
  readonly lists: Lists;
  readonly cards: Cards;
  readonly metadata: MetadataShelf;
  readonly queue: QueueLooks;
  readonly service: ServiceShelf;
  readonly keys: KeyShelf;
  readonly replays: ReplayShelf;
  readonly contexts: ContextShelf;
  readonly exchanges: ExchangeShelf;
  readonly search: SearchShelf;
  readonly rendering: RenderingShelf;
  readonly workers: WorkerShelf;
  /** A file has one process at work in a run, and nobody else to ask. */
  readonly names?: NameShelf;
  /** Where a name led when it was met first, in whichever process that was. If nobody has met it, it is met now. */
  firstMet(name: string, here: "public" | "private"): Promise<"public" | "private">;

  /** Brings a file whose keys were made by earlier rules to these; does nothing if they are of this version. */
  rekey(version: number, keyed: Rekey): Promise<void>;
  site(url: string, key: string): Promise<Site>;
  /** The same for many at once, in their order. */
  sitesAt(places: readonly { readonly url: string; readonly key: string }[]): Promise<readonly Site[]>;
  sites(): Promise<readonly Site[]>;
  startRun(run: {
    kind?: RunKind;
    sites: readonly Site[];
    seeds: readonly Seed[];
    options: Record<string, unknown>;
    at: number;
    /** They become those of its sites before anybody else can take part in it. */
    keywords?: readonly Keyword[];
  }): Promise<Run>;
  /** Takes over a run that ended uncleanly or was stopped: visits that were out go back into the queue. Others see it with what it goes by anew. */
  resumeRun(
    runId: number,
    at: number,
    /** `seeds`: those of its own that are named again now, perhaps by somebody else. */
    anew?: { keywords?: readonly Keyword[]; options?: Record<string, unknown>; seeds?: readonly Seed[] },
  ): Promise<Run>;
  endRun(
    runId: number,
    end: { status: RunStatus; stopReason: StopReason; at: number; counters: Counters; state: Record<string, unknown> },
  ): Promise<void>;
  run(id: number): Promise<Run | undefined>;
  /** The latest first. */
  runs(filter: {
    kind?: RunKind | undefined;
    siteId?: number | undefined;
    before?: number | undefined;
    limit?: number | undefined;
  }): Promise<readonly Run[]>;
  /** What the last settlement that had one left in memory, if the run did not end since. */
  memory(runId: number): Promise<unknown>;
  isAlive(run: Run): boolean;
  /** Whether other runs have been to these sites. */
  hasOtherRuns(run: Run): Promise<boolean>;

  backlog(runId: number): Backlog;
  /** Every hash of the ledger of a run, with depth and mentions, to rebuild the seen set. */
  seen(runId: number, each: (hash: Hash64, depth: number, mentions: number) => void): Promise<void>;
  /** What counts as a seed of the run besides those it was given. */
  homes(runId: number): Promise<readonly string[]>;
  ledgerRows(runId: number, hashes: readonly Hash64[]): Promise<readonly (LedgerRow | undefined)[]>;
  remember(siteIds: readonly number[], hash: Hash64, reader: string): Promise<Remembered | undefined>;
  /** For each, another page of its site with the same text and links, and how deep this run met it. */
  twins(runId: number, suspects: readonly Suspect[]): Promise<readonly (Twin | undefined)[]>;
  /** The simhashes of the pages met last, oldest first. */
  simhashes(siteIds: readonly number[], limit: number, each: (pageId: number, simhash: string) => void): Promise<void>;
  /** What kind of page the stored version says it is. */
  knownType(hash: Hash64): Promise<string | undefined>;
  /** The URLs that failed for good in the latest runs of each of these sites. */
  failed(siteIds: readonly number[], each: (hash: Hash64) => void): Promise<void>;
  /** URLs that are no pages and were left alone because of their type in the latest runs of each of these sites, the latest run last. */
  refusedTypes(siteIds: readonly number[], each: (hash: Hash64, rule: string, at: number) => void): Promise<void>;
  /** The links of a page's current version: their hashes, and on demand the packed document. */
  packedLinks(pageId: number): Promise<PackedLinks | undefined>;
  settle(settlement: Settlement): Promise<Settled>;
  /** Queued candidates whose host stays closed get their verdict when the run ends. */
  defer(runId: number, host: string, reason: Reason, rule: string): Promise<number>;
  /** Pages of the site that the last runs knew and this run has not heard of, or has turned away by a rule. */
  unheard(runId: number, siteIds: readonly number[]): AsyncIterable<UnheardPage>;
  /** A run that ended early never reached these: unknown, not gone. Answers how many. */
  markUnreached(runId: number, siteIds: readonly number[], at: number): Promise<number>;
  /** Every page that is still there, with its looks. */
  looks(siteIds: readonly number[]): AsyncIterable<PageLooks>;
  looksAt(siteIds: readonly number[], hash: Hash64): Promise<PageLooks | undefined>;
  /** Every page that was asked for since the last run that went through everything, whatever came of it, and every sitemap since a moment. */
  asked(siteIds: readonly number[], sitemapsSince: number, each: (hash: Hash64) => void): Promise<void>;
  /** What the hints of each source were worth. */
  hints(siteIds: readonly number[]): Promise<readonly HintNews[]>;
  /** Answers of how many that was not said before. */
  markUnknown(runId: number, pages: readonly { readonly pageId: number; readonly rule: string }[], at: number): Promise<number>;
  releaseHosts(runId: number): Promise<void>;
  /** What changes by itself on pages of a template, as it was saved. */
  noise(siteId: number, template: string): Promise<string | undefined>;
  noisyTemplates(siteId: number): Promise<readonly string[]>;
  saveNoise(siteId: number, template: string, text: string): Promise<void>;

  /** What a model answered, by what it was asked; questions that are new are left out. */
  answers(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  saveAnswers(answers: readonly { readonly key: string; readonly text: string }[], at: number): Promise<void>;

  robots(origin: string): Promise<StoredRobots | undefined>;
  saveRobots(robots: StoredRobots): Promise<void>;

  pages(filter: PageFilter): AsyncIterable<Page>;
  countPages(filter: Omit<PageFilter, "limit" | "sort">): Promise<number>;
  page(by: { id: number } | { hash: Hash64 }): Promise<Page | undefined>;
  versions(pageId: number): Promise<readonly Version[]>;
  body(hash: string): Promise<Uint8Array | undefined>;
  /** Not kept at hand for the next who asks: for whoever goes through all of them. */
  bodyOnce(hash: string): Promise<Uint8Array | undefined>;
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
