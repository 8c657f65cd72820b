import { type Clock, systemClock } from "../clock.ts";
import type { Sharing } from "../frontier/index.ts";

/** How many more pages a run may fetch. A worker takes one before it asks for work and gives it back if no page came of it. */
export class Budget {
  #left: number;
  #out = 0;
  #spent = 0;
  readonly #waiting: ((granted: boolean) => void)[] = [];

  constructor(pages: number) {
    this.#left = pages;
  }

  /** False when the budget is spent and nobody who holds some can give it back. */
  take(): Promise<boolean> {
    if (this.#left > 0) {
      this.#left -= 1;
      this.#out += 1;
      return Promise.resolve(true);
    }
    if (this.#out === 0) return Promise.resolve(false);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** So many in all, counted from the start. */
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

/** So many are taken at once from what all together may fetch. */
const CHUNK = 8;
/** While others hold what is left: how soon to look again, and how much later each time. */
const FIRST_LOOK = 100;
const LAST_LOOK = 1000;

/** Of a run that several processes are at work in: what each may fetch it takes from what is left for all, some at a time. */
export class SharedBudget {
  readonly #sharing: Pick<Sharing, "takePages" | "lives">;
  readonly #after: Clock["after"];
  #most: number;
  #held = 0;
  #life = 0;
  #out = 0;
  /** Whether all know that nothing is held for us. */
  #isTold = true;
  #taking: Promise<number | undefined> | undefined;
  /** The last answer was that others hold what is left, or that too little is left for everybody here. */
  #isShort = false;
  /** Workers that wait for a page. One timer looks for all of them. */
  readonly #waiting: (() => void)[] = [];
  #pause = FIRST_LOOK;
  #stopTimer: (() => void) | undefined;

  constructor(sharing: Pick<Sharing, "takePages" | "lives">, most: number, after: Clock["after"] = systemClock.after) {
    this.#sharing = sharing;
    this.#most = most;
    this.#after = after;
  }

  /** "later" while others hold what is left. */
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
   * A promise while it makes no sense to begin a visit: it resolves after a pause, or when `wakeAll` is called. Without it, each worker would claim the turn of
   * one host after the other only to give it back.
   */
  mayGoOn(): Promise<void> | undefined {
    if (!this.#isShort || this.#most === Number.POSITIVE_INFINITY || !this.#holdsNothing()) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#stopTimer ??= this.#after(this.#pause, () => this.#look());
    });
  }

  /** Nobody waits any longer: the run has ended for us, or another limit holds. */
  wakeAll(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Wakes as many as there are pages for; one in any case, who meets and tells what is wrong, or that all is spent. */
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

  /** One at a time: each tells how many are out. */
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

  /** One that was taken is on disk as a page, or none came of it and whoever takes some next may have it. */
  settle(): void {
    if (this.#most === Number.POSITIVE_INFINITY) return;
    this.#out -= 1;
    if (this.#out > 0 || this.#stopTimer === undefined) return;
    this.#stopTimer();
    this.#look();
  }

  /** What is not needed goes back to all; what was fetched since is no longer held for us. */
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
