import type { MetadataOptions } from "../../analysis/extract/index.ts";
import type { RecrawlOptions } from "../../analysis/recrawl/index.ts";
import { productTokenOf, type RobotsOptions } from "../../analysis/robots/index.ts";
import { kindOf, type ScoreOptions } from "../../analysis/score/index.ts";
import { keyOptionsOf, type UrlOptions } from "../../analysis/url/index.ts";
import type { Clock } from "../../core/clock.ts";
import type { Fetched, Visit } from "../../core/records.ts";
import type { HostSettings, Run, Store } from "../../store/index.ts";
import type { BrowserOptions, Browsers } from "../browser/index.ts";
import type { Fetcher, FetchOptions } from "../fetch/index.ts";
import type { FrontierOptions, GateVerdict, Queued } from "../frontier/index.ts";
import type { GuardMemory } from "./admit/guards.ts";
import type { CrawlEvent, Progress, RunResult } from "./events.ts";
import type { Hooks } from "./hooks.ts";
import type { CrawlOptions } from "./options.ts";
import type { MetadataSetup } from "./read/read-metadata.ts";
import type { ReadSetup } from "./read/read-setup.ts";
import type { Reader } from "./read/reader.ts";

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
  /** Set if pages may be rendered. */
  readonly browsers?: Browsers | undefined;
  /** Created with `readSetupOf` for the same config and store; closed when the run ends. */
  readonly reader: Reader;
  readonly config: CrawlConfig;
  readonly run: Run;
  readonly isResumed: boolean;
  /** Another process leads this run: it admits the seeds and ends the run. */
  readonly isHand?: boolean | undefined;
  /** Whether earlier runs visited these sites. */
  readonly hasHistory: boolean;
  /** Visits only the seeds and follows no links; makes no statement about other pages. */
  readonly seedsOnly?: boolean | undefined;
  /** Seeds that define the scope instead of the run's own. */
  readonly home: readonly string[] | undefined;
  readonly clock: Clock;
  readonly emit: (event: CrawlEvent) => void;
  /** Whether to emit `link.heard` for every link, which costs time. */
  readonly wantsLinks: boolean;
  /** Returns a promise while a listener is busy (backpressure). */
  readonly mayGoOn: () => Promise<void> | undefined;
  /** Called last, with the gate's verdict: a candidate that is held back is settled without a request. It can only refuse, never permit. */
  readonly holdsBack?: ((candidate: Queued, verdict: GateVerdict) => boolean) | undefined;
  readonly hooks?: Hooks | undefined;
  /** Called with the result of each page and the engine that rendered it, in runs with browsers. */
  readonly onSeen?: ((visit: Visit, fetched: Fetched, engine: string | undefined) => void) | undefined;
}

export interface RunControl {
  readonly result: Promise<RunResult>;
  /** Finishes requests in flight and keeps everything. */
  stop(): void;
  /** Finishes requests in flight and leaves the run to other processes on the same database; without a shared database it stops the run. */
  leave(): void;
  /** Finishes requests in flight and starts no new ones until `goOn`. */
  pause(): void;
  resume(): void;
  /** Ends at once; requests in flight are repeated when the run is resumed. */
  abort(): void;
  progress(): Progress;
  /** Changes options from now on. Returns how many queued URLs this removes; with `isDry` nothing is changed. */
  adjust(change: RunChange, isDry: boolean): Promise<number>;
  /** Applies host settings that people have made. */
  applyHostSettings(hosts: readonly HostSettings[]): void;
  /** Hosts in back-off because of failures in this run. */
  inBackOff(): readonly string[];
  /** Ends the back-off of these hosts: a person or another process has found them working. */
  endBackOff(hosts: readonly string[]): void;
}

/** Options that may change during a run. */
export type RunChange = Partial<Pick<CrawlConfig, "include" | "exclude" | "rateLimit" | "maxConcurrent" | "maxPages" | "priority">>;

/** State that a run stores for resuming. */
export interface RunState {
  readonly guards?: GuardMemory;
  /** Pages counted as unknown because the run was stopped before it reached them. */
  readonly unreached?: number;
  /** The scope was changed during the run, so queued URLs must be checked again. */
  readonly isRescoped?: boolean;
  /** A sitemap could not be read, or other sources of URLs were skipped. */
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
