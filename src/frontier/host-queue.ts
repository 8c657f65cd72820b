import type { DelayCause } from "../records.ts";
import { BackQueue, type Queued } from "./back-queue.ts";
import { freshPace, type Pace } from "./politeness.ts";

/** A robots.txt request waiting for its host's turn. */
export interface Errand {
  readonly url: string;
  /** The origin whose rules are wanted; another host's after a redirect. */
  readonly origin: string;
  readonly hops: number;
  /** Only asks whether the host answers at all; its rules are known. */
  readonly isProbe?: boolean;
}

/** One host's place in the frontier: the back queue that the mapping table leads to, and the host's pace. */
export class HostQueue {
  readonly name: string;
  readonly group: number;
  readonly queue = new BackQueue();
  readonly errands: Errand[] = [];
  pace: Pace = freshPace();
  inFlight = 0;
  /** Candidates that wait on disk only. */
  onDisk = 0;
  /** Until robots.txt is known only errands are let out. */
  isHeld = false;
  /** Monotonic moment of the next turn, and why it is not sooner. */
  dueAt = 0;
  delay = 0;
  cause: DelayCause = "rate";
  done = 0;
  /** Milliseconds that something other than our own rate made us wait, by cause. */
  readonly costs = new Map<DelayCause, number>();
  heapIndex = -1;
  isReady = false;

  constructor(name: string, group: number) {
    this.name = name;
    this.group = group;
  }

  get waiting(): number {
    return this.queue.size + this.onDisk;
  }

  /** Whether there is anything to let out, politeness aside. */
  get hasWork(): boolean {
    return this.errands.length > 0 || (!this.isHeld && this.waiting > 0);
  }

  bestLevel(): number {
    return this.errands.length > 0 ? 0 : Math.max(0, this.queue.bestLevel());
  }

  /** A copy from disk, as it waits in memory. */
  static queued(stored: Omit<Queued, "notBefore" | "okWhenFailed" | "unspent">): Queued {
    return { ...stored, notBefore: 0, okWhenFailed: undefined, unspent: 0 };
  }
}
