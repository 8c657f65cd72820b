const MINUTE = 60_000;
/** Below this a rate is guesswork. */
const LEAST = 2000;
const BETWEEN_SAMPLES = 1000;

/** Pages a minute over the last minute, or since the start if that is nearer. A resumed run starts with the pages it had. */
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
