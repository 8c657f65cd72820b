import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../store.ts";
import { ConnectionLost } from "./errors.ts";
import type { SyncDatabase } from "./sync-database.ts";

const STAND = 250;
const LONGEST_STAND = 20_000;
/** A process that is ending waits at most this long. */
const HURRIED = 3000;
/** While the database is away, how often to check whether the process is ending. */
const LOOK = 250;

type Method = (...given: never[]) => unknown;

export interface PatienceSetup {
  readonly db: Pick<SyncDatabase, "nextTry" | "reconnect">;
  readonly isAtWork: () => boolean;
  readonly say: (line: string) => void;
}

/** Retries while the database is away, so that a crawl survives it. A process that only reads gets the error at once. */
export class Patience {
  readonly #setup: PatienceSetup;
  /** Shared by all waiting callers, so that only one reconnect is tried at a time. */
  #back: Promise<void> | undefined;
  #awaySince: number | undefined;
  #isHurried = false;

  constructor(setup: PatienceSetup) {
    this.#setup = setup;
  }

  /** This process is ending: wait at most a few seconds. Other workers take over its work when its lease expires. */
  hurry(): void {
    this.#isHurried = true;
  }

  /** Retries until it succeeds; `work` may run more than once. */
  async patiently<T>(work: () => T | Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (cause) {
        if (!(cause instanceof ConnectionLost) || !this.#setup.isAtWork()) throw cause;
        this.#isAway(cause);
      }
      await this.#back;
    }
  }

  #isAway(cause: ConnectionLost): void {
    if (this.#awaySince === undefined) {
      this.#awaySince = performance.now();
      this.#setup.say(`${cause.message}; waiting for it to come back`);
    }
    if (this.#back) return;
    this.#back = this.#comeBack(cause).finally(() => {
      this.#back = undefined;
    });
    // The waiting callers handle the rejection.
    this.#back.catch(() => undefined);
  }

  async #comeBack(cause: ConnectionLost): Promise<void> {
    const { db, say } = this.#setup;
    const since = this.#awaySince!;
    await sleep(Math.random() * LOOK);
    for (;;) {
      await sleep(Math.min(LOOK, Math.max(0, db.nextTry - performance.now())));
      if (this.#isHurried && performance.now() - since > HURRIED) throw cause;
      if (performance.now() < db.nextTry) continue;
      try {
        await db.reconnect();
        break;
      } catch (again) {
        if (!(again instanceof ConnectionLost)) throw again;
      }
    }
    this.#awaySince = undefined;
    say("the database is back");
  }

  /** Retries synchronously, for callers that cannot await; blocks the thread, so only for a short time. */
  stubbornly<T>(work: () => T): T {
    for (let waited = 0; ; waited += STAND) {
      try {
        return work();
      } catch (cause) {
        if (!(cause instanceof ConnectionLost) || !this.#setup.isAtWork() || waited >= LONGEST_STAND) throw cause;
        this.#isAway(cause);
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STAND);
    }
  }

  /** Makes the methods that return a promise retry; synchronous methods and iterators stay as they are. */
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
}

const isMethod = (value: unknown): boolean => typeof value === "function";
