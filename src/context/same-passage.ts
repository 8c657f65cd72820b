/** Finds passages with nearly the same words on different pages. Takes linear time for any input. */
import { isCode } from "./passages.ts";

/** Number of consecutive words that are compared (shingle size). */
const RUN = 4;
/** Share of the shorter passage's shingles that the other must contain. */
const MOST = 0.75;
/** Share of words that may differ; names and numbers may not. */
const OTHER_WORDS = 0.1;
/** Maximum number of candidates with a common shingle that are compared. */
const MOST_ALIKE = 6;

interface Kept<T> {
  readonly runs: number;
  readonly words: readonly string[];
  readonly small: ReadonlySet<string>;
  readonly value: T;
}

export class PassageMemory<T> {
  readonly #same = new Map<string, T>();
  /** Indexes of passages by the hash of a shingle. */
  readonly #runs = new Map<number, number[]>();
  readonly #kept: Kept<T>[] = [];

  /** The stored value of a passage with the same content; undefined if there is none. */
  find(text: string): T | undefined {
    const words = wordsOf(text);
    return this.#same.get(keyOf(words, text)) ?? this.#alike(words);
  }

  keep(text: string, value: T): void {
    const words = wordsOf(text);
    const key = keyOf(words, text);
    if (this.#same.has(key)) return;
    this.#same.set(key, value);
    const runs = runsOf(words);
    const at = this.#kept.push({ runs: runs.size, words, small: smallWords(words), value }) - 1;
    for (const run of runs) {
      const known = this.#runs.get(run);
      if (known === undefined) this.#runs.set(run, [at]);
      else if (known.length < MOST_ALIKE) known.push(at);
    }
  }

  #alike(words: readonly string[]): T | undefined {
    if (words.length === 0) return undefined;
    const runs = runsOf(words);
    const shared = new Map<number, number>();
    for (const run of runs) for (const at of this.#runs.get(run) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1);
    for (const [at, count] of shared) {
      const other = this.#kept[at]!;
      // A short passage inside a longer one is a duplicate; a longer one that contains a short one adds something.
      if (count < MOST * runs.size || runs.size > 1.2 * other.runs) continue;
      const small = smallWords(words);
      const isPart = runs.size < 0.8 * other.runs;
      if (saysNothingNew(words, other.small) && (isPart || saysNothingNew(other.words, small))) return other.value;
    }
    return undefined;
  }
}

function saysNothingNew(words: readonly string[], known: ReadonlySet<string>): boolean {
  const fresh = words.filter((word) => !known.has(word.toLowerCase()));
  return fresh.length <= OTHER_WORDS * words.length && !fresh.some(matters);
}

const smallWords = (words: readonly string[]) => new Set(words.map((word) => word.toLowerCase()));

/** Words that change the meaning of otherwise equal sentences: numbers, names, negations. */
const matters = (word: string) =>
  /[\p{N}\p{Lu}]|^(?:not|no|never|without|nicht|kein(?:e[mnrs]?)?|nie|ohne|ne|pas|jamais|sans|nunca|sin|non)$/u.test(word);

/** In scripts without spaces each character counts as a word. */
const word = /(?:(?![\u2e80-\u9fff\uac00-\ud7af])[\p{L}\p{N}\p{M}]){1,200}|[\u2e80-\u9fff\uac00-\ud7af]/gu;

/** Code is compared exactly, because every character matters. */
const wordsOf = (text: string): string[] => (isCode(text) ? [] : (text.match(word) ?? []));

const keyOf = (words: readonly string[], text: string) => (words.length === 0 ? text.trim() : words.join(" ").toLowerCase());

function runsOf(words: readonly string[]): Set<number> {
  const hashes = words.map(hashOf);
  const runs = new Set<number>();
  const count = Math.max(1, hashes.length - RUN + 1);
  for (let at = 0; at < count; at += 1) {
    let run = 0;
    for (let next = at; next < Math.min(at + RUN, hashes.length); next += 1) run = Math.imul(run ^ hashes[next]!, 0x01000193);
    runs.add(run);
  }
  return runs;
}

/** FNV-1a of the lower-case text. */
function hashOf(text: string): number {
  const small = text.toLowerCase();
  let hash = 0x811c9dc5;
  for (let at = 0; at < small.length; at += 1) hash = Math.imul(hash ^ small.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
