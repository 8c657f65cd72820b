import type { Candidate, DelayCause } from "../core/records.ts";

/** A host with candidates on disk. */
export interface HostBacklog {
  readonly host: string;
  readonly queued: number;
}

export interface StoredCandidate extends Candidate {
  readonly id: number;
  readonly attempts: number;
}

/** A host that needs candidates from disk: from each front queue the best, at most `share(level)`. */
export interface Want {
  readonly host: string;
  share(level: number): number;
  inMemory(id: number): boolean;
}

/** A request for one turn of a host, for the ledger row `visit` (0 for a robots errand). */
export interface TurnRequest {
  readonly host: string;
  readonly visit: number;
  /** Delay between this turn and the next, and its cause. */
  readonly delay: number;
  readonly cause: DelayCause;
  /**
   * Set for the first turn requested: when the run began. A back-off from before may no longer be justified, so the host is tried once
   * more, one regular delay after the last request. A wait that the host itself asked for is kept.
   */
  readonly beganAt?: number | undefined;
}

/** The stored pace of a host that must wait, or has failed. */
export interface KnownPace {
  readonly cause: DelayCause;
  readonly delay: number;
  readonly failures: number;
}

export type TurnReply =
  | { readonly granted: true; readonly known?: KnownPace | undefined }
  /** Lost: another process has leased the host; its candidates are on disk. */
  | { readonly granted: false; readonly wait: number; readonly isLost?: true; readonly known?: KnownPace | undefined };

/** For several processes in one run: each leases hosts, and may request only the URLs of those. */
export interface Sharing {
  holds(host: string): boolean;
  /** Whether a granted turn may still be used: the lease may have expired while this process was suspended. */
  mayAsk(host: string): boolean;
  /**
   * For an idle process: resolves to true as soon as there may be work again, and to false if the run has ended or has nothing left
   * anywhere that could be requested within `maxWait` milliseconds.
   */
  rest(maxWait: number): Promise<boolean>;
  /**
   * Reserves more pages of the limit shared by all processes, of which `stillOut` reserved before are not fetched yet; undefined while
   * others hold what is left.
   */
  takePages(wanted: number, most: number, stillOut: number): Promise<number | undefined>;
  /** How often this process was considered expired: everything claimed before that may be given to others. */
  lives(): number;
}

/**
 * The frontier's port to disk. An implementation must grant a turn only once, over all runs and processes that share the store, and must
 * store it before the reply, so that a crash cannot make the crawler impolite.
 */
export interface Backlog {
  /** Absent if a single process does everything. */
  readonly sharing?: Sharing | undefined;
  /**
   * Hosts with queued candidates, those that may be asked soonest first, without those in memory. If hosts are leased, these are leased
   * from now on; already leased hosts are returned again if others have added URLs to them.
   */
  hosts(limit: number, inMemory: (host: string) => boolean): Promise<readonly HostBacklog[]>;
  /** The best queued candidates of each host. */
  load(wants: readonly Want[]): Promise<readonly (readonly StoredCandidate[])[]>;
  claim(turns: readonly TurnRequest[]): Promise<readonly TurnReply[]>;
  /** Returns a claimed turn that was not used for a request. */
  giveBack(host: string): Promise<void>;
  /** The request of a claimed turn has ended: other processes may lease the host when it is due. */
  release(host: string): Promise<void>;
}
