/** URLs per slice: usually about ten milliseconds of work. */
const MOST_URLS = 250;
/** Longest slice (ms). Patterns at their size limit take a tenth of a second for a single long URL. */
const LONGEST = 20;

/** Divides the work on a large page, sitemap or queue into slices and yields to the event loop between them. */
export class Slices {
  #done = 0;
  #begunAt = performance.now();

  /** Call for each URL; returns a promise when it is time to yield. */
  next(): Promise<void> | undefined {
    this.#done += 1;
    if (this.#done < MOST_URLS && performance.now() - this.#begunAt < LONGEST) return undefined;
    return this.#pause();
  }

  async #pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#done = 0;
    this.#begunAt = performance.now();
  }
}
