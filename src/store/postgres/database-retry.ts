import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../store.ts";
import { ConnectionLost } from "./errors.ts";
import type { SyncDatabase } from "./sync/sync-database.ts";

const SYNC_PAUSE_MS = 250;
const MAX_SYNC_WAIT_MS = 20_000;
/** A process that is ending waits at most this long. */
const MAX_EXIT_WAIT_MS = 3000;
/** While the database is away, how often to check whether the process is ending. */
const CHECK_MS = 250;

type Method = (...given: never[]) => unknown;

export interface RetrySetup {
  readonly db: Pick<SyncDatabase, "nextTry" | "reconnect">;
  readonly isWorking: () => boolean;
  readonly log: (line: string) => void;
}

/** Retries while the database is away, so that a crawl survives it. A process that only reads gets the error at once. */
export class DatabaseRetry {
  readonly #setup: RetrySetup;
  /** Shared by all waiting callers, so that only one reconnect is tried at a time. */
  #reconnecting: Promise<void> | undefined;
  #awaySince: number | undefined;
  #isEnding = false;

  constructor(setup: RetrySetup) {
    this.#setup = setup;
  }

  /** This process is ending: wait at most a few seconds. Other workers take over its work when its lease expires. */
  shortenWaits(): void {
    this.#isEnding = true;
  }

  /** Retries until it succeeds; `work` may run more than once. */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (cause) {
        if (!(cause instanceof ConnectionLost) || !this.#setup.isWorking()) throw cause;
        this.#startReconnect(cause);
      }
      await this.#reconnecting;
    }
  }

  #startReconnect(cause: ConnectionLost): void {
    if (this.#awaySince === undefined) {
      this.#awaySince = performance.now();
      this.#setup.log(`${cause.message}; waiting for it to come back`);
    }
    if (this.#reconnecting) return;
    this.#reconnecting = this.#reconnectInLoop(cause).finally(() => {
      this.#reconnecting = undefined;
    });
    // The waiting callers handle the rejection.
    this.#reconnecting.catch(() => undefined);
  }

  async #reconnectInLoop(cause: ConnectionLost): Promise<void> {
    const { db, log } = this.#setup;
    const since = this.#awaySince!;
    await sleep(Math.random() * CHECK_MS);
    for (;;) {
      await sleep(Math.min(CHECK_MS, Math.max(0, db.nextTry - performance.now())));
      if (this.#isEnding && performance.now() - since > MAX_EXIT_WAIT_MS) throw cause;
      if (performance.now() < db.nextTry) continue;
      try {
        await db.reconnect();
        break;
      } catch (again) {
        if (!(again instanceof ConnectionLost)) throw again;
      }
    }
    this.#awaySince = undefined;
    log("the database is back");
  }

  /** Retries synchronously, for callers that cannot await; blocks the thread, so only for a short time. */
  runSync<T>(work: () => T): T {
    for (let waited = 0; ; waited += SYNC_PAUSE_MS) {
      try {
        return work();
      } catch (cause) {
        if (!(cause instanceof ConnectionLost) || !this.#setup.isWorking() || waited >= MAX_SYNC_WAIT_MS) throw cause;
        this.#startReconnect(cause);
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SYNC_PAUSE_MS);
    }
  }

  /** Makes the methods that return a promise retry; synchronous methods and iterators stay as they are. */
  wrap<T extends object>(part: T): T {
    const retried =
      (method: Method): Method =>
      (...given) => {
        const first = method(...given);
        if (!(first instanceof Promise)) return first;
        let isFirst = true;
        return this.run(() => {
          const answer = isFirst ? first : method(...given);
          isFirst = false;
          return answer;
        });
      };
    const entries = Object.entries(part).map(([name, value]) => [name, typeof value === "function" ? retried(value as Method) : value]);
    return Object.fromEntries(entries) as T;
  }

  wrapStore(store: Store): Store {
    const parts = Object.entries(store).filter(
      ([, value]) => typeof value === "object" && value !== null && Object.values(value).some(isMethod),
    );
    return { ...this.wrap(store), ...Object.fromEntries(parts.map(([name, part]) => [name, this.wrap(part as object)])) };
  }
}

const isMethod = (value: unknown): boolean => typeof value === "function";
