/** Samples of a run over time, as running totals. For a long run fewer samples are kept, evenly spaced. */
import type { Progress } from "../../../engine/crawl/index.ts";

export interface Sample {
  readonly at: number;
  readonly pages: number;
  readonly queued: number;
  readonly inFlight: number;
  readonly bytes: number;
  /** By status class, counted from the start. */
  readonly status: Readonly<Record<string, number>>;
  readonly failed: number;
  /** Response times since the previous sample; null if there were no answers. */
  readonly p50: number | null;
  readonly p95: number | null;
}

const MAX_SAMPLES = 720;
const MAX_DURATIONS = 2000;
const MINUTE_MS = 60_000;
/** Milliseconds between samples. */
const INTERVAL_MS = 1000;

export class Samples {
  #stored: Sample[];
  #step = 1;
  #sampleCount = 0;
  #durations: number[] = [];
  /** Samples of the last minute. */
  readonly #recent: { readonly at: number; readonly pages: number }[] = [];

  constructor(stored: readonly Sample[] = []) {
    this.#stored = [...stored];
    const [before, last] = this.#stored.slice(-2);
    if (before && last) this.#step = Math.max(1, Math.round((last.at - before.at) / INTERVAL_MS));
  }

  addDuration(durationMs: number): void {
    if (this.#durations.length < MAX_DURATIONS) this.#durations.push(durationMs);
  }

  addSample({ counters, queued, inFlight }: Progress, at: number): void {
    this.#recent.push({ at, pages: counters.pages });
    while (this.#recent[0]!.at < at - MINUTE_MS) this.#recent.shift();
    this.#sampleCount += 1;
    if ((this.#sampleCount - 1) % this.#step !== 0) return;
    this.#stored.push({
      at,
      pages: counters.pages,
      queued,
      inFlight,
      bytes: counters.bytes,
      status: { ...counters.status },
      failed: counters.failed,
      ...percentiles(this.#durations),
    });
    this.#durations = [];
    if (this.#stored.length > MAX_SAMPLES) this.#thin();
  }

  #thin(): void {
    this.#stored = this.#stored.filter((_, index) => index % 2 === 0);
    this.#step *= 2;
  }

  /** Pages in the last minute; for a younger run, extrapolated to a minute. */
  get perMinute(): number {
    const [first] = this.#recent;
    const last = this.#recent.at(-1);
    if (!first || !last || last.at === first.at) return 0;
    return ((last.pages - first.pages) / (last.at - first.at)) * MINUTE_MS;
  }

  get stored(): readonly Sample[] {
    return this.#stored;
  }
}

function percentiles(durations: number[]): Pick<Sample, "p50" | "p95"> {
  if (durations.length === 0) return { p50: null, p95: null };
  const sorted = durations.sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;
  return { p50: at(0.5), p95: at(0.95) };
}
