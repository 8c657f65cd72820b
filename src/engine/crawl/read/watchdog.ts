import { type Clock, systemClock } from "../../../core/clock.ts";
import { onStuck } from "../../../core/stuck.ts";

/** Milliseconds between two checks; time is counted in checks. */
const CHECK_INTERVAL_MS = 1000;

export interface PartSetup {
  /** Name shown to people. */
  readonly name: string;
  /** Timeout in milliseconds, given the number of open waits. */
  readonly limit: (open: number) => number;
  /** True if requests are answered one after the other: then the timeout counts from the last answer. */
  readonly isQueue: boolean;
}

interface Wait {
  readonly since: number;
  readonly giveUp: () => void;
}

export interface LongestWait {
  readonly name: string;
  readonly seconds: number;
}

/** One of the parts that visits wait for, with its open waits. */
export class WatchedPart {
  readonly #setup: PartSetup;
  readonly #watchdog: Watchdog;
  /** In order of start. */
  readonly #open = new Set<Wait>();
  #lastAnswer = 0;

  constructor(setup: PartSetup, watchdog: Watchdog) {
    this.#setup = setup;
    this.#watchdog = watchdog;
  }

  get size(): number {
    return this.#open.size;
  }

  /** The oldest open wait. */
  longest(): LongestWait | undefined {
    const [first] = this.#open;
    return first && { name: this.#setup.name, seconds: ((this.#watchdog.checks - first.since) * CHECK_INTERVAL_MS) / 1000 };
  }

  /** The answer, or the result of `instead` after the timeout. A later answer is ignored. */
  withTimeout<T>(answer: Promise<T>, onTimeout: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const giveUp = () => {
        try {
          resolve(onTimeout());
        } catch (cause) {
          reject(cause as Error);
        }
      };
      const wait: Wait = { since: this.#watchdog.watch(), giveUp };
      this.#open.add(wait);
      answer.then(
        (value) => this.#isFirstAnswer(wait) && resolve(value),
        (cause: unknown) => this.#isFirstAnswer(wait) && reject(cause as Error),
      );
    });
  }

  #isFirstAnswer(wait: Wait): boolean {
    this.#lastAnswer = this.#watchdog.checks;
    return this.#open.delete(wait);
  }

  /** Gives up overdue waits, or all of them. Returns the number. */
  giveUp(all: boolean): number {
    const { limit, isQueue } = this.#setup;
    const maxChecks = limit(this.#open.size) / CHECK_INTERVAL_MS;
    let count = 0;
    for (const wait of this.#open) {
      const since = isQueue ? Math.max(wait.since, this.#lastAnswer) : wait.since;
      // Later entries began later, so they are not overdue either.
      if (!all && this.#watchdog.checks - since <= maxChecks) break;
      this.#open.delete(wait);
      wait.giveUp();
      count += 1;
    }
    return count;
  }
}

/**
 * Puts a timeout on everything a visit waits for. One timer serves all visits, and time is counted in its ticks: while the process stood
 * still (a laptop asleep, a long write) there were none, so nothing times out because of it. The timer does not keep the process alive: if
 * nothing else does, the awaited answers can never come and are given up at once.
 */
export class Watchdog {
  readonly #every: NonNullable<Clock["every"]>;
  readonly #parts: WatchedPart[] = [];
  readonly #forget: () => void;
  #checks = 0;
  #stop: (() => void) | undefined;

  constructor(clock: Pick<Clock, "every">) {
    this.#every = clock.every ?? systemClock.every;
    this.#forget = onStuck(() => this.#giveUp(true) > 0);
  }

  get checks(): number {
    return this.#checks;
  }

  /** The longest open wait of all parts. */
  longest(): LongestWait | undefined {
    let longest: LongestWait | undefined;
    for (const part of this.#parts) {
      const wait = part.longest();
      if (wait && wait.seconds > (longest?.seconds ?? 0)) longest = wait;
    }
    return longest;
  }

  part(setup: PartSetup): WatchedPart {
    const part = new WatchedPart(setup, this);
    this.#parts.push(part);
    return part;
  }

  /** Starts the timer if needed and returns the number of checks so far. */
  watch(): number {
    this.#stop ??= this.#every(CHECK_INTERVAL_MS, () => this.#check());
    return this.#checks;
  }

  close(): void {
    this.#stopTimer();
    this.#forget();
  }

  #check(): void {
    this.#checks += 1;
    this.#giveUp(false);
    if (this.#parts.every(({ size }) => size === 0)) this.#stopTimer();
  }

  #giveUp(all: boolean): number {
    return this.#parts.reduce((count, part) => count + part.giveUp(all), 0);
  }

  #stopTimer(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
