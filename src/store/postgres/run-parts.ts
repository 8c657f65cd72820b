import { minusCounts, plusCounts } from "../counts.ts";
import type { Counters } from "../run.ts";

const copyOf = (counters: Counters): Counters => JSON.parse(JSON.stringify(counters)) as Counters;

/** What a run has counted, with what is still beside it. Links are not counted by those who find them, but looked up: the last word holds. */
export function withParts(total: Counters, parts: readonly string[]): Counters {
  return parts.reduce((sum, text) => {
    const { links = sum.links, ...part } = JSON.parse(text) as Counters;
    return { ...plusCounts(sum, part), ...(links && { links }) };
  }, total);
}

/** What this process has added to a run: it counts on from what it read of the run when it began. */
export class RunPart {
  #base: Counters;
  #written: Counters;
  /** Facts of the run as this process last wrote them. */
  state: string | undefined;

  constructor(counters: Counters) {
    this.#base = copyOf(counters);
    this.#written = this.#base;
  }

  /** As it is written. */
  textOf({ links, ...counters }: Counters): string {
    const { links: _, ...base } = this.#base;
    return JSON.stringify({ ...minusCounts(counters, base), links });
  }

  wrote(counters: Counters): void {
    this.#written = copyOf(counters);
  }

  /** What was written is with the run itself by now. */
  beginAnew(): void {
    this.#base = this.#written;
  }
}
