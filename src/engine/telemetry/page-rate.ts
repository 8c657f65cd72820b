const MINUTE_MS = 60_000;
/** Milliseconds before which a rate is not meaningful. */
const MIN_ELAPSED_MS = 2000;
const SAMPLE_INTERVAL_MS = 1000;

/** Pages per minute over the last minute, or since the start if that is more recent. A resumed run starts with its earlier pages. */
export class PageRate {
  readonly #samples: { readonly at: number; readonly pages: number }[] = [];

  at(now: number, pages: number): number {
    const samples = this.#samples;
    if (samples.length === 0 || now - samples.at(-1)!.at >= SAMPLE_INTERVAL_MS) samples.push({ at: now, pages });
    while (samples.length > 2 && now - samples[1]!.at >= MINUTE_MS) samples.shift();
    const { at, pages: before } = samples[0]!;
    return now - at < MIN_ELAPSED_MS ? 0 : ((pages - before) / (now - at)) * MINUTE_MS;
  }
}
