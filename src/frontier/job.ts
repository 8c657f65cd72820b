import type { Clock } from "../clock.ts";
import type { Fetched, Turn, Visit } from "../records.ts";
import type { Queued } from "./back-queue.ts";
import type { Backlog } from "./backlog.ts";
import type { Errand, HostQueue } from "./host-queue.ts";

/** What the gate says about a candidate before its host's turn is spent on it. */
export type GateVerdict =
  | { readonly kind: "go"; readonly crawlDelay: number | undefined }
  | { readonly kind: "errand"; readonly errand: Errand }
  | { readonly kind: "refused"; readonly fetched: Fetched };

/** Something a worker takes from the frontier. The turn of a refused one is spent: it cannot be fetched. */
export type Job =
  | { readonly kind: "visit"; readonly visit: Visit }
  | { readonly kind: "errand"; readonly errand: Errand; readonly turn: Turn }
  | { readonly kind: "refused"; readonly visit: Visit; readonly fetched: Fetched };

export interface FrontierPorts {
  readonly backlog: Backlog;
  readonly gate: (candidate: Queued) => GateVerdict;
  readonly clock: Omit<Clock, "wall">;
  /** By the wall's clock: what was learned of hosts before was learned by others. */
  readonly beganAt?: number;
}

/** Something on its way out, and whose turn it takes. */
export interface Pick {
  readonly host: HostQueue;
  readonly item: Queued | Errand;
  /** Whether a request is made, which takes one of the host's places. */
  readonly isAsked: boolean;
  /** How much had happened to the host when this one was let out. */
  readonly since: number;
}

/** An errand that robots.txt of another host led to: that host is still waited for. */
export const isForAnother = ({ item }: Pick) => !isQueued(item) && item.hops > 0;

/** Robots errands have no row in the ledger. */
export const isQueued = (item: Queued | Errand): item is Queued => "id" in item;
