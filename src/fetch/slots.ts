import { stopsOf } from "./stops.ts";

/** At most `limit` holders per key; further callers wait in a queue. Keys without a holder take no memory. */
export class Slots {
  readonly #limit: number;
  readonly #held = new Map<string, { count: number; readonly waiting: Set<() => void> }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined if there was room at once. Rejects with the signal's reason. */
  take(key: string, signal: AbortSignal): Promise<void> | undefined {
    const held = this.#held.get(key);
    if (held === undefined) {
      this.#held.set(key, { count: 1, waiting: new Set() });
      return undefined;
    }
    if (held.count < this.#limit) {
      held.count += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const stop = () => {
        held.waiting.delete(go);
        reject(signal.reason);
      };
      const go = () => {
        stopsOf(signal).delete(stop);
        resolve();
      };
      stopsOf(signal).add(stop);
      held.waiting.add(go);
    });
  }

  /** Passes the slot to the longest waiting caller. */
  give(key: string): void {
    const held = this.#held.get(key)!;
    const [next] = held.waiting;
    if (next !== undefined) {
      held.waiting.delete(next);
      next();
    } else if (held.count > 1) held.count -= 1;
    else this.#held.delete(key);
  }
}
