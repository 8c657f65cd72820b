import { addCounts, subtractCounts } from "../counts.ts";
import type { Counters } from "../run.ts";

const cloneOf = (counters: Counters): Counters => JSON.parse(JSON.stringify(counters)) as Counters;

/** The run's counters plus the parts of workers that are still in it. Links are looked up and not added up, so the last value is used. */
export function addParts(total: Counters, parts: readonly string[]): Counters {
  return parts.reduce((sum, text) => {
    const { links = sum.links, ...part } = JSON.parse(text) as Counters;
    return { ...addCounts(sum, part), ...(links && { links }) };
  }, total);
}

/** The part of a run's counters added by this process since it read them when it joined. */
export class RunPart {
  #base: Counters;
  #written: Counters;
  /** The run's state as this process last wrote it. */
  state: string | undefined;

  constructor(counters: Counters) {
    this.#base = cloneOf(counters);
    this.#written = this.#base;
  }

  /** The part as stored. */
  serialize({ links, ...counters }: Counters): string {
    const { links: _, ...base } = this.#base;
    return JSON.stringify({ ...subtractCounts(counters, base), links });
  }

  markWritten(counters: Counters): void {
    this.#written = cloneOf(counters);
  }

  /** The written part has been added to the run's own counters. */
  restartCount(): void {
    this.#base = this.#written;
  }
}
