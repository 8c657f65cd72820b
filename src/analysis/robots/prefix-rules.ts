/** Finds the longest known prefix of a path with one binary search, whatever the prefixes have in common. */
export class PrefixTable<Rule> {
  /** Sorted, so that the prefixes of a path come before it, and all texts between a prefix and the path share that prefix. */
  readonly #texts: readonly string[];
  /** For each text, the index of its next shorter prefix; -1 if there is none. */
  readonly #shorterPrefix: Int32Array;
  /** The best rule of each text and all its prefixes. */
  readonly #bestRules: Rule[] = [];

  constructor(rules: ReadonlyMap<string, Rule>, isStronger: (a: Rule, b: Rule) => boolean) {
    this.#texts = [...rules.keys()].sort();
    this.#shorterPrefix = new Int32Array(this.#texts.length);
    const openPrefixes: number[] = [];
    for (const [at, text] of this.#texts.entries()) {
      while (openPrefixes.length > 0 && !text.startsWith(this.#texts[openPrefixes.at(-1)!]!)) openPrefixes.pop();
      const shorterPrefix = openPrefixes.at(-1) ?? -1;
      const own = rules.get(text)!;
      const inherited = this.#bestRules[shorterPrefix];
      this.#shorterPrefix[at] = shorterPrefix;
      this.#bestRules.push(inherited !== undefined && isStronger(inherited, own) ? inherited : own);
      openPrefixes.push(at);
    }
  }

  /** The best of the rules whose text is a prefix of the path. */
  find(path: string): Rule | undefined {
    let at = this.#lastIndexUpTo(path);
    if (at < 0) return undefined;
    const shared = sharedLength(this.#texts[at]!, path);
    while (at >= 0 && this.#texts[at]!.length > shared) at = this.#shorterPrefix[at]!;
    return this.#bestRules[at];
  }

  /** Index of the last text that does not sort after the path. */
  #lastIndexUpTo(path: string): number {
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
  const maxLength = Math.min(a.length, b.length);
  let length = 0;
  while (length < maxLength && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}
