/** Limits the number of clients that listen to events, in total and per key, and the number of concurrent replays. */
import { Problem } from "./problem.ts";

export const MOST_CLIENTS = 2000;
export const MOST_OF_ONE = 200;
/** Each replay holds a part of the history in memory and occupies a reader of the data file. */
const MOST_REPLAYS = 8;
/** Seconds. */
const COME_BACK = 30;

export class Seats {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  #replays = 0;
  #total = 0;

  /**
   * Throws a Problem if the limit is reached; the returned function frees the slot. Without keys (asker "") clients cannot be told apart,
   * so only the total counts.
   */
  take(asker: string): () => void {
    const own = this.#taken.get(asker) ?? 0;
    if (asker !== "" && own >= MOST_OF_ONE)
      throw new Problem("rate-limited", `${own} clients with this key listen already`, {
        retryAfter: COME_BACK,
        suggestion: "close streams that are not read; one stream of /api/v1/events tells of all crawls",
      });
    if (this.#total >= MOST_CLIENTS)
      throw new Problem("busy", `${this.#total} clients listen already, which is as many as may`, {
        retryAfter: COME_BACK,
        suggestion: "come back later, or ask for /api/v1/crawls/{id} now and then instead",
      });
    this.#taken.set(asker, own + 1);
    this.#total += 1;
    return () => {
      this.#total -= 1;
      const left = this.#taken.get(asker)! - 1;
      if (left === 0) this.#taken.delete(asker);
      else this.#taken.set(asker, left);
    };
  }

  /** Runs replays in order of arrival. */
  async inReplay<T>(work: () => Promise<T>): Promise<T> {
    if (this.#replays >= MOST_REPLAYS) await new Promise<void>((resolve) => this.#waiting.add(resolve));
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
