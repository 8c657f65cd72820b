import { abortCallbacksOf } from "./abort-callbacks.ts";

/** At most `limit` holders per key; further callers wait in a queue. Keys without a holder take no memory. */
export class KeyedLimiter {
  readonly #limit: number;
  readonly #holders = new Map<string, { count: number; readonly waiting: Set<() => void> }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined if there was room at once. Rejects with the signal's reason. */
  acquire(key: string, signal: AbortSignal): Promise<void> | undefined {
    const holders = this.#holders.get(key);
    if (holders === undefined) {
      this.#holders.set(key, { count: 1, waiting: new Set() });
      return undefined;
    }
    if (holders.count < this.#limit) {
      holders.count += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        holders.waiting.delete(proceed);
        reject(signal.reason);
      };
      const proceed = () => {
        abortCallbacksOf(signal).delete(onAbort);
        resolve();
      };
      abortCallbacksOf(signal).add(onAbort);
      holders.waiting.add(proceed);
    });
  }

  /** Passes the slot to the longest waiting caller. */
  release(key: string): void {
    const holders = this.#holders.get(key)!;
    const [next] = holders.waiting;
    if (next !== undefined) {
      holders.waiting.delete(next);
      next();
    } else if (holders.count > 1) holders.count -= 1;
    else this.#holders.delete(key);
  }
}
