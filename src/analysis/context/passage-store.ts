/** Finds passages with nearly the same words on different pages. Takes linear time for any input. */
import { isCode } from "./passages.ts";

/** Number of consecutive words that are compared (shingle size). */
const SHINGLE_SIZE = 4;
/** Share of the shorter passage's shingles that the other must contain. */
const MIN_SHARED_SHARE = 0.75;
/** Share of words that may differ; names and numbers may not. */
const MAX_OTHER_WORDS = 0.1;
/** Maximum number of candidates with a common shingle that are compared. */
const MAX_CANDIDATES = 6;

interface StoredPassage<T> {
  readonly shingles: number;
  readonly words: readonly string[];
  readonly lowerCase: ReadonlySet<string>;
  readonly value: T;
}

export class PassageStore<T> {
  readonly #exactMatches = new Map<string, T>();
  /** Indexes of passages by the hash of a shingle. */
  readonly #shingles = new Map<number, number[]>();
  readonly #stored: StoredPassage<T>[] = [];

  /** The stored value of a passage with the same content; undefined if there is none. */
  find(text: string): T | undefined {
    const words = wordsOf(text);
    return this.#exactMatches.get(keyOf(words, text)) ?? this.#findSimilar(words);
  }

  add(text: string, value: T): void {
    const words = wordsOf(text);
    const key = keyOf(words, text);
    if (this.#exactMatches.has(key)) return;
    this.#exactMatches.set(key, value);
    const shingles = shinglesOf(words);
    const at = this.#stored.push({ shingles: shingles.size, words, lowerCase: lowerCaseWords(words), value }) - 1;
    for (const shingle of shingles) {
      const known = this.#shingles.get(shingle);
      if (known === undefined) this.#shingles.set(shingle, [at]);
      else if (known.length < MAX_CANDIDATES) known.push(at);
    }
  }

  #findSimilar(words: readonly string[]): T | undefined {
    if (words.length === 0) return undefined;
    const shingles = shinglesOf(words);
    const shared = new Map<number, number>();
    for (const shingle of shingles) for (const at of this.#shingles.get(shingle) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1);
    for (const [at, count] of shared) {
      const other = this.#stored[at]!;
      // A short passage inside a longer one is a duplicate; a longer one that contains a short one adds something.
      if (count < MIN_SHARED_SHARE * shingles.size || shingles.size > 1.2 * other.shingles) continue;
      const lowerCase = lowerCaseWords(words);
      const isPart = shingles.size < 0.8 * other.shingles;
      if (addsNothing(words, other.lowerCase) && (isPart || addsNothing(other.words, lowerCase))) return other.value;
    }
    return undefined;
  }
}

function addsNothing(words: readonly string[], known: ReadonlySet<string>): boolean {
  const fresh = words.filter((word) => !known.has(word.toLowerCase()));
  return fresh.length <= MAX_OTHER_WORDS * words.length && !fresh.some(isSignificant);
}

const lowerCaseWords = (words: readonly string[]) => new Set(words.map((word) => word.toLowerCase()));

/** Words that change the meaning of otherwise equal sentences: numbers, names, negations. */
const isSignificant = (word: string) =>
  /[\p{N}\p{Lu}]|^(?:not|no|never|without|nicht|kein(?:e[mnrs]?)?|nie|ohne|ne|pas|jamais|sans|nunca|sin|non)$/u.test(word);

/** In scripts without spaces each character counts as a word. */
const word = /(?:(?![\u2e80-\u9fff\uac00-\ud7af])[\p{L}\p{N}\p{M}]){1,200}|[\u2e80-\u9fff\uac00-\ud7af]/gu;

/** Code is compared exactly, because every character matters. */
const wordsOf = (text: string): string[] => (isCode(text) ? [] : (text.match(word) ?? []));

const keyOf = (words: readonly string[], text: string) => (words.length === 0 ? text.trim() : words.join(" ").toLowerCase());

function shinglesOf(words: readonly string[]): Set<number> {
  const hashes = words.map(hashOf);
  const shingles = new Set<number>();
  const count = Math.max(1, hashes.length - SHINGLE_SIZE + 1);
  for (let at = 0; at < count; at += 1) {
    let shingle = 0;
    for (let next = at; next < Math.min(at + SHINGLE_SIZE, hashes.length); next += 1)
      shingle = Math.imul(shingle ^ hashes[next]!, 0x01000193);
    shingles.add(shingle);
  }
  return shingles;
}

/** FNV-1a of the lower-case text. */
function hashOf(text: string): number {
  const lowerCase = text.toLowerCase();
  let hash = 0x811c9dc5;
  for (let at = 0; at < lowerCase.length; at += 1) hash = Math.imul(hash ^ lowerCase.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
