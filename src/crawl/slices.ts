/** URLs in one slice: usually about ten milliseconds of work. */
const MOST_URLS = 250;
/** Milliseconds of one slice. Patterns at their largest take a tenth of a second for a single long URL. */
const LONGEST = 20;

/** Cuts what one page, sitemap or queue makes long into slices, between which whatever else waits has its turn. */
export class Slices {
  #done = 0;
  #begunAt = performance.now();

  /** To be called for each URL; a promise where others have to have their turn first. */
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
