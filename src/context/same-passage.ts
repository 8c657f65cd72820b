/** Tells passages that say the same in nearly the same words, whatever page they stand on. Linear in what it is told, whatever that is. */
import { isCode } from "./passages.ts";

/** Words in a row that are compared. */
const RUN = 4;
/** Of the shorter passage, how much must stand in the other. */
const MOST = 0.75;
/** Words that may differ; a name or a number never may. */
const OTHER_WORDS = 0.1;
/** So many passages with the same words in a row are held against a new one. */
const MOST_ALIKE = 6;

interface Kept<T> {
  readonly runs: number;
  readonly words: readonly string[];
  readonly small: ReadonlySet<string>;
  readonly value: T;
}

export class PassageMemory<T> {
  readonly #same = new Map<string, T>();
  /** Which passages hold a run of words, by its hash. */
  readonly #runs = new Map<number, number[]>();
  readonly #kept: Kept<T>[] = [];

  /** What was kept of a passage that already says this; undefined where none does. */
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
      // A short passage that stands inside a longer one has been said; a longer one that holds a short one has more to say.
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

/** A number, a name, a no: what makes two facts of two sentences that are alike. */
const matters = (word: string) =>
  /[\p{N}\p{Lu}]|^(?:not|no|never|without|nicht|kein(?:e[mnrs]?)?|nie|ohne|ne|pas|jamais|sans|nunca|sin|non)$/u.test(word);

/** Letters of scripts without spaces are words of their own. */
const word = /(?:(?![\u2e80-\u9fff\uac00-\ud7af])[\p{L}\p{N}\p{M}]){1,200}|[\u2e80-\u9fff\uac00-\ud7af]/gu;

/** In code every sign counts: it is the same or it is not. */
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

/** FNV-1a over small letters. */
function hashOf(text: string): number {
  const small = text.toLowerCase();
  let hash = 0x811c9dc5;
  for (let at = 0; at < small.length; at += 1) hash = Math.imul(hash ^ small.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
