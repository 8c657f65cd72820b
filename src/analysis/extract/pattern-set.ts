/**
 * Matches several patterns against the same texts. Most patterns match nothing in most texts, and testing them one by
 * one is slow. For each pattern, a list of words is derived such that every match contains at least one of them. One
 * pass over the text finds all these words (Aho and Corasick 1975). A pattern that consists only of words needs nothing
 * else; others are tested only if one of their words was found.
 */
export class PatternSet {
  readonly #patterns: readonly RegExp[];
  readonly #finder: WordFinder;
  /** Bits of patterns without such words: they are always tested. */
  #alwaysTested = 0;

  /** At most 32 patterns, without named groups and without Unicode case folding (flags `iu`). */
  constructor(patterns: readonly RegExp[]) {
    this.#patterns = patterns;
    const words: PatternWord[] = [];
    for (const [at, { source, ignoreCase }] of patterns.entries()) {
      const bit = 1 << at;
      for (const { words: requiredWords, isAll } of new PatternReader(source).alternatives()) {
        if (requiredWords === undefined || requiredWords.includes("")) this.#alwaysTested |= bit;
        else for (const word of requiredWords) words.push({ word, bit, isSufficient: isAll && ignoreCase && !NOT_LATIN1.test(word) });
      }
    }
    this.#finder = new WordFinder(words);
  }

  /** A bitmask of the patterns that match; the lowest bit is the first pattern. */
  matching(text: string): number {
    const finder = this.#finder;
    finder.search(text);
    let found = finder.sufficient;
    let remaining = (finder.hinted | this.#alwaysTested) & ~found;
    for (let at = 0; remaining !== 0; at += 1, remaining >>>= 1)
      if ((remaining & 1) === 1 && this.#patterns[at]!.test(text)) found |= 1 << at;
    return found;
  }
}

interface PatternWord {
  readonly word: string;
  readonly bit: number;
  /** True if the pattern matches wherever the word occurs, in any case. */
  readonly isSufficient: boolean;
}

/** Characters beyond ISO 8859-1 are treated as one. */
const NOT_LATIN1 = /[^\x00-\xff]/;
const OTHER_LETTER = 1;

/** Finds which of many words occur in a text, ignoring case. */
class WordFinder {
  /** The pattern bits of words that are sufficient for a match, and of words that only hint at one. */
  sufficient = 0;
  hinted = 0;
  /** Maps each character of ISO 8859-1 to a letter number; 0 if no word has it. */
  readonly #letters = new Uint8Array(256);
  /** Transition table: the next state for each state and letter. */
  readonly #next: Uint16Array;
  readonly #shift: number;
  /** Whether a word ends in a state, and the bits of the words that do. */
  readonly #isEnd: Uint8Array;
  readonly #sufficient: Uint32Array;
  readonly #hinted: Uint32Array;

  constructor(words: readonly PatternWord[]) {
    this.#shift = 32 - Math.clz32(this.#numberLetters(words));
    const states = trieOf(words, (code) => this.#letterOf(code));
    this.#next = new Uint16Array(states.length << this.#shift);
    this.#link(states);
    this.#isEnd = Uint8Array.from(states, ({ sufficient, hinted }) => Number((sufficient | hinted) !== 0));
    this.#sufficient = Uint32Array.from(states, ({ sufficient }) => sufficient);
    this.#hinted = Uint32Array.from(states, ({ hinted }) => hinted);
  }

  search(text: string): void {
    const [letters, next, shift, isEnd] = [this.#letters, this.#next, this.#shift, this.#isEnd];
    let state = 0;
    let sufficient = 0;
    let hinted = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      state = next[(state << shift) | (code < 256 ? letters[code]! : OTHER_LETTER)]!;
      if (isEnd[state] === 0) continue;
      sufficient |= this.#sufficient[state]!;
      hinted |= this.#hinted[state]!;
    }
    this.sufficient = sufficient;
    this.hinted = hinted;
  }

  /** Numbers the letters of all words, with both cases alike, and returns the last number. */
  #numberLetters(words: readonly PatternWord[]): number {
    let last = OTHER_LETTER;
    for (const letter of new Set(words.flatMap(({ word }) => word.toLowerCase().split("")))) {
      if (NOT_LATIN1.test(letter)) continue;
      last += 1;
      this.#letters[letter.charCodeAt(0)] = last;
      const capital = letter.toUpperCase();
      if (capital.length === 1 && !NOT_LATIN1.test(capital)) this.#letters[capital.charCodeAt(0)] = last;
    }
    return last;
  }

  #letterOf(code: number): number {
    return code < 256 ? this.#letters[code]! : OTHER_LETTER;
  }

  /**
   * Completes the automaton breadth first: a state without a transition for a letter takes that of its failure state,
   * the longest suffix that is also a prefix of a word.
   */
  #link(states: readonly State[]): void {
    const [next, shift] = [this.#next, this.#shift];
    const failureStates = new Uint16Array(states.length);
    const queue = [0];
    for (let at = 0; at < queue.length; at += 1) {
      const stateNumber = queue[at]!;
      const failureState = failureStates[stateNumber]!;
      const state = states[stateNumber]!;
      next.copyWithin(stateNumber << shift, failureState << shift, (failureState + 1) << shift);
      state.sufficient |= states[failureState]!.sufficient;
      state.hinted |= states[failureState]!.hinted;
      for (const [letter, below] of state.below) {
        failureStates[below] = next[(stateNumber << shift) | letter]!;
        next[(stateNumber << shift) | letter] = below;
        queue.push(below);
      }
    }
  }
}

/** A node of the trie. */
interface State {
  readonly below: Map<number, number>;
  sufficient: number;
  hinted: number;
}

/** Builds the trie of the words. */
function trieOf(words: readonly PatternWord[], letterOf: (code: number) => number): State[] {
  const states: State[] = [{ below: new Map(), sufficient: 0, hinted: 0 }];
  for (const { word, bit, isSufficient } of words) {
    const lowerCase = word.toLowerCase();
    let state = states[0]!;
    for (let at = 0; at < lowerCase.length; at += 1) {
      const letter = letterOf(lowerCase.charCodeAt(at));
      let below = state.below.get(letter);
      if (below === undefined) {
        below = states.push({ below: new Map(), sufficient: 0, hinted: 0 }) - 1;
        state.below.set(letter, below);
      }
      state = states[below]!;
    }
    if (isSufficient) state.sufficient |= bit;
    else state.hinted |= bit;
  }
  return states;
}

/** Words of which every match contains at least one; undefined if none are known. `isAll`: the words are the whole pattern. */
interface RequiredWords {
  readonly words: readonly string[] | undefined;
  readonly isAll: boolean;
}

const NOTHING_KNOWN: RequiredWords = { words: undefined, isAll: false };

/** With more alternatives, a pattern is not expanded further. */
const MAX_ALTERNATIVES = 64;

/** Parses just enough regular expression syntax to find the needed words. Unknown syntax yields none. */
class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(): RequiredWords[] {
    const all = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      all.push(this.#sequence());
    }
    return all;
  }

  /** Adjacent literal parts are joined. Of all required words, the longest are chosen, because they are the most selective. */
  #sequence(): RequiredWords {
    let best: readonly string[] | undefined;
    let run: readonly string[] = [""];
    let isAll = true;
    const takeIfBetter = (words: readonly string[] | undefined) => {
      if (words !== undefined && selectivityOf(words) > selectivityOf(best ?? [])) best = words;
    };
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at]!)) {
      const part = this.#part();
      const joined = part.isAll && part.words ? run.flatMap((before) => part.words!.map((after) => before + after)) : undefined;
      if (joined && joined.length <= MAX_ALTERNATIVES) run = joined;
      else {
        isAll = false;
        takeIfBetter(run);
        takeIfBetter(part.words);
        run = [""];
      }
    }
    if (isAll) return { words: run, isAll };
    takeIfBetter(run);
    return { words: best, isAll };
  }

  #part(): RequiredWords {
    const atom = this.#atom();
    const quantifier = /^(?:[?*+]|\{[^}]*\})\??/.exec(this.#source.slice(this.#at))?.[0] ?? "";
    this.#at += quantifier.length;
    if (quantifier === "") return atom;
    if (quantifier[0] === "?" && atom.isAll) return { words: [...atom.words!, ""], isAll: true };
    return quantifier[0] === "+" ? { ...atom, isAll: false } : NOTHING_KNOWN;
  }

  #atom(): RequiredWords {
    const start = this.#source[this.#at++]!;
    if (start === "(") return this.#group();
    if (start === "[") return this.#skipClass();
    if (start === "\\") return this.#escape();
    return "^$.".includes(start) ? NOTHING_KNOWN : { words: [start], isAll: true };
  }

  #group(): RequiredWords {
    const opening = /^\?(?:<?[=!]|:)/.exec(this.#source.slice(this.#at, this.#at + 3))?.[0] ?? "";
    this.#at += opening.length;
    const all = this.alternatives();
    this.#at += 1;
    if ((opening !== "?:" && opening !== "") || all.some(({ words }) => words === undefined)) return NOTHING_KNOWN;
    return { words: all.flatMap(({ words }) => words!), isAll: all.every(({ isAll }) => isAll) };
  }

  #skipClass(): RequiredWords {
    while (this.#source[this.#at] !== "]") this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
    this.#at += 1;
    return NOTHING_KNOWN;
  }

  #escape(): RequiredWords {
    const escaped = this.#source[this.#at++]!;
    if (/[^a-z0-9]/i.test(escaped)) return { words: [escaped], isAll: true };
    if (/[pPux]/.test(escaped)) this.#at += /^(?:\{[^}]*\}|[\da-f]{2,4})/i.exec(this.#source.slice(this.#at))?.[0].length ?? 0;
    return NOTHING_KNOWN;
  }
}

/** How selective words are: longer ones occur less often by chance. A single ASCII letter does not count. */
function selectivityOf(words: readonly string[]): number {
  const shortestLength = Math.min(...words.map((word) => (word.length === 1 && word.charCodeAt(0) < 128 ? 0 : word.length)));
  return words.length === 0 ? 0 : shortestLength;
}
