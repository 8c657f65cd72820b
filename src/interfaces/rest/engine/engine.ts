/**
 * Runs and long jobs as the API uses them. They run in a process of their own, so that API readers cannot slow them down, and they cannot
 * slow down the API.
 */
import type { CrawlEvent, Progress } from "../../../engine/crawl/index.ts";
import type { AdjustResult, RunEdit } from "../../../features/crawl/adjust-run.ts";
import type { Enhancement, EnhanceRequest } from "../../../features/enrich/enhance.ts";
import type { FetchedPage, FetchRequest } from "../../../features/fetch-page/fetch-page.ts";
import type { HostEdit, HostStatus } from "../../../features/hosts/hosts.ts";
import type { Preview } from "../../../features/preview/preview.ts";
import type { Job, JobKind, Removal, Run } from "../../../store/index.ts";

export interface StartRequest {
  readonly seeds: readonly string[];
  /** A known site, instead of seeds. */
  readonly siteId?: number | undefined;
  /** Options in their written form; missing ones come from the site, the config file and the defaults. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Start a new run even if an unfinished run of the same site could be resumed. */
  readonly isNew: boolean;
}

export interface ScrapeRequest extends Omit<FetchRequest, "config" | "namedBy"> {
  /** Default: the setting of the server. */
  readonly render?: "never" | "auto" | "always" | undefined;
}

export interface Engine {
  /** Resolves when the run is in the data file; the crawl continues in the background. */
  start(request: StartRequest): Promise<Run>;
  preview(request: StartRequest): Promise<Preview>;
  /** Continues a paused run, or resumes one that was stopped or interrupted. */
  resume(runId: number): Promise<Run>;
  pause(runId: number): Promise<Run>;
  /** Finishes what is in flight and keeps everything. Resolves when that is done, or after `wait` milliseconds. */
  stop(runId: number, wait: number): Promise<Run>;
  /** Ends the run now and discards what it has found. */
  cancel(runId: number): Promise<Removal>;
  /** Resolves with the number of queued URLs it removes; with `isDry` nothing is changed. */
  edit(runId: number, edit: RunEdit, isDry: boolean): Promise<AdjustResult>;
  /** Resolves when every run of this process has applied it. */
  editHost(host: string, edit: HostEdit): Promise<HostStatus>;
  /** Sets the runs whose single outcomes are sent from now on. */
  listen(wanted: WantedRuns): void;
  /** Throws for URLs that cannot be requested. */
  check(urls: readonly string[], options?: Readonly<Record<string, unknown>>): void;
  scrape(request: ScrapeRequest): Promise<FetchedPage>;
  enhance(request: Omit<EnhanceRequest, "config">): Promise<Enhancement>;
  readonly jobs: Jobs;
}

/** Runs whose single outcomes have at least one listener. */
export interface WantedRuns {
  readonly isAll: boolean;
  readonly runIds: readonly number[];
}

export interface Jobs {
  /** Starts a job and waits at most `wait` milliseconds for it to end. */
  start(kind: JobKind, input: Readonly<Record<string, unknown>>, wait: number): Promise<Job>;
  /** Waits at most `wait` milliseconds for an existing job to end. */
  await(id: number, wait: number): Promise<Job | undefined>;
  /** Cancels a job that is waiting or running. */
  cancel(id: number): Promise<Job | undefined>;
}

/** Current state of an active run. */
export interface LiveRun extends Progress {
  readonly isPaused: boolean;
  readonly seq: number;
  /** Pages fetched in the last minute. */
  readonly perMinute: number;
  /** Estimated remaining milliseconds; null if there is no estimate. */
  readonly etaMs: number | null;
  readonly phase: string;
}

/** An event from the engine to the front, serialized once for all clients. */
export interface EngineEvent {
  /** 0 for events of a job. */
  readonly runId: number;
  readonly type:
    | CrawlEvent["type"]
    | "crawl.progress"
    | "crawl.paused"
    | "crawl.resumed"
    | "crawl.failed"
    | "crawl.cancelled"
    | "job.progress"
    | "job.finished";
  /** Position in the order of settling, for settled outcomes; used as the SSE event id (`Last-Event-ID`). */
  readonly seq: number | undefined;
  /** Latest position of the run, sent from time to time. */
  readonly seqSoFar?: number | undefined;
  /** True for the last event of the run. */
  readonly isLast: boolean;
  /** The event document, as JSON. */
  readonly data: string;
}
