/**
 * Several patterns that are asked of the same texts. Most of them match nothing in most texts, and to find that out pattern by pattern takes long:
 * of each pattern a few letters are known that stand in everything it matches, and one look at the letters of a text tells which patterns to try.
 */
export class PatternSet {
  readonly #patterns: readonly RegExp[];
  /** For each three letters in a row, a bit for each pattern that they may belong to. */
  readonly #table = new Uint32Array(1 << (3 * BITS));
  /** Patterns of which no such letters are known. */
  #always = 0;

  /** At most 32 patterns, without named groups, and none that folds case as Unicode does (flags `iu`). */
  constructor(patterns: readonly RegExp[]) {
    this.#patterns = patterns;
    for (const [at, { source }] of patterns.entries()) {
      const stems = new StemReader(source).stems();
      if (stems === undefined) this.#always |= 1 << at;
      for (const stem of stems ?? []) this.#add(stem, 1 << at);
    }
  }

  /** A bit for each pattern that matches, the lowest for the first. */
  matching(text: string): number {
    let found = 0;
    let left = this.#candidates(text);
    for (let at = 0; left !== 0; at += 1, left >>>= 1) if ((left & 1) === 1 && this.#patterns[at]!.test(text)) found |= 1 << at;
    return found;
  }

  #candidates(text: string): number {
    const table = this.#table;
    let found = this.#always;
    let three = 0;
    for (let at = 0; at < text.length; at += 1) {
      three = ((three << BITS) | folded(text.charCodeAt(at))) & LAST;
      found |= table[three]!;
    }
    // A stem of one or two letters may be the end.
    return found | table[(three << BITS) & LAST]! | table[(three << (2 * BITS)) & LAST]!;
  }

  #add(stem: string, bit: number): void {
    let first = 0;
    for (let at = 0; at < stem.length; at += 1) first = (first << BITS) | folded(stem.charCodeAt(at));
    const open = BITS * (3 - stem.length);
    for (let rest = 0; rest < 1 << open; rest += 1) this.#table[(first << open) | rest]! |= bit;
  }
}

const BITS = 5;
const LAST = (1 << (3 * BITS)) - 1;
const OTHER = 31;

/** Five bits of a letter, the same for both cases. */
const folded = (code: number): number => (code < 128 ? code & 31 : OTHER);

/** Letters of which one group stands in whatever a pattern matches. */
type Stems = readonly string[];

/** Reads as much of a pattern's syntax as is needed for that; of what it does not understand it expects no letters. */
class StemReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Undefined if none are known. */
  stems(): Stems | undefined {
    const all: (Stems | undefined)[] = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      all.push(this.#sequence());
    }
    return all.every((each) => each !== undefined) ? all.flat() : undefined;
  }

  #sequence(): Stems | undefined {
    let best: Stems | undefined;
    let run = "";
    const take = (stems: Stems | undefined) => {
      if (stems !== undefined && telling(stems) > telling(best ?? [])) best = stems;
    };
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at]!)) {
      const atom = this.#atom();
      const next = this.#source[this.#at] ?? "";
      const isOptional = "?*{".includes(next) && next !== "";
      if (isOptional || next === "+") this.#skip(/^(?:[?*+]|\{[^}]*\})\??/);
      if (typeof atom === "string" && !isOptional) run += atom;
      if (typeof atom !== "string" || isOptional || next === "+") {
        take([run.slice(0, 3)]);
        run = "";
      }
      if (typeof atom === "object" && !isOptional) take(atom);
    }
    take([run.slice(0, 3)]);
    return best;
  }

  /** A letter; or the stems of a group; or undefined for whatever else there is. */
  #atom(): string | Stems | undefined {
    const start = this.#source[this.#at++]!;
    if (start === "(") return this.#group();
    if (start === "[") return this.#skipClass();
    if (start === "\\") return this.#escape();
    return "^$.".includes(start) ? undefined : start;
  }

  #group(): Stems | undefined {
    const opening = /^\?(?:<?[=!]|:)/.exec(this.#source.slice(this.#at, this.#at + 3))?.[0] ?? "";
    this.#at += opening.length;
    const stems = this.stems();
    this.#at += 1;
    return opening === "?:" || opening === "" ? stems : undefined;
  }

  #skipClass(): undefined {
    while (this.#source[this.#at] !== "]") this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
    this.#at += 1;
  }

  #escape(): string | undefined {
    const escaped = this.#source[this.#at++]!;
    if (/[^a-z0-9]/i.test(escaped)) return escaped;
    if (/[pPux]/.test(escaped)) this.#skip(/^(?:\{[^}]*\}|[\da-f]{2,4})/i);
    return undefined;
  }

  #skip(what: RegExp): void {
    this.#at += what.exec(this.#source.slice(this.#at))?.[0].length ?? 0;
  }
}

/** The more letters, the fewer texts have them by chance. One of ASCII's alone tells nothing. */
function telling(stems: Stems): number {
  const least = Math.min(...stems.map((stem) => (stem.length === 1 && stem.charCodeAt(0) < 128 ? 0 : stem.length)));
  return stems.length === 0 ? 0 : least;
}
