/** Finds the longest known prefix of a path with one binary search, whatever the prefixes have in common. */
export class PrefixTable<Rule> {
  /** Sorted, so that the prefixes of a path come before it, and all texts between a prefix and the path share that prefix. */
  readonly #texts: readonly string[];
  /** For each text, the index of its next shorter prefix; -1 if there is none. */
  readonly #shorter: Int32Array;
  /** The best rule of each text and all its prefixes. */
  readonly #best: Rule[] = [];

  constructor(rules: ReadonlyMap<string, Rule>, beats: (a: Rule, b: Rule) => boolean) {
    this.#texts = [...rules.keys()].sort();
    this.#shorter = new Int32Array(this.#texts.length);
    const open: number[] = [];
    for (const [at, text] of this.#texts.entries()) {
      while (open.length > 0 && !text.startsWith(this.#texts[open.at(-1)!]!)) open.pop();
      const shorter = open.at(-1) ?? -1;
      const own = rules.get(text)!;
      const inherited = this.#best[shorter];
      this.#shorter[at] = shorter;
      this.#best.push(inherited !== undefined && beats(inherited, own) ? inherited : own);
      open.push(at);
    }
  }

  /** The best of the rules whose text is a prefix of the path. */
  find(path: string): Rule | undefined {
    let at = this.#lastUpTo(path);
    if (at < 0) return undefined;
    const shared = sharedLength(this.#texts[at]!, path);
    while (at >= 0 && this.#texts[at]!.length > shared) at = this.#shorter[at]!;
    return this.#best[at];
  }

  /** Index of the last text that does not sort after the path. */
  #lastUpTo(path: string): number {
    let low = 0;
    for (let high = this.#texts.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.#texts[middle]! <= path) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}
