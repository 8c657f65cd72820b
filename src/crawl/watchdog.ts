import { type Clock, systemClock } from "../clock.ts";
import { helpWhenStuck } from "../stuck.ts";

/** Milliseconds between two checks; time is counted in checks. */
const LOOK = 1000;

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
  readonly #dog: Watchdog;
  /** In order of start. */
  readonly #open = new Set<Wait>();
  #lastAnswer = 0;

  constructor(setup: PartSetup, dog: Watchdog) {
    this.#setup = setup;
    this.#dog = dog;
  }

  get size(): number {
    return this.#open.size;
  }

  /** The oldest open wait. */
  longest(): LongestWait | undefined {
    const [first] = this.#open;
    return first && { name: this.#setup.name, seconds: ((this.#dog.looks - first.since) * LOOK) / 1000 };
  }

  /** The answer, or the result of `instead` after the timeout. A later answer is ignored. */
  over<T>(answer: Promise<T>, instead: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const giveUp = () => {
        try {
          resolve(instead());
        } catch (cause) {
          reject(cause as Error);
        }
      };
      const wait: Wait = { since: this.#dog.watch(), giveUp };
      this.#open.add(wait);
      answer.then(
        (value) => this.#answered(wait) && resolve(value),
        (cause: unknown) => this.#answered(wait) && reject(cause as Error),
      );
    });
  }

  #answered(wait: Wait): boolean {
    this.#lastAnswer = this.#dog.looks;
    return this.#open.delete(wait);
  }

  /** Gives up overdue waits, or all of them. Returns the number. */
  giveUp(isCertain: boolean): number {
    const { limit, isQueue } = this.#setup;
    const patience = limit(this.#open.size) / LOOK;
    let count = 0;
    for (const wait of this.#open) {
      const since = isQueue ? Math.max(wait.since, this.#lastAnswer) : wait.since;
      // Later entries began later, so they are not overdue either.
      if (!isCertain && this.#dog.looks - since <= patience) break;
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
  #looks = 0;
  #stop: (() => void) | undefined;

  constructor(clock: Pick<Clock, "every">) {
    this.#every = clock.every ?? systemClock.every;
    this.#forget = helpWhenStuck(() => this.#giveUp(true) > 0);
  }

  get looks(): number {
    return this.#looks;
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
    this.#stop ??= this.#every(LOOK, () => this.#look());
    return this.#looks;
  }

  close(): void {
    this.#rest();
    this.#forget();
  }

  #look(): void {
    this.#looks += 1;
    this.#giveUp(false);
    if (this.#parts.every(({ size }) => size === 0)) this.#rest();
  }

  #giveUp(isCertain: boolean): number {
    return this.#parts.reduce((count, part) => count + part.giveUp(isCertain), 0);
  }

  #rest(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
