import type { Clock } from "../../core/clock.ts";

/** Fixed, so that tests are reproducible. */
const START_TIME = Date.UTC(2026, 0, 1);

/** Turns of the event loop before time passes, so that everything that needs no time happens first. */
const ROUNDS_BEFORE_TICK = 4;

/** Time passes only when all code is waiting: a polite crawl of an hour takes milliseconds. */
export class VirtualClock implements Clock {
  #now = 0;
  #number = 0;
  #isTicking = false;
  #rounds = 0;
  readonly #timers = new Map<number, { readonly at: number; readonly call: () => void }>();

  readonly now = (): number => this.#now;
  readonly wall = (): number => START_TIME + Math.round(this.#now);

  readonly after = (milliseconds: number, call: () => void): (() => void) => {
    this.#number += 1;
    const id = this.#number;
    this.#timers.set(id, { at: this.#now + Math.max(0, milliseconds), call });
    this.#rounds = 0;
    this.#tick();
    return () => void this.#timers.delete(id);
  };

  /** Lets time pass between two runs, for example a week. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  #tick(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    setImmediate(() => {
      this.#isTicking = false;
      if (this.#timers.size === 0) return;
      this.#rounds += 1;
      if (this.#rounds > ROUNDS_BEFORE_TICK) this.#fireNext();
      this.#tick();
    });
  }

  #fireNext(): void {
    const [id, timer] = [...this.#timers].reduce((first, next) => (next[1].at < first[1].at ? next : first));
    this.#timers.delete(id);
    this.#now = Math.max(this.#now, timer.at);
    this.#rounds = 0;
    timer.call();
  }
}
