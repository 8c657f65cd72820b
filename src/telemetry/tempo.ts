const MINUTE = 60_000;
/** Milliseconds before which a rate is not meaningful. */
const LEAST = 2000;
const BETWEEN_SAMPLES = 1000;

/** Pages per minute over the last minute, or since the start if that is more recent. A resumed run starts with its earlier pages. */
export class Tempo {
  readonly #samples: { readonly at: number; readonly pages: number }[] = [];

  at(now: number, pages: number): number {
    const samples = this.#samples;
    if (samples.length === 0 || now - samples.at(-1)!.at >= BETWEEN_SAMPLES) samples.push({ at: now, pages });
    while (samples.length > 2 && now - samples[1]!.at >= MINUTE) samples.shift();
    const { at, pages: before } = samples[0]!;
    return now - at < LEAST ? 0 : ((pages - before) / (now - at)) * MINUTE;
  }
}
