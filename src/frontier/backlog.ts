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

/** A wish to ask a host once, for the ledger row `visit` (0 for a robots errand). */
export interface TurnRequest {
  readonly host: string;
  readonly visit: number;
  /** How long after this turn the next may come, and why. */
  readonly delay: number;
  readonly cause: DelayCause;
}

export type TurnReply = { readonly granted: true } | { readonly granted: false; readonly wait: number };

/**
 * The frontier's port to disk. Whoever implements it makes sure that a turn is granted once, over all runs and
 * processes that share the store, and that it is on disk before the reply: a crash cannot make us impolite.
 */
export interface Backlog {
  /** Hosts with queued candidates, the ones that may be asked soonest first, leaving out those in memory. */
  hosts(limit: number, inMemory: (host: string) => boolean): Promise<readonly HostBacklog[]>;
  /** The best queued candidates of a host: each front queue gives at most `share(level)`. */
  load(host: string, share: (level: number) => number, inMemory: (id: number) => boolean): Promise<readonly StoredCandidate[]>;
  claim(turns: readonly TurnRequest[]): Promise<readonly TurnReply[]>;
  /** A claimed turn that no request was made with. */
  giveBack(host: string): Promise<void>;
  /** The request of a claimed turn came back: others may have the host when it is due. */
  release(host: string): Promise<void>;
}
