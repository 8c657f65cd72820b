import type { DelayCause, Page, Reason, Verdict } from "../records.ts";

/** A URL that waits, as people look at it. */
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
  /** When its host may next be asked. */
  readonly notBefore: number;
}

/** Where a page of a queue ended. */
export interface QueuePlace {
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

/** A host by itself, whoever crawls it. */
export type HostPace = Pick<HostState, "host" | "nextAt" | "delayMs" | "cause" | "failures">;

/** What became of a URL that had its turn. */
export interface SettledUrl {
  readonly seq: number;
  readonly url: string;
  readonly depth: number;
  readonly verdict: Verdict;
  readonly reason: Reason;
  readonly rule: string;
  readonly status: number | null;
  readonly at: number;
  /** As it is now, if this run was the last to meet it. */
  readonly page: Page | undefined;
}

export interface TakenOut {
  readonly id: number;
  readonly reason: Reason;
  readonly rule: string;
}

/** What waits in a run, and what has had its turn. */
export interface QueueLooks {
  /** In the order of their hosts, then in the order they will be asked. */
  waiting(
    runId: number,
    how: { readonly host?: string | undefined; readonly after?: QueuePlace | undefined; readonly limit: number },
  ): Promise<readonly (QueuedUrl & { readonly place: QueuePlace })[]>;
  hosts(runId: number, how: { readonly counts: boolean; readonly limit: number }): Promise<readonly HostState[]>;
  /** Hosts that may not be asked before a later moment than this one, the first of them first. Every host waits a moment between two turns: that is not told. */
  pauses(now: number, limit: number): Promise<readonly HostPace[]>;
  pace(host: string): Promise<HostPace | undefined>;
  /** Its failures are forgotten, and it may be asked from a moment on. */
  freeHost(host: string, nextAt: number, now: number): Promise<void>;
  /** In the order they were settled, from one place on. */
  settled(runId: number, after: number): AsyncIterable<SettledUrl>;
  /** Pages of a queue, by their rows: for whoever looks at each. */
  walk(runId: number, after: number, limit: number): Promise<readonly Pick<QueuedUrl, "id" | "url" | "host" | "kind">[]>;
  /** They are not to be visited any more. */
  takeOut(rows: readonly TakenOut[], at: number): Promise<void>;
}
