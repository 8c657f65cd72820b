/** How many may listen at once, in all and of one asker; and how many of them are told at once what they have missed. */
import { Problem } from "./problem.ts";

export const MOST_CLIENTS = 2000;
export const MOST_OF_ONE = 200;
/** Each holds a part of what was stored in memory, and keeps a reader of the data file busy. */
const MOST_REPLAYS = 8;
/** Seconds. */
const COME_BACK = 30;

export class Seats {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  #replays = 0;
  #total = 0;

  /** Throws a Problem where there is none; what is returned gives it back. Of those who need no key ("") nobody knows who is who. */
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

  /** In the order they come. */
  async inReplay<T>(work: () => Promise<T>): Promise<T> {
    if (this.#replays >= MOST_REPLAYS) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    else this.#replays += 1;
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next) {
        // Its place is taken over.
        this.#waiting.delete(next);
        next();
      } else this.#replays -= 1;
    }
  }
}
