/** Runs as the API holds them. They live in a process of their own, so that no reader of the API can slow them down, and none of them the API. */
import type { CrawlEvent, Progress } from "../crawl/index.ts";
import type { Run } from "../store/index.ts";

export interface StartRequest {
  readonly seeds: readonly string[];
  /** Options as people write them; what is not said comes from the site, the config file and the defaults. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Also where an unfinished run of the same site could be taken up. */
  readonly isNew: boolean;
}

/** What may change while a run is at work. */
export interface RunEdit {
  readonly exclude?: readonly string[] | undefined;
  readonly include?: readonly string[] | undefined;
  readonly rateLimit?: string | undefined;
  readonly maxConcurrent?: number | undefined;
  readonly maxPages?: number | undefined;
}

export interface Engine {
  /** Resolves when the run is in the data file; it goes on by itself. */
  start(request: StartRequest): Promise<Run>;
  /** Takes up a run that was stopped or interrupted. */
  takeUp(runId: number): Promise<Run>;
  pause(runId: number): void;
  goOn(runId: number): void;
  /** Finishes what is in flight and keeps everything. */
  stop(runId: number): Promise<Run>;
  /** Ends now, and what the run has found is thrown away. */
  cancel(runId: number): Promise<void>;
  /** Answers how many queued URLs it takes out; with `isDry` nothing is changed. */
  edit(runId: number, edit: RunEdit, isDry: boolean): Promise<{ readonly removed: number }>;
  /** Undefined where the run is not at work here. */
  progress(runId: number): (Progress & { readonly isPaused: boolean }) | undefined;
}

/** What the engine tells the front, made into text once for however many listen. */
export interface EngineEvent {
  readonly runId: number;
  readonly siteIds: readonly number[];
  readonly type:
    | CrawlEvent["type"]
    | "crawl.progress"
    | "crawl.paused"
    | "crawl.resumed"
    | "crawl.failed"
    | "job.progress"
    | "job.finished";
  /** Place in the order of settling, where it is a settled outcome: what `Last-Event-ID` names. */
  readonly seq: number | undefined;
  /** JSON. */
  readonly data: string;
}
