import type { Candidate } from "../records.ts";
import type { Counters } from "./run.ts";

/** A process that is at work in a shared database. */
export interface WorkerCard {
  /** Machine, process and start: nobody else's, ever. */
  readonly id: string;
  /** What its people call it. */
  readonly name: string;
  readonly machine: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: number;
  /** Its last sign of life, by the clock of the database, and how long ago that is. */
  readonly seenAt: number;
  readonly silence: number;
  readonly isAlive: boolean;
  /** It finishes what it holds and takes nothing more. */
  readonly isDraining: boolean;
  readonly maxConcurrent: number;
  readonly leases: number;
  /** Requests that were out at its last word. */
  readonly out: number;
  /** Pages it has settled in runs that are still at work. */
  readonly pages: number;
  readonly runs: readonly number[];
}

export interface LeaseCard {
  readonly host: string;
  readonly worker: string;
  readonly runId: number;
  readonly until: number;
  readonly epoch: number;
  readonly nextAt: number;
  readonly queued: number;
}

/** A URL, by its row in the ledger, and how near it is. */
export interface NearerUrl extends Pick<Candidate, "url" | "key" | "hash" | "kind" | "depth" | "hops" | "via" | "parent" | "siteId"> {
  readonly id: number;
}

/** Who is at work where several processes share a database. In a file of one process there is nobody to tell of. */
export interface WorkerShelf {
  /** Whether several processes can be at work in one run. */
  readonly canShare: boolean;
  /** Those that were heard of lately, the first to start first. */
  list(): Promise<readonly WorkerCard[]>;
  leases(filter: { readonly worker?: string | undefined; readonly limit: number }): Promise<readonly LeaseCard[]>;
  /** This process is a worker from now on, under this name. */
  announce(worker: { readonly name: string; readonly maxConcurrent: number }): Promise<void>;
  /** It takes no more hosts. */
  drain(): Promise<void>;
  /** This process takes part in a run that another leads. */
  join(run: { readonly id: number; readonly counters: Counters }): Promise<void>;
  /** It has let go of everything of the run, in which it has counted so much. */
  leave(runId: number, counters: Counters): Promise<void>;
  /** Whether a run that this process began or took up is still its to end: where it was taken for dead, another may have followed it. */
  leads(runId: number): Promise<boolean>;
  /** Another may lead a run that this process has led: it goes on. */
  giveUpLead(runId: number): Promise<void>;
  /** URLs of a run that are nearer than what they lead to has heard, because whoever found out was killed. */
  nearer(runId: number): Promise<readonly NearerUrl[]>;
  /** That was said of them. */
  toldNearer(runId: number, urls: readonly NearerUrl[]): Promise<void>;
  /** Runs that are under way and that nobody wants to stop, with whether their leader still is; `isNext`: of those at work in it, this process is to follow. */
  running(): Promise<readonly { readonly runId: number; readonly isLed: boolean; readonly isNext: boolean }[]>;
  /** This process is about to end: it does not wait long for a database that is away. */
  hurry(): void;
  /** Resolves when somebody has said that there is something new, or after so many milliseconds. */
  wake(milliseconds: number): Promise<void>;
}
