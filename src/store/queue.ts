import type { DelayCause, Page, Reason, Verdict } from "../core/records.ts";

/** A queued URL, as shown to users. */
export interface QueuedUrl {
  readonly id: number;
  readonly url: string;
  readonly host: string;
  readonly kind: string;
  readonly depth: number;
  readonly level: number;
  readonly priority: number;
  readonly attempts: number;
  readonly parentUrl: string | null;
  /** When its host may be asked next. */
  readonly notBefore: number;
}

/** A cursor in a queue. */
export interface QueueCursor {
  readonly hostId: number;
  readonly level: number;
  readonly priority: number;
  readonly id: number;
}

export interface HostState {
  readonly host: string;
  readonly queued: number;
  readonly done: number;
  readonly failed: number;
  readonly nextAt: number;
  readonly delayMs: number;
  readonly cause: DelayCause;
  readonly failures: number;
}

/** The pace of a host, independent of runs. */
export type HostPace = Pick<HostState, "host" | "nextAt" | "delayMs" | "cause" | "failures">;

/** A URL that was visited, and its outcome. */
export interface SettledUrl {
  readonly seq: number;
  readonly url: string;
  readonly depth: number;
  readonly verdict: Verdict;
  readonly reason: Reason;
  readonly rule: string;
  readonly status: number | null;
  readonly at: number;
  /** The page as it is now, if this run was the last to visit it. */
  readonly page: Page | undefined;
}

export interface RemovedUrl {
  readonly id: number;
  readonly reason: Reason;
  readonly rule: string;
}

/** The queued and the settled URLs of a run. */
export interface QueueStore {
  /** Ordered by host, then by queue order. */
  queuedUrls(
    runId: number,
    options: { readonly host?: string | undefined; readonly after?: QueueCursor | undefined; readonly limit: number },
  ): Promise<readonly (QueuedUrl & { readonly place: QueueCursor })[]>;
  hosts(runId: number, options: { readonly counts: boolean; readonly limit: number }): Promise<readonly HostState[]>;
  /**
   * Hosts that may not be asked before a time after `now`, earliest first. Waits that are just the usual short delay between two turns are
   * left out.
   */
  pauses(now: number, limit: number): Promise<readonly HostPace[]>;
  pace(host: string): Promise<HostPace | undefined>;
  /** Resets its failures; it may be asked from `nextAt`. */
  resetHost(host: string, nextAt: number, now: number): Promise<void>;
  /** In the order of settling, after this sequence number. */
  settled(runId: number, after: number): AsyncIterable<SettledUrl>;
  /** Queued URLs in batches, by row id. */
  listQueued(runId: number, after: number, limit: number): Promise<readonly Pick<QueuedUrl, "id" | "url" | "host" | "kind">[]>;
  /** Takes the rows out of the queue, so that they are not visited. */
  removeQueued(rows: readonly RemovedUrl[], at: number): Promise<void>;
}
