import type { Store } from "../store.ts";
import { ConnectionLost } from "./errors.ts";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 2000;
const LONGEST_STAND = 20_000;

type Method = (...given: never[]) => unknown;

/** A database that is away for a while does not end a crawl: what it has to say waits. Whoever only looks is told at once. */
export class Patience {
  readonly #isAtWork: () => boolean;
  readonly #say: (line: string) => void;
  #isTold = false;

  constructor({ isAtWork, say }: { isAtWork: () => boolean; say: (line: string) => void }) {
    this.#isAtWork = isAtWork;
    this.#say = say;
  }

  /** The work may be done more than once. */
  async patiently<T>(work: () => T | Promise<T>): Promise<T> {
    for (let wait = FIRST_WAIT; ; wait = Math.min(LONGEST_WAIT, 2 * wait)) {
      try {
        const result = await work();
        this.#isBack();
        return result;
      } catch (cause) {
        if (!(cause instanceof ConnectionLost) || !this.#isAtWork()) throw cause;
        this.#isAway(cause);
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  /** For whoever cannot wait otherwise than by standing still; so not for long. */
  stubbornly<T>(work: () => T): T {
    for (let waited = 0; ; waited += FIRST_WAIT) {
      try {
        return work();
      } catch (cause) {
        if (!(cause instanceof ConnectionLost) || !this.#isAtWork() || waited >= LONGEST_STAND) throw cause;
        this.#isAway(cause);
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FIRST_WAIT);
    }
  }

  /** What it answers with a promise it answers patiently; what is read row by row, or at once, is as it was. */
  over<T extends object>(shelf: T): T {
    const patient =
      (method: Method): Method =>
      (...given) => {
        const first = method(...given);
        if (!(first instanceof Promise)) return first;
        let isFirst = true;
        return this.patiently(() => {
          const answer = isFirst ? first : method(...given);
          isFirst = false;
          return answer;
        });
      };
    const entries = Object.entries(shelf).map(([name, value]) => [name, typeof value === "function" ? patient(value as Method) : value]);
    return Object.fromEntries(entries) as T;
  }

  overStore(store: Store): Store {
    const shelves = Object.entries(store).filter(
      ([, value]) => typeof value === "object" && value !== null && Object.values(value).some(isMethod),
    );
    return { ...this.over(store), ...Object.fromEntries(shelves.map(([name, shelf]) => [name, this.over(shelf as object)])) };
  }

  #isAway({ message }: ConnectionLost): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#say(`${message}; waiting for it to come back`);
  }

  #isBack(): void {
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#say("the database is back");
  }
}

const isMethod = (value: unknown): boolean => typeof value === "function";
