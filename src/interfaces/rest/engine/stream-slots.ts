/** Limits the number of clients that listen to events, in total and per key, and the number of concurrent replays. */
import { Problem } from "../problem.ts";

export const MAX_CLIENTS = 2000;
export const MAX_PER_KEY = 200;
/** Each replay holds a part of the history in memory and occupies a reader of the data file. */
const MAX_REPLAYS = 8;
/** Seconds. */
const RETRY_AFTER_SECONDS = 30;

export class StreamSlots {
  readonly #clientsByKey = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  #replays = 0;
  #total = 0;

  /**
   * Throws a Problem if the limit is reached; the returned function frees the slot. Without keys (asker "") clients cannot be told apart,
   * so only the total counts.
   */
  acquire(clientId: string): () => void {
    const ownCount = this.#clientsByKey.get(clientId) ?? 0;
    if (clientId !== "" && ownCount >= MAX_PER_KEY)
      throw new Problem("rate-limited", `${ownCount} clients with this key listen already`, {
        retryAfter: RETRY_AFTER_SECONDS,
        suggestion: "close streams that are not read; one stream of /api/v1/events tells of all crawls",
      });
    if (this.#total >= MAX_CLIENTS)
      throw new Problem("busy", `${this.#total} clients listen already, which is as many as may`, {
        retryAfter: RETRY_AFTER_SECONDS,
        suggestion: "come back later, or ask for /api/v1/crawls/{id} now and then instead",
      });
    this.#clientsByKey.set(clientId, ownCount + 1);
    this.#total += 1;
    return () => {
      this.#total -= 1;
      const left = this.#clientsByKey.get(clientId)! - 1;
      if (left === 0) this.#clientsByKey.delete(clientId);
      else this.#clientsByKey.set(clientId, left);
    };
  }

  /** Runs replays in order of arrival. */
  async runReplay<T>(work: () => Promise<T>): Promise<T> {
    if (this.#replays >= MAX_REPLAYS) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    else this.#replays += 1;
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next) {
        // The next one takes over the slot.
        this.#waiting.delete(next);
        next();
      } else this.#replays -= 1;
    }
  }
}
