import type { BrowserOptions, Browsers } from "../browser/index.ts";
import type { Clock } from "../clock.ts";
import type { MetadataOptions } from "../extract/index.ts";
import type { Fetcher, FetchOptions } from "../fetch/index.ts";
import type { FrontierOptions, GateVerdict, Queued } from "../frontier/index.ts";
import type { Fetched, Visit } from "../records.ts";
import type { RecrawlOptions } from "../recrawl/index.ts";
import { productTokenOf, type RobotsOptions } from "../robots/index.ts";
import { kindOf, type ScoreOptions } from "../score/index.ts";
import type { HostCard, Run, Store } from "../store/index.ts";
import { keyOptionsOf, type UrlOptions } from "../url/index.ts";
import type { CrawlEvent, Progress, RunResult } from "./events.ts";
import type { GuardMemory } from "./guards.ts";
import type { Hooks } from "./hooks.ts";
import type { CrawlOptions } from "./options.ts";
import type { MetadataSetup } from "./read-metadata.ts";
import type { ReadSetup } from "./read-setup.ts";
import type { Reader } from "./reader.ts";

export type CrawlConfig = UrlOptions &
  RobotsOptions &
  FrontierOptions &
  FetchOptions &
  BrowserOptions &
  RecrawlOptions &
  ScoreOptions &
  MetadataOptions &
  CrawlOptions;

export interface RunSetup {
  readonly store: Store;
  readonly fetcher: Fetcher;
  /** Where pages may be rendered. */
  readonly browsers?: Browsers | undefined;
  /** Made for `readSetupOf` of the same config and store; closed when the run ends. */
  readonly reader: Reader;
  readonly config: CrawlConfig;
  readonly run: Run;
  readonly isResumed: boolean;
  /** Another process leads this run: it hears the seeds, and ends it. */
  readonly isHand?: boolean | undefined;
  /** Whether earlier runs knew these sites. */
  readonly hasHistory: boolean;
  /** Visits its seeds and follows no link; of pages it did not visit it says nothing. */
  readonly seedsOnly?: boolean | undefined;
  /** Scope is measured from here instead of from the seeds. */
  readonly home: readonly string[] | undefined;
  readonly clock: Clock;
  readonly emit: (event: CrawlEvent) => void;
  /** Whether to tell what becomes of every link (`link.heard`), which costs something. */
  readonly wantsLinks: boolean;
  /** A promise while a listener needs a pause. */
  readonly mayGoOn: () => Promise<void> | undefined;
  /** Asked last, with what the gate says: a candidate that is held back is settled unasked. It can only close, never open. */
  readonly holdsBack?: ((candidate: Queued, verdict: GateVerdict) => boolean) | undefined;
  readonly hooks?: Hooks | undefined;
  /** Told what each page came to, where browsers may have a hand in it, and the engine of the one that had. */
  readonly onSeen?: ((visit: Visit, fetched: Fetched, engine: string | undefined) => void) | undefined;
}

export interface RunControl {
  readonly result: Promise<RunResult>;
  /** Finishes what is in flight and keeps everything. */
  stop(): void;
  /** Finishes what is in flight and leaves the run to the other processes that share its database; where none can, it stops. */
  leave(): void;
  /** Finishes what is in flight and asks for nothing more until it is told to go on. */
  pause(): void;
  goOn(): void;
  /** Ends now; what was in flight is visited again when the run is resumed. */
  abort(): void;
  progress(): Progress;
  /** Other options hold from now on. Answers how many URLs that wait it takes out; where it is dry, nothing else is done. */
  adjust(change: RunChange, isDry: boolean): Promise<number>;
  /** What people say of hosts, from now on. */
  heed(hosts: readonly HostCard[]): void;
  /** Hosts that wait because they failed here. */
  inBackOff(): readonly string[];
  /** They are well, as somebody says or another process has seen. */
  forgive(hosts: readonly string[]): void;
}

/** What may change while a run is at work. */
export type RunChange = Partial<Pick<CrawlConfig, "include" | "exclude" | "rateLimit" | "maxConcurrent" | "maxPages" | "priority">>;

/** What a run keeps for whoever takes it up again. */
export interface RunState {
  readonly guards?: GuardMemory;
  /** Pages counted as unknown when the run was stopped before it reached them. */
  readonly unreached?: number;
  /** Its scope was changed while it was at work: what waits was let in by another. */
  readonly isRescoped?: boolean;
  /** A sitemap could not be read. */
  readonly hasMissed?: boolean;
}

export function readSetupOf(config: CrawlConfig, store: Store, memories: MetadataSetup["memories"] = new Map()): ReadSetup {
  return {
    key: keyOptionsOf(config),
    embeddedLinks: config.embeddedLinks === "on",
    agent: productTokenOf(config.userAgent ?? "nuthatch"),
    hashSeed: store.hashSeed,
    keeps: config.save.includes("warc") ? "all" : config.save.includes("raw") ? "pages" : "none",
    isLean: config.save.includes("none"),
    metadata: config.enhance ? { cascade: config.cascade, topics: config.topics, memories } : undefined,
    wantsWords: config.enhance && (config.save.includes("raw") || config.save.includes("warc")),
    mayRender: config.render !== "never",
    keywords: Object.entries(config.keywords),
    scorer: kindOf(config.scorer),
    scoreRatio: config.scoreRatio,
  };
}
