/** Runs and long jobs as the API holds them. They live in a process of their own, so that no reader of the API can slow them down, and none of them the API. */
import type { CrawlEvent, Progress } from "../crawl/index.ts";
import type { Adjusted, RunEdit } from "../operations/adjust-run.ts";
import type { Enhancement, EnhanceRequest } from "../operations/enhance.ts";
import type { FetchedPage, FetchRequest } from "../operations/fetch-page.ts";
import type { HostEdit, HostSaid } from "../operations/hosts.ts";
import type { Preview } from "../operations/preview.ts";
import type { Job, JobKind, Removal, Run } from "../store/index.ts";

export interface StartRequest {
  readonly seeds: readonly string[];
  /** Instead of seeds: a site that is known. */
  readonly siteId?: number | undefined;
  /** Options as people write them; what is not said comes from the site, the config file and the defaults. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Also where an unfinished run of the same site could be taken up. */
  readonly isNew: boolean;
}

export interface ScrapeRequest extends Omit<FetchRequest, "config" | "namedBy"> {
  /** What the server does by itself, unless it is said. */
  readonly render?: "never" | "auto" | "always" | undefined;
}

export interface Engine {
  /** Resolves when the run is in the data file; it goes on by itself. */
  start(request: StartRequest): Promise<Run>;
  preview(request: StartRequest): Promise<Preview>;
  /** Lets a run go on that is paused, or takes up one that was stopped or interrupted. */
  goOn(runId: number): Promise<Run>;
  pause(runId: number): Promise<Run>;
  /** Finishes what is in flight and keeps everything. Answers when it has, or this many milliseconds later. */
  stop(runId: number, wait: number): Promise<Run>;
  /** Ends now, and what the run has found is thrown away. */
  cancel(runId: number): Promise<Removal>;
  /** Answers how many queued URLs it takes out; with `isDry` nothing is changed. */
  edit(runId: number, edit: RunEdit, isDry: boolean): Promise<Adjusted>;
  /** Answers when every run here heeds it. */
  sayOfHost(host: string, edit: HostEdit): Promise<HostSaid>;
  /** Whose single outcomes are told from now on. */
  listen(wanted: Wanted): void;
  /** Refuses addresses that cannot be asked for. */
  check(urls: readonly string[], options?: Readonly<Record<string, unknown>>): void;
  scrape(request: ScrapeRequest): Promise<FetchedPage>;
  enhance(request: Omit<EnhanceRequest, "config">): Promise<Enhancement>;
  readonly jobs: Jobs;
}

/** Runs whose outcomes somebody listens to. */
export interface Wanted {
  readonly isAll: boolean;
  readonly runIds: readonly number[];
}

export interface Jobs {
  /** Waits so many milliseconds for it to end, at most. */
  start(kind: JobKind, input: Readonly<Record<string, unknown>>, wait: number): Promise<Job>;
  /** The same for one that is there. */
  await(id: number, wait: number): Promise<Job | undefined>;
  /** Ends one that waits or is under way. */
  cancel(id: number): Promise<Job | undefined>;
}

/** A run at work, as it stands. */
export interface LiveRun extends Progress {
  readonly isPaused: boolean;
  readonly seq: number;
  /** Pages in the last minute. */
  readonly perMinute: number;
  /** Milliseconds, as far as that can be told. */
  readonly etaMs: number | null;
  readonly phase: string;
}

/** What the engine tells the front, made into text once for however many listen. */
export interface EngineEvent {
  /** 0 where it is about a job. */
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
  /** Place in the order of settling, where it is a settled outcome: what `Last-Event-ID` names. */
  readonly seq: number | undefined;
  /** Where the run is in that order, told now and then. */
  readonly seqSoFar?: number | undefined;
  /** Nothing more comes of this run for now. */
  readonly isLast: boolean;
  /** JSON. */
  readonly data: string;
}
