import type { DelayCause } from "../records.ts";
import { BackQueue, type Queued } from "./back-queue.ts";
import type { KnownPace } from "./backlog.ts";
import type { FrontierOptions } from "./options.ts";
import { type Answer, type Delay, delayAfter, freshPace, learn, type Pace, receiptAllowance, regularDelay } from "./politeness.ts";

/** What a person says of a host: a pace slower than ours, and a monotonic moment before which nothing is asked. */
export interface HostWish {
  readonly delay: number;
  readonly pausedUntil: number;
}

export const NO_WISH: HostWish = { delay: 0, pausedUntil: 0 };

export type PaceOptions = Pick<FrontierOptions, "rateLimit" | "autoSlow">;

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
  queue = new BackQueue();
  readonly errands: Errand[] = [];
  pace: Pace = freshPace();
  wish: HostWish = NO_WISH;
  inFlight = 0;
  /** Candidates that wait on disk only. */
  onDisk = 0;
  /** Until robots.txt is known only errands are let out. */
  isHeld = false;
  /** Whether it was asked already; until then, what others wrote down of it counts. */
  isOurs = false;
  /** Monotonic moment of the next turn, and why it is not sooner. */
  dueAt = 0;
  /** Until then all that waits here waits for its own moment. */
  restsUntil = 0;
  delay = 0;
  cause: DelayCause = "rate";
  done = 0;
  /** Requests that left and answers that came, counted. */
  moves = 0;
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

  /** When it may be asked, with leave of whoever paused it, and there is something to ask for. */
  get readyAt(): number {
    return Math.max(this.dueAt, this.wish.pausedUntil, this.errands.length > 0 ? 0 : this.restsUntil);
  }

  /** Why that is not sooner. */
  get why(): DelayCause {
    return this.wish.pausedUntil > this.dueAt ? "paused" : this.cause;
  }

  /** Our own rate, or the slower one that somebody wants for this host. */
  #regular({ rateLimit, autoSlow }: PaceOptions): Delay {
    return regularDelay(this.pace, Math.max(rateLimit, this.wish.delay), autoSlow === "on");
  }

  /** Whether there is anything to let out, politeness aside. */
  get hasWork(): boolean {
    return this.errands.length > 0 || (!this.isHeld && this.waiting > 0);
  }

  /** How many may be asked of it at once: one that fails, or of which we know nothing yet, is tried first. */
  most(perHost: number): number {
    return this.isOurs && this.pace.failures === 0 ? perHost : 1;
  }

  /** What is on disk of it. Its failures count on from there. */
  recall({ cause, delay, failures }: KnownPace): void {
    if (!this.isOurs) this.pace.failures = failures;
    this.cause = cause;
    this.delay = delay;
  }

  /** A request leaves now: the next may come a regular delay later. */
  take(now: number, options: PaceOptions): void {
    const { wait, cause } = this.#regular(options);
    this.inFlight += 1;
    this.moves += 1;
    this.dueAt = now + wait;
    this.delay = wait;
    this.cause = cause;
  }

  /** An answer, or none, came: it says when the host may next be asked. */
  learn(answer: Answer, duration: number, now: number, options: PaceOptions): void {
    this.moves += 1;
    learn(this.pace, answer);
    const { wait, cause } = delayAfter(this.pace, answer, this.#regular(options));
    // Where several are out at once, a good one that took longer than the delay does not hold up the others.
    const from = answer.kind === "answered" && this.inFlight > 1 ? now - duration + receiptAllowance(duration, wait) : now;
    this.dueAt = Math.max(this.dueAt, from + wait);
    this.delay = wait;
    this.cause = cause;
    if (cause !== "rate") this.costs.set(cause, (this.costs.get(cause) ?? 0) + wait - options.rateLimit);
  }

  /** The turn that fetched robots.txt was timed before its Crawl-delay was known. */
  heardCrawlDelay(crawlDelay: number, options: PaceOptions): void {
    this.pace.crawlDelay = Math.max(this.pace.crawlDelay ?? 0, crawlDelay);
    const { wait, cause } = this.#regular(options);
    if (wait > this.delay) this.dueAt = Math.max(this.dueAt, this.dueAt - this.delay + wait);
    this.delay = Math.max(this.delay, wait);
    if (this.cause === "rate") this.cause = cause;
  }

  isInBackOff(now: number): boolean {
    return this.hasWork && this.inFlight === 0 && this.cause === "backoff" && this.dueAt > now;
  }

  /** A person, or another process, knows that it is well: only the regular delay since it was last asked is left. */
  forgive(options: PaceOptions): void {
    this.pace.failures = 0;
    this.pace.doubts = 0;
    if (this.cause !== "backoff") return;
    const { wait, cause } = this.#regular(options);
    this.dueAt += Math.min(0, wait - this.delay);
    this.delay = wait;
    this.cause = cause;
  }

  /** Another rate holds, as if it had when the host was last asked. A pause that the host wants itself does not get shorter. */
  repace(options: PaceOptions): void {
    if (this.moves === 0) return;
    const { wait, cause } = this.#regular(options);
    const isOurs = this.cause === "rate" || this.cause === "crawl-delay" || this.cause === "slow";
    if (!isOurs && wait <= this.delay) return;
    this.dueAt += wait - this.delay;
    this.delay = wait;
    if (isOurs) this.cause = cause;
  }

  /**
   * A URL of this host failed. That is held against the URL only if the host is well: it answered this very request, or others
   * since. Answers whether a probe of the host has to tell, because there are no others to ask.
   */
  blame(item: Queued, answer: Answer): boolean {
    item.unspent += 1;
    const hasAnsweredSince = item.okWhenFailed !== undefined && this.pace.answered > item.okWhenFailed;
    const isAlone = this.onDisk === 0 && this.queue.allFailed();
    // A host that says "later" to the only URL we have for it has said so about this URL, and one that fails again
    // on the URL it failed on before, while it answered others, needs no further proof.
    const isItsOwn = isAlone && (answer.kind === "asked-to-wait" || item.attempts > 0);
    const isHostWell = answer.kind === "answered" || hasAnsweredSince || isItsOwn;
    if (isHostWell) {
      item.attempts += item.unspent;
      item.unspent = 0;
    }
    item.okWhenFailed = this.pace.answered;
    return !isHostWell && isAlone && this.errands.length === 0;
  }

  /** It is another process's now; what waits for it is on disk. */
  forsake(): void {
    this.queue = new BackQueue();
    this.errands.length = 0;
    this.onDisk = 0;
    this.isHeld = false;
  }

  bestLevel(): number {
    return this.errands.length > 0 ? 0 : Math.max(0, this.queue.bestLevel());
  }
}
