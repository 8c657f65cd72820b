import { type Clock, systemClock } from "../clock.ts";
import { helpWhenStuck } from "../stuck.ts";

/** How finely time is looked at. */
const LOOK = 1000;

export interface PartSetup {
  /** What people call it. */
  readonly name: string;
  /** Milliseconds, for so many that are waited for at once. */
  readonly limit: (open: number) => number;
  /** Whoever queues behind others is not late while those are answered. */
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

/** One of the parts that a visit waits for: what it owes us, and for how long. */
export class WatchedPart {
  readonly #setup: PartSetup;
  readonly #dog: Watchdog;
  /** In the order they began. */
  readonly #open = new Set<Wait>();
  #lastAnswer = 0;

  constructor(setup: PartSetup, dog: Watchdog) {
    this.#setup = setup;
    this.#dog = dog;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Whoever has waited longest for it. */
  longest(): LongestWait | undefined {
    const [first] = this.#open;
    return first && { name: this.#setup.name, seconds: ((this.#dog.looks - first.since) * LOOK) / 1000 };
  }

  /** The answer, or `instead` where it does not come in time. An answer that comes later is ignored. */
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

  /** Gives up what is overdue, or everything. Answers how many that were. */
  giveUp(isCertain: boolean): number {
    const { limit, isQueue } = this.#setup;
    const patience = limit(this.#open.size) / LOOK;
    let count = 0;
    for (const wait of this.#open) {
      const since = isQueue ? Math.max(wait.since, this.#lastAnswer) : wait.since;
      // The next began later.
      if (!isCertain && this.#dog.looks - since <= patience) break;
      this.#open.delete(wait);
      wait.giveUp();
      count += 1;
    }
    return count;
  }
}

/**
 * Nothing that a visit waits for is waited for without end. One clock looks after all visits, and time is counted in its looks: while the process stood
 * still (a laptop asleep, a long write) there were none, so that nobody is blamed for it. The clock keeps no process alive: if nothing else does, what is
 * waited for can never come, and is given up at once.
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

  /** What is waited for longest, and for how long. */
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

  /** Looks from now on, and answers how often it has looked so far. */
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
