import type { Candidate } from "../core/records.ts";
import type { Counters } from "./run.ts";

/** A worker process in a shared database. */
export interface WorkerInfo {
  /** From machine, process and start time; unique for ever. */
  readonly id: string;
  /** The name given by its operator. */
  readonly name: string;
  readonly machine: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: number;
  /** Time of its last heartbeat, by the database's clock, and how long ago that is. */
  readonly seenAt: number;
  readonly silence: number;
  readonly isAlive: boolean;
  /** It finishes its current hosts and takes no more. */
  readonly isDraining: boolean;
  readonly maxConcurrent: number;
  readonly leases: number;
  /** Requests in flight at its last settlement. */
  readonly out: number;
  /** Pages it has settled in runs that are still going on. */
  readonly pages: number;
  readonly runs: readonly number[];
}

export interface LeaseInfo {
  readonly host: string;
  readonly worker: string;
  readonly runId: number;
  readonly until: number;
  readonly epoch: number;
  readonly nextAt: number;
  readonly queued: number;
}

/** A URL with its ledger row and its new depth. */
export interface ShallowerUrl extends Pick<Candidate, "url" | "key" | "hash" | "kind" | "depth" | "hops" | "via" | "parent" | "siteId"> {
  readonly id: number;
}

/** The workers of a shared database. A SQLite file has none. */
export interface WorkerStore {
  /** Whether several processes can work in one run. */
  readonly canShare: boolean;
  /** Registered workers, in the order they started. */
  list(): Promise<readonly WorkerInfo[]>;
  leases(filter: { readonly worker?: string | undefined; readonly limit: number }): Promise<readonly LeaseInfo[]>;
  /** Registers this process as a worker with this name. */
  announce(worker: { readonly name: string; readonly maxConcurrent: number }): Promise<void>;
  /** Takes no more hosts. */
  drain(): Promise<void>;
  /** Joins a run that another process leads. */
  join(run: { readonly id: number; readonly counters: Counters }): Promise<void>;
  /** Leaves the run after releasing everything in it, with the counters of this process. */
  leave(runId: number, counters: Counters): Promise<void>;
  /** Whether this process still leads a run that it started or resumed: if it was considered expired, another may have taken over. */
  isLeader(runId: number): Promise<boolean>;
  /** Gives up leading a run, which goes on under another leader. */
  resignLead(runId: number): Promise<void>;
  /** URLs whose depth became smaller and was not propagated to their links, because the process that found it was killed. */
  pendingDepths(runId: number): Promise<readonly ShallowerUrl[]>;
  /** Marks them as propagated. */
  markDepthsDone(runId: number, urls: readonly ShallowerUrl[]): Promise<void>;
  /** Runs that are going on and not asked to stop, with whether their leader is running; `isNext`: this process is the one to take over. */
  running(): Promise<readonly { readonly runId: number; readonly hasLeader: boolean; readonly isNext: boolean }[]>;
  /** This process is ending: do not wait long for a database that is away. */
  shortenWaits(): void;
  /** Resolves when another worker signals new work, or after the given time. */
  waitForSignal(milliseconds: number): Promise<void>;
}
