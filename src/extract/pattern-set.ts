/**
 * Several patterns that are asked of the same texts. Most of them match nothing in most texts, and to find that out pattern by pattern takes long.
 * Of each pattern the words are read one of which stands in everything it matches, and one walk over a text finds all of these words (Aho and Corasick
 * 1975). A pattern that is nothing but words is answered by that alone; the others are tried where a word of theirs was found.
 */
export class PatternSet {
  readonly #patterns: readonly RegExp[];
  readonly #finder: WordFinder;
  /** Patterns of which no such words are known. */
  #always = 0;

  /** At most 32 patterns, without named groups, and none that folds case as Unicode does (flags `iu`). */
  constructor(patterns: readonly RegExp[]) {
    this.#patterns = patterns;
    const words: FoundBy[] = [];
    for (const [at, { source, ignoreCase }] of patterns.entries()) {
      const bit = 1 << at;
      for (const { words: needed, isAll } of new PatternReader(source).alternatives()) {
        if (needed === undefined || needed.includes("")) this.#always |= bit;
        else for (const word of needed) words.push({ word, bit, isEnough: isAll && ignoreCase && !WIDE.test(word) });
      }
    }
    this.#finder = new WordFinder(words);
  }

  /** A bit for each pattern that matches, the lowest for the first. */
  matching(text: string): number {
    const finder = this.#finder;
    finder.search(text);
    let found = finder.enough;
    let left = (finder.hinted | this.#always) & ~found;
    for (let at = 0; left !== 0; at += 1, left >>>= 1) if ((left & 1) === 1 && this.#patterns[at]!.test(text)) found |= 1 << at;
    return found;
  }
}

interface FoundBy {
  readonly word: string;
  readonly bit: number;
  /** The pattern matches wherever the word stands, whatever its case. */
  readonly isEnough: boolean;
}

/** Letters beyond ISO 8859-1 are not told apart. */
const WIDE = /[^\x00-\xff]/;
const WIDE_LETTER = 1;

/** Finds which of many words a text has, whatever their case. */
class WordFinder {
  /** The bits of words that were enough, and of others. */
  enough = 0;
  hinted = 0;
  /** Each letter of ISO 8859-1 as a number; 0 for those that no word has. */
  readonly #letters = new Uint8Array(256);
  /** The state after each letter in each state, a row for each state. States in which a word ends are the last ones. */
  readonly #next: Uint16Array;
  readonly #shift: number;
  readonly #firstEnd: number;
  readonly #enough: Uint32Array;
  readonly #hinted: Uint32Array;

  constructor(words: readonly FoundBy[]) {
    const last = this.#number(words);
    const tree = new WordTree(last, (code) => this.#letterOf(code));
    for (const word of words) tree.add(word);
    tree.link();
    const { order, firstEnd } = tree.endsLast();
    this.#shift = 32 - Math.clz32(last);
    this.#firstEnd = firstEnd;
    this.#next = new Uint16Array(tree.size << this.#shift);
    this.#enough = new Uint32Array(tree.size);
    this.#hinted = new Uint32Array(tree.size);
    for (let state = 0; state < tree.size; state += 1) {
      const place = order[state]!;
      for (let letter = 0; letter <= last; letter += 1) this.#next[(place << this.#shift) | letter] = order[tree.next[state]![letter]!]!;
      this.#enough[place] = tree.enough[state]!;
      this.#hinted[place] = tree.hinted[state]!;
    }
  }

  search(text: string): void {
    const [letters, next, shift, firstEnd] = [this.#letters, this.#next, this.#shift, this.#firstEnd];
    let state = 0;
    let enough = 0;
    let hinted = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      state = next[(state << shift) | (code < 256 ? letters[code]! : WIDE_LETTER)]!;
      if (state < firstEnd) continue;
      enough |= this.#enough[state]!;
      hinted |= this.#hinted[state]!;
    }
    this.enough = enough;
    this.hinted = hinted;
  }

  /** Gives every letter of the words a number, the same for both cases, and answers the last one. */
  #number(words: readonly FoundBy[]): number {
    let last = WIDE_LETTER;
    for (const letter of new Set(words.flatMap(({ word }) => word.toLowerCase().split("")))) {
      if (WIDE.test(letter)) continue;
      last += 1;
      this.#letters[letter.charCodeAt(0)] = last;
      const capital = letter.toUpperCase();
      if (capital.length === 1 && !WIDE.test(capital)) this.#letters[capital.charCodeAt(0)] = last;
    }
    return last;
  }

  #letterOf(code: number): number {
    return code < 256 ? this.#letters[code]! : WIDE_LETTER;
  }
}

/** The words as a tree of their letters, and what is to be done where a text leaves it. */
class WordTree {
  readonly next: number[][] = [];
  readonly enough: number[] = [];
  readonly hinted: number[] = [];
  readonly #letters: number;
  readonly #letterOf: (code: number) => number;

  constructor(letters: number, letterOf: (code: number) => number) {
    this.#letters = letters;
    this.#letterOf = letterOf;
    this.#newState();
  }

  get size(): number {
    return this.next.length;
  }

  add({ word, bit, isEnough }: FoundBy): void {
    let state = 0;
    const small = word.toLowerCase();
    for (let at = 0; at < small.length; at += 1) {
      const row = this.next[state]!;
      const letter = this.#letterOf(small.charCodeAt(at));
      if (row[letter] === 0) row[letter] = this.#newState();
      state = row[letter]!;
    }
    const into = isEnough ? this.enough : this.hinted;
    into[state]! |= bit;
  }

  /** Where no word goes on, one may that began later. */
  link(): void {
    const shorter: number[] = [];
    const queue = [0];
    for (let at = 0; at < queue.length; at += 1) {
      const state = queue[at]!;
      const back = shorter[state] ?? 0;
      this.enough[state]! |= this.enough[back]!;
      this.hinted[state]! |= this.hinted[back]!;
      const [row, backRow] = [this.next[state]!, this.next[back]!];
      for (let letter = 0; letter <= this.#letters; letter += 1) {
        const below = row[letter]!;
        if (below === 0) row[letter] = backRow[letter]!;
        else {
          shorter[below] = state === 0 ? 0 : backRow[letter]!;
          queue.push(below);
        }
      }
    }
  }

  /** New numbers for the states: those where a word ends come last. */
  endsLast(): { order: Uint16Array; firstEnd: number } {
    const order = new Uint16Array(this.size);
    const isEnd = (state: number) => (this.enough[state]! | this.hinted[state]!) !== 0;
    const states = Array.from(this.next.keys());
    const [others, ends] = [states.filter((state) => !isEnd(state)), states.filter(isEnd)];
    for (const [place, state] of [...others, ...ends].entries()) order[state] = place;
    return { order, firstEnd: others.length };
  }

  #newState(): number {
    this.next.push(new Array<number>(this.#letters + 1).fill(0));
    this.enough.push(0);
    this.hinted.push(0);
    return this.next.length - 1;
  }
}

/** Words of which one stands in whatever is matched; undefined if none are known. `isAll`: there is nothing else to it. */
interface Needed {
  readonly words: readonly string[] | undefined;
  readonly isAll: boolean;
}

const NOTHING_KNOWN: Needed = { words: undefined, isAll: false };

/** More ways to write something are not worth telling apart. */
const MOST_WAYS = 64;

/** Reads as much of a pattern's syntax as is needed for that; of what it does not understand it expects no words. */
class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(): Needed[] {
    const all = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      all.push(this.#sequence());
    }
    return all;
  }

  /** Parts that are words are joined; of all that must be there, what is longest tells most. */
  #sequence(): Needed {
    let best: readonly string[] | undefined;
    let run: readonly string[] = [""];
    let isAll = true;
    const take = (words: readonly string[] | undefined) => {
      if (words !== undefined && telling(words) > telling(best ?? [])) best = words;
    };
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at]!)) {
      const part = this.#part();
      const joined = part.isAll && part.words ? run.flatMap((before) => part.words!.map((after) => before + after)) : undefined;
      if (joined && joined.length <= MOST_WAYS) run = joined;
      else {
        isAll = false;
        take(run);
        take(part.words);
        run = [""];
      }
    }
    if (isAll) return { words: run, isAll };
    take(run);
    return { words: best, isAll };
  }

  #part(): Needed {
    const atom = this.#atom();
    const times = /^(?:[?*+]|\{[^}]*\})\??/.exec(this.#source.slice(this.#at))?.[0] ?? "";
    this.#at += times.length;
    if (times === "") return atom;
    if (times[0] === "?" && atom.isAll) return { words: [...atom.words!, ""], isAll: true };
    return times[0] === "+" ? { ...atom, isAll: false } : NOTHING_KNOWN;
  }

  #atom(): Needed {
    const start = this.#source[this.#at++]!;
    if (start === "(") return this.#group();
    if (start === "[") return this.#skipClass();
    if (start === "\\") return this.#escape();
    return "^$.".includes(start) ? NOTHING_KNOWN : { words: [start], isAll: true };
  }

  #group(): Needed {
    const opening = /^\?(?:<?[=!]|:)/.exec(this.#source.slice(this.#at, this.#at + 3))?.[0] ?? "";
    this.#at += opening.length;
    const all = this.alternatives();
    this.#at += 1;
    if ((opening !== "?:" && opening !== "") || all.some(({ words }) => words === undefined)) return NOTHING_KNOWN;
    return { words: all.flatMap(({ words }) => words!), isAll: all.every(({ isAll }) => isAll) };
  }

  #skipClass(): Needed {
    while (this.#source[this.#at] !== "]") this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
    this.#at += 1;
    return NOTHING_KNOWN;
  }

  #escape(): Needed {
    const escaped = this.#source[this.#at++]!;
    if (/[^a-z0-9]/i.test(escaped)) return { words: [escaped], isAll: true };
    if (/[pPux]/.test(escaped)) this.#at += /^(?:\{[^}]*\}|[\da-f]{2,4})/i.exec(this.#source.slice(this.#at))?.[0].length ?? 0;
    return NOTHING_KNOWN;
  }
}

/** The longer, the fewer texts have them by chance. One letter of ASCII's alone tells nothing. */
function telling(words: readonly string[]): number {
  const least = Math.min(...words.map((word) => (word.length === 1 && word.charCodeAt(0) < 128 ? 0 : word.length)));
  return words.length === 0 ? 0 : least;
}
