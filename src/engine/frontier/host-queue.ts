import type { DelayCause } from "../../core/records.ts";
import type { KnownPace } from "../../store/index.ts";
import { BackQueue, type Queued } from "./back-queue.ts";
import type { FrontierOptions } from "./options.ts";
import { type Answer, type Delay, delayAfter, newPace, type Pace, receiptAllowance, regularDelay, updatePace } from "./politeness.ts";

/** Per-host settings of a user: a rate slower than ours, and a monotonic time before which nothing is requested. */
export interface HostWish {
  readonly delay: number;
  readonly pausedUntil: number;
}

export const NO_HOST_SETTINGS: HostWish = { delay: 0, pausedUntil: 0 };

export type PaceOptions = Pick<FrontierOptions, "rateLimit" | "autoSlow">;

/** A robots.txt request waiting for its host's turn. */
export interface Errand {
  readonly url: string;
  /** The origin whose rules are requested; another host's after a redirect. */
  readonly origin: string;
  readonly hops: number;
  /** Only checks whether the host answers at all; its rules are known. */
  readonly isProbe?: boolean;
}

/** One host in the frontier: its back queue and its pace. */
export class HostQueue {
  readonly name: string;
  readonly group: number;
  queue = new BackQueue();
  readonly errands: Errand[] = [];
  pace: Pace = newPace();
  wish: HostWish = NO_HOST_SETTINGS;
  inFlight = 0;
  /** Number of candidates that are only on disk. */
  onDisk = 0;
  /** Until robots.txt is known, only errands are sent. */
  isHeld = false;
  /** Whether this process has already asked the host; until then, the pace stored by others counts. */
  isOurs = false;
  /** Whether anything came back from it in this process, even an error or a refusal. */
  hasSpoken = false;
  /** Whether candidates of it are refused without a request, because its robots.txt could not be had; that happens in its next turn. */
  isClosed = false;
  /** Monotonic time of the next turn, and the cause of the delay. */
  dueAt = 0;
  /** Until this time every candidate in memory is delayed. */
  restsUntil = 0;
  delay = 0;
  cause: DelayCause = "rate";
  done = 0;
  /** Counts requests sent and answers received. */
  moves = 0;
  /** Milliseconds of waiting not caused by our own rate, by cause. */
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

  /** When it may be asked: it is due, not paused by a user, and has a candidate that may go. */
  get readyAt(): number {
    return Math.max(this.dueAt, this.wish.pausedUntil, this.errands.length > 0 ? 0 : this.restsUntil);
  }

  /** The cause of the wait. */
  get why(): DelayCause {
    return this.wish.pausedUntil > this.dueAt ? "paused" : this.cause;
  }

  /** Our own rate, or the slower one set for this host. */
  #regularDelay({ rateLimit, autoSlow }: PaceOptions): Delay {
    return regularDelay(this.pace, Math.max(rateLimit, this.wish.delay), autoSlow === "on");
  }

  /** Whether there is anything to send, apart from politeness. */
  get hasWork(): boolean {
    return this.errands.length > 0 || (!this.isHeld && this.waiting > 0);
  }

  /** Maximum concurrent requests: a host that fails, or is not known yet, is tried with one first. */
  most(perHost: number): number {
    return this.isOurs && this.pace.failures === 0 ? perHost : 1;
  }

  /** Restores the stored pace; failures continue from the stored count. */
  recall({ cause, delay, failures }: KnownPace): void {
    if (!this.isOurs) this.pace.failures = failures;
    this.cause = cause;
    this.delay = delay;
  }

  /** A request is sent now: the next one may follow after the regular delay. */
  take(now: number, options: PaceOptions): void {
    const { wait, cause } = this.#regularDelay(options);
    this.inFlight += 1;
    this.moves += 1;
    this.dueAt = now + wait;
    this.delay = wait;
    this.cause = cause;
  }

  /** The request ended, with or without an answer: sets when the host may be asked next. */
  learn(answer: Answer, duration: number, now: number, options: PaceOptions): void {
    this.moves += 1;
    updatePace(this.pace, answer);
    const { wait, cause } = delayAfter(this.pace, answer, this.#regularDelay(options));
    // With several requests in flight, a successful one that took longer than the delay does not hold up the others.
    const from = answer.kind === "answered" && this.inFlight > 1 ? now - duration + receiptAllowance(duration, wait) : now;
    this.dueAt = Math.max(this.dueAt, from + wait);
    this.delay = wait;
    this.cause = cause;
    if (cause !== "rate") this.costs.set(cause, (this.costs.get(cause) ?? 0) + wait - options.rateLimit);
  }

  /** The turn that fetched robots.txt was timed before its Crawl-delay was known. */
  heardCrawlDelay(crawlDelay: number, options: PaceOptions): void {
    this.pace.crawlDelay = Math.max(this.pace.crawlDelay ?? 0, crawlDelay);
    const { wait, cause } = this.#regularDelay(options);
    if (wait > this.delay) this.dueAt = Math.max(this.dueAt, this.dueAt - this.delay + wait);
    this.delay = Math.max(this.delay, wait);
    if (this.cause === "rate") this.cause = cause;
  }

  /** Nothing came back from it in this run, and it was asked as often as a URL may be: it is still tried, but not waited for. */
  isSilent(retries: number): boolean {
    return this.isOurs && !this.hasSpoken && !this.isClosed && this.cause === "backoff" && this.pace.failures > retries;
  }

  isInBackOff(now: number): boolean {
    return this.hasWork && this.inFlight === 0 && this.cause === "backoff" && this.dueAt > now;
  }

  /** A user, or another process, knows that the host works: only the regular delay since the last request remains. */
  forgive(options: PaceOptions): void {
    this.pace.failures = 0;
    this.pace.doubts = 0;
    if (this.cause !== "backoff") return;
    const { wait, cause } = this.#regularDelay(options);
    this.dueAt += Math.min(0, wait - this.delay);
    this.delay = wait;
    this.cause = cause;
  }

  /** Applies a new rate, as if it had been set at the last request. A pause that the host itself asked for is not shortened. */
  repace(options: PaceOptions): void {
    if (this.moves === 0) return;
    const { wait, cause } = this.#regularDelay(options);
    const isOurs = this.cause === "rate" || this.cause === "crawl-delay" || this.cause === "slow";
    if (!isOurs && wait <= this.delay) return;
    this.dueAt += wait - this.delay;
    this.delay = wait;
    if (isOurs) this.cause = cause;
  }

  /**
   * A URL of this host failed. The failure counts against the URL only if the host works: it answered this request, or others since.
   * Returns whether a probe of the host is needed, because it has no other URLs to try.
   */
  blame(item: Queued, answer: Answer): boolean {
    item.unspent += 1;
    const hasAnsweredSince = item.okWhenFailed !== undefined && this.pace.answered > item.okWhenFailed;
    const isOnlyUrl = this.onDisk === 0 && this.queue.allFailed();
    // If the only URL of a host is asked to wait, that wait applies to the URL; and a URL that fails again, while its host answered
    // others, needs no further proof.
    const countsAgainstUrl = isOnlyUrl && (answer.kind === "asked-to-wait" || item.attempts > 0);
    const isHostWorking = answer.kind === "answered" || hasAnsweredSince || countsAgainstUrl;
    if (isHostWorking) {
      item.attempts += item.unspent;
      item.unspent = 0;
    }
    item.okWhenFailed = this.pace.answered;
    return !isHostWorking && isOnlyUrl && this.errands.length === 0;
  }

  /** Another process has leased the host; its candidates are on disk. */
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
