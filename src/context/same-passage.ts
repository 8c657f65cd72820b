/** Tells passages that say the same in nearly the same words, whatever page they stand on. */

/** Words in a row that are compared. */
const RUN = 4;
/** Of the shorter passage, how much must stand in the other. */
const MOST = 0.85;

export class PassageMemory<T> {
  /** Which passages hold a run of words. */
  readonly #runs = new Map<string, number[]>();
  readonly #kept: { readonly runs: number; readonly value: T }[] = [];

  /** The passage that already says this, or undefined: then it is remembered under `value`. */
  meet(text: string, value: T): T | undefined {
    const runs = runsOf(text);
    const shared = new Map<number, number>();
    for (const run of runs) for (const at of this.#runs.get(run) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1);
    for (const [at, count] of shared) {
      const other = this.#kept[at]!;
      // A short passage that stands inside a longer one has been said; a longer one that holds a short one has more to say.
      if (count >= MOST * runs.size && runs.size <= 1.2 * other.runs) return other.value;
    }
    this.#kept.push({ runs: runs.size, value });
    for (const run of runs) this.#runs.set(run, [...(this.#runs.get(run) ?? []), this.#kept.length - 1]);
    return undefined;
  }
}

function runsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < RUN) return new Set([words.join(" ")]);
  return new Set(words.slice(0, words.length - RUN + 1).map((_, at) => words.slice(at, at + RUN).join(" ")));
}
