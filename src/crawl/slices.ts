/** So many URLs are heard at once, about ten milliseconds of work; then whatever else waits has its turn. */
const SLICE = 250;

/** Cuts what one page or sitemap makes long into slices. */
export class Slices {
  #done = 0;

  /** To be called for each URL; a promise where others have to have their turn first. */
  next(): Promise<void> | undefined {
    this.#done += 1;
    return this.#done % SLICE === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined;
  }
}
