/** URLs per slice: usually about ten milliseconds of work. */
const MAX_URLS_PER_SLICE = 250;
/** Longest slice (ms). Patterns at their size limit take a tenth of a second for a single long URL. */
const MAX_SLICE_MS = 20;

/** Divides the work on a large page, sitemap or queue into slices and yields to the event loop between them. */
export class TimeSlicer {
  #urlsDone = 0;
  #startedAt = performance.now();

  /** Call for each URL; returns a promise when it is time to yield. */
  next(): Promise<void> | undefined {
    this.#urlsDone += 1;
    if (this.#urlsDone < MAX_URLS_PER_SLICE && performance.now() - this.#startedAt < MAX_SLICE_MS) return undefined;
    return this.#yieldToEventLoop();
  }

  async #yieldToEventLoop(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#urlsDone = 0;
    this.#startedAt = performance.now();
  }
}
