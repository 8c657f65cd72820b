import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../store.ts";
import { ConnectionLost } from "./errors.ts";
import type { SyncDatabase } from "./sync-database.ts";

const STAND = 250;
const LONGEST_STAND = 20_000;
/** Whoever ends waits for so long. */
const HURRIED = 3000;
/** While it is away, it is looked so often whether somebody is in a hurry by now. */
const LOOK = 250;

type Method = (...given: never[]) => unknown;

export interface PatienceSetup {
  readonly db: Pick<SyncDatabase, "nextTry" | "reconnect">;
  readonly isAtWork: () => boolean;
  readonly say: (line: string) => void;
}

/** A database that is away for a while does not end a crawl: what it has to say waits. Whoever only looks is told at once. */
export class Patience {
  readonly #setup: PatienceSetup;
  /** Whoever waits waits for this: one try at a time, however many have something to say. */
  #back: Promise<void> | undefined;
  #awaySince: number | undefined;
  #isHurried = false;

  constructor(setup: PatienceSetup) {
    this.#setup = setup;
  }

  /** This process is about to end: it does not wait longer than some seconds. What it holds is given to others when its lease has run out. */
  hurry(): void {
    this.#isHurried = true;
  }

  /** The work may be done more than once. */
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
    // Those who wait for it hear of it.
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

  /** For whoever cannot wait otherwise than by standing still; so not for long. */
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
}

const isMethod = (value: unknown): boolean => typeof value === "function";
