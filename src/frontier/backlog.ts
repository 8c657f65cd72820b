import type { Candidate, DelayCause } from "../records.ts";

/** A host with candidates on disk. */
export interface HostBacklog {
  readonly host: string;
  readonly queued: number;
}

export interface StoredCandidate extends Candidate {
  readonly id: number;
  readonly attempts: number;
}

/** A host of which memory ran short: each front queue is to give the best it has, at most `share(level)`. */
export interface Want {
  readonly host: string;
  share(level: number): number;
  inMemory(id: number): boolean;
}

/** A wish to ask a host once, for the ledger row `visit` (0 for a robots errand). */
export interface TurnRequest {
  readonly host: string;
  readonly visit: number;
  /** How long after this turn the next may come, and why. */
  readonly delay: number;
  readonly cause: DelayCause;
  /**
   * Of the first turn that is asked for: when the run began. A back-off from before may have outlived its cause, so the host is tried once more,
   * a regular delay after it was last asked. What the host itself asked for holds.
   */
  readonly beganAt?: number | undefined;
}

/** What is on disk of a host that must wait, or has failed. */
export interface KnownPace {
  readonly cause: DelayCause;
  readonly delay: number;
  readonly failures: number;
}

export type TurnReply =
  | { readonly granted: true; readonly known?: KnownPace | undefined }
  /** Lost: the host is another process's now, and what waits for it is on disk. */
  | { readonly granted: false; readonly wait: number; readonly isLost?: true; readonly known?: KnownPace | undefined };

/** Where several processes are at work in one run: each leases hosts, and only what waits for those is its to ask for. */
export interface Sharing {
  holds(host: string): boolean;
  /** Whether a turn of the host that was granted is still ours to use: whoever stood still meanwhile may have lost it. */
  mayAsk(host: string): boolean;
  /**
   * For whoever has nothing left to do: true as soon as there may be something again, false when nothing of the run is left
   * anywhere that could be asked within so many milliseconds, or the run has ended.
   */
  rest(maxWait: number): Promise<boolean>;
  /** Takes so many more of the pages that all together may fetch, while so many taken before are not fetched yet; undefined while others hold what is left. */
  takePages(wanted: number, most: number, stillOut: number): Promise<number | undefined>;
  /** How often we were taken for dead: what was taken in an earlier life is anybody's again. */
  lives(): number;
}

/**
 * The frontier's port to disk. Whoever implements it makes sure that a turn is granted once, over all runs and
 * processes that share the store, and that it is on disk before the reply: a crash cannot make us impolite.
 */
export interface Backlog {
  /** Absent where one process does it all. */
  readonly sharing?: Sharing | undefined;
  /**
   * Hosts with queued candidates, the ones that may be asked soonest first, leaving out those in memory. Where hosts are leased
   * they are ours from here on, and of those that are, the ones that others have named URLs of come again.
   */
  hosts(limit: number, inMemory: (host: string) => boolean): Promise<readonly HostBacklog[]>;
  /** The best queued candidates of each host. */
  load(wants: readonly Want[]): Promise<readonly (readonly StoredCandidate[])[]>;
  claim(turns: readonly TurnRequest[]): Promise<readonly TurnReply[]>;
  /** A claimed turn that no request was made with. */
  giveBack(host: string): Promise<void>;
  /** The request of a claimed turn came back: others may have the host when it is due. */
  release(host: string): Promise<void>;
}
