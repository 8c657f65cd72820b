import type { Clock } from "../../core/clock.ts";
import type { Fetched, Turn, Visit } from "../../core/records.ts";
import type { Backlog } from "../../store/index.ts";
import type { Queued } from "./back-queue.ts";
import type { Errand, HostQueue } from "./host-queue.ts";

/** The gate's decision about a candidate, before a turn of its host is spent on it. */
export type GateVerdict =
  | { readonly kind: "go"; readonly crawlDelay: number | undefined }
  | { readonly kind: "errand"; readonly errand: Errand }
  | { readonly kind: "refused"; readonly fetched: Fetched };

/** A job for a worker. The turn of a refused one is spent: it cannot be fetched. */
export type Job =
  | { readonly kind: "visit"; readonly visit: Visit }
  | { readonly kind: "errand"; readonly errand: Errand; readonly turn: Turn }
  | { readonly kind: "refused"; readonly visit: Visit; readonly fetched: Fetched };

export interface FrontierPorts {
  readonly backlog: Backlog;
  readonly gate: (candidate: Queued) => GateVerdict;
  readonly clock: Omit<Clock, "wall">;
  /** Wall-clock time; what the store knows of hosts from before it was written by other runs. */
  readonly beganAt?: number;
}

/** An item chosen to be sent, and the host whose turn it takes. */
export interface PickedItem {
  readonly host: HostQueue;
  readonly item: Queued | Errand;
  /** Whether a request is made, which uses one of the host's concurrent requests. */
  readonly isRequest: boolean;
  /** The host's `moves` when this item was chosen. */
  readonly movesAtPick: number;
}

/** An errand after a robots.txt redirect to another host: the original host still waits for it. */
export const isForOtherHost = ({ item }: PickedItem) => !isQueued(item) && item.hops > 0;

/** Robots errands have no row in the ledger. */
export const isQueued = (item: Queued | Errand): item is Queued => "id" in item;
