import { type Clock, systemClock } from "../clock.ts";
import type { Sharing } from "../frontier/index.ts";

/** The number of pages a run may still fetch. A worker takes one before it asks for work and returns it if the visit produced no page. */
export class Budget {
  #left: number;
  #out = 0;
  #spent = 0;
  readonly #waiting: ((granted: boolean) => void)[] = [];

  constructor(pages: number) {
    this.#left = pages;
  }

  /** False when the budget is spent and no worker holds a page it could return. */
  take(): Promise<boolean> {
    if (this.#left > 0) {
      this.#left -= 1;
      this.#out += 1;
      return Promise.resolve(true);
    }
    if (this.#out === 0) return Promise.resolve(false);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Sets the total, counted from the start of the run. */
  resize(pages: number): void {
    this.#left = pages - this.#spent - this.#out;
    for (let room = this.#left; room > 0 && this.#waiting.length > 0; room--) void this.take().then(this.#waiting.shift()!);
  }

  giveBack(): void {
    this.#out -= 1;
    this.#left += 1;
    const next = this.#waiting.shift();
    if (next) void this.take().then(next);
  }

  spend(): void {
    this.#out -= 1;
    this.#spent += 1;
    if (this.#out === 0 && this.#left <= 0) for (const refuse of this.#waiting.splice(0)) refuse(false);
  }
}

/** Pages taken at once from the limit that all processes share. */
const CHUNK = 8;
/** First and longest pause (ms) between attempts while other processes hold the remaining pages. */
const FIRST_LOOK = 100;
const LAST_LOOK = 1000;

/** The page limit of a run with several processes: each takes pages from the shared remainder in chunks. */
export class SharedBudget {
  readonly #sharing: Pick<Sharing, "takePages" | "lives">;
  readonly #after: Clock["after"];
  #most: number;
  #held = 0;
  #life = 0;
  #out = 0;
  /** Whether the store has recorded that we hold no pages. */
  #isTold = true;
  #taking: Promise<number | undefined> | undefined;
  /** True if the last request was refused because other processes hold the rest, or granted less than a full chunk. */
  #isShort = false;
  /** Workers that wait for a page; one timer serves all of them. */
  readonly #waiting: (() => void)[] = [];
  #pause = FIRST_LOOK;
  #stopTimer: (() => void) | undefined;

  constructor(sharing: Pick<Sharing, "takePages" | "lives">, most: number, after: Clock["after"] = systemClock.after) {
    this.#sharing = sharing;
    this.#most = most;
    this.#after = after;
  }

  /** "later": other processes hold the remaining pages. */
  async take(): Promise<"yes" | "later" | "spent"> {
    if (this.#most === Number.POSITIVE_INFINITY) return "yes";
    while (this.#holdsNothing()) {
      const granted = await this.#takeSome();
      this.#isShort = granted === undefined || granted < CHUNK;
      if (granted === undefined || (granted === 0 && this.#out > 0)) return "later";
      if (granted === 0) return "spent";
    }
    this.#pause = FIRST_LOOK;
    this.#held -= 1;
    this.#out += 1;
    return "yes";
  }

  /**
   * Returns a promise while starting a visit is pointless; it resolves after a pause or when `wakeAll` is called. Without it, each worker
   * would claim one host's turn after the other only to give it back.
   */
  mayGoOn(): Promise<void> | undefined {
    if (!this.#isShort || this.#most === Number.POSITIVE_INFINITY || !this.#holdsNothing()) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#stopTimer ??= this.#after(this.#pause, () => this.#look());
    });
  }

  /** Wakes all waiting workers: the run has ended for us, or another limit applies. */
  wakeAll(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Wakes as many workers as there are pages; at least one, so that it meets an error or learns that the limit is spent. */
  #look(): void {
    this.#stopTimer = undefined;
    this.#pause = Math.min(LAST_LOOK, 2 * this.#pause);
    const wake = (count: number) => {
      for (const one of this.#waiting.splice(0, count)) one();
      if (this.#waiting.length > 0) this.#stopTimer ??= this.#after(this.#pause, () => this.#look());
    };
    const looked = this.#holdsNothing() ? this.#takeSome() : Promise.resolve(this.#held);
    looked.then(
      (granted = 0) => {
        if (granted >= CHUNK) this.#isShort = false;
        wake(granted >= CHUNK ? this.#waiting.length : Math.max(1, granted));
      },
      () => wake(1),
    );
  }

  #holdsNothing(): boolean {
    if (this.#life !== this.#sharing.lives()) this.#held = 0;
    this.#life = this.#sharing.lives();
    return this.#held === 0;
  }

  /** One request at a time: each reports the number of visits in flight. */
  #takeSome(): Promise<number | undefined> {
    this.#taking ??= this.#ask().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  async #ask(): Promise<number | undefined> {
    const granted = await this.#sharing.takePages(CHUNK, this.#most, this.#out);
    this.#held += granted ?? 0;
    this.#isTold = false;
    return granted;
  }

  /** Call when a visit is over: its page is on disk, or it produced none and the next taker may have it. */
  settle(): void {
    if (this.#most === Number.POSITIVE_INFINITY) return;
    this.#out -= 1;
    if (this.#out > 0 || this.#stopTimer === undefined) return;
    this.#stopTimer();
    this.#look();
  }

  /** Returns unused pages to the shared limit; pages fetched since then are no longer reserved for us. */
  async giveBack(): Promise<void> {
    if (this.#isTold) return;
    this.#held = 0;
    this.#isTold = true;
    await this.#sharing.takePages(0, this.#most, this.#out);
  }

  resize(most: number): void {
    this.#most = most;
    this.#isShort = false;
    this.wakeAll();
  }
}
