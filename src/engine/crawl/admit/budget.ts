import { type Clock, systemClock } from "../../../core/clock.ts";
import type { Sharing } from "../../frontier/index.ts";

/** The number of pages a run may still fetch. A worker takes one before it asks for work and returns it if the visit produced no page. */
export class Budget {
  #left: number;
  #inUse = 0;
  #spent = 0;
  readonly #waiting: ((granted: boolean) => void)[] = [];

  constructor(pages: number) {
    this.#left = pages;
  }

  /** False when the budget is spent and no worker holds a page it could return. */
  take(): Promise<boolean> {
    if (this.#left > 0) {
      this.#left -= 1;
      this.#inUse += 1;
      return Promise.resolve(true);
    }
    if (this.#inUse === 0) return Promise.resolve(false);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Sets the total, counted from the start of the run. */
  resize(pages: number): void {
    this.#left = pages - this.#spent - this.#inUse;
    for (let room = this.#left; room > 0 && this.#waiting.length > 0; room--) void this.take().then(this.#waiting.shift()!);
  }

  giveBack(): void {
    this.#inUse -= 1;
    this.#left += 1;
    const next = this.#waiting.shift();
    if (next) void this.take().then(next);
  }

  spend(): void {
    this.#inUse -= 1;
    this.#spent += 1;
    if (this.#inUse === 0 && this.#left <= 0) for (const resolve of this.#waiting.splice(0)) resolve(false);
  }
}

/** Pages taken at once from the limit that all processes share. */
const PAGES_PER_CHUNK = 8;
/** First and longest pause (ms) between attempts while other processes hold the remaining pages. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1000;

/** The page limit of a run with several processes: each takes pages from the shared remainder in chunks. */
export class SharedBudget {
  readonly #sharing: Pick<Sharing, "takePages" | "lives">;
  readonly #after: Clock["after"];
  #limit: number;
  #held = 0;
  #leasePeriod = 0;
  #inUse = 0;
  /** Whether the store has recorded that we hold no pages. */
  #isReported = true;
  #pendingRequest: Promise<number | undefined> | undefined;
  /** True if the last request was refused because other processes hold the rest, or granted less than a full chunk. */
  #isNearLimit = false;
  /** Workers that wait for a page; one timer serves all of them. */
  readonly #waiting: (() => void)[] = [];
  #pause = FIRST_PAUSE_MS;
  #stopTimer: (() => void) | undefined;

  constructor(sharing: Pick<Sharing, "takePages" | "lives">, limit: number, after: Clock["after"] = systemClock.after) {
    this.#sharing = sharing;
    this.#limit = limit;
    this.#after = after;
  }

  /** "later": other processes hold the remaining pages. */
  async take(): Promise<"yes" | "later" | "spent"> {
    if (this.#limit === Number.POSITIVE_INFINITY) return "yes";
    while (this.#isEmpty()) {
      const granted = await this.#requestPages();
      this.#isNearLimit = granted === undefined || granted < PAGES_PER_CHUNK;
      if (granted === undefined || (granted === 0 && this.#inUse > 0)) return "later";
      if (granted === 0) return "spent";
    }
    this.#pause = FIRST_PAUSE_MS;
    this.#held -= 1;
    this.#inUse += 1;
    return "yes";
  }

  /**
   * Returns a promise while starting a visit is pointless; it resolves after a pause or when `wakeAll` is called. Without it, each worker
   * would claim one host's turn after the other only to give it back.
   */
  waitForPages(): Promise<void> | undefined {
    if (!this.#isNearLimit || this.#limit === Number.POSITIVE_INFINITY || !this.#isEmpty()) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#stopTimer ??= this.#after(this.#pause, () => this.#retry());
    });
  }

  /** Wakes all waiting workers: the run has ended for us, or another limit applies. */
  wakeAll(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Wakes as many workers as there are pages; at least one, so that it meets an error or learns that the limit is spent. */
  #retry(): void {
    this.#stopTimer = undefined;
    this.#pause = Math.min(MAX_PAUSE_MS, 2 * this.#pause);
    const wake = (count: number) => {
      for (const one of this.#waiting.splice(0, count)) one();
      if (this.#waiting.length > 0) this.#stopTimer ??= this.#after(this.#pause, () => this.#retry());
    };
    const pending = this.#isEmpty() ? this.#requestPages() : Promise.resolve(this.#held);
    pending.then(
      (granted = 0) => {
        if (granted >= PAGES_PER_CHUNK) this.#isNearLimit = false;
        wake(granted >= PAGES_PER_CHUNK ? this.#waiting.length : Math.max(1, granted));
      },
      () => wake(1),
    );
  }

  #isEmpty(): boolean {
    if (this.#leasePeriod !== this.#sharing.lives()) this.#held = 0;
    this.#leasePeriod = this.#sharing.lives();
    return this.#held === 0;
  }

  /** One request at a time: each reports the number of visits in flight. */
  #requestPages(): Promise<number | undefined> {
    this.#pendingRequest ??= this.#requestChunk().finally(() => {
      this.#pendingRequest = undefined;
    });
    return this.#pendingRequest;
  }

  async #requestChunk(): Promise<number | undefined> {
    const granted = await this.#sharing.takePages(PAGES_PER_CHUNK, this.#limit, this.#inUse);
    this.#held += granted ?? 0;
    this.#isReported = false;
    return granted;
  }

  /** Call when a visit is over: its page is on disk, or it produced none and the next taker may have it. */
  settle(): void {
    if (this.#limit === Number.POSITIVE_INFINITY) return;
    this.#inUse -= 1;
    if (this.#inUse > 0 || this.#stopTimer === undefined) return;
    this.#stopTimer();
    this.#retry();
  }

  /** Returns unused pages to the shared limit; pages fetched since then are no longer reserved for us. */
  async giveBack(): Promise<void> {
    if (this.#isReported) return;
    this.#held = 0;
    this.#isReported = true;
    await this.#sharing.takePages(0, this.#limit, this.#inUse);
  }

  resize(limit: number): void {
    this.#limit = limit;
    this.#isNearLimit = false;
    this.wakeAll();
  }
}
