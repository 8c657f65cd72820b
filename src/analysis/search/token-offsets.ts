import { LETTER_CLASSES, UNSPACED_SCRIPTS, VOWEL_POINT_RANGES } from "./unspaced.ts";

/** The words of a text and their offsets; each character of a script without spaces is a word. */
export interface TokenOffsets {
  readonly words: readonly string[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const TOKEN = new RegExp(`[${UNSPACED_SCRIPTS}]|(?:(?![${UNSPACED_SCRIPTS}])[${LETTER_CLASSES}])+`, "gu");

export function tokenOffsetsOf(text: string): TokenOffsets {
  const tokens = { words: [] as string[], starts: [] as number[], ends: [] as number[] };
  for (const { 0: word, index } of text.matchAll(TOKEN)) {
    tokens.words.push(folded(word));
    tokens.starts.push(index);
    tokens.ends.push(index + word.length);
  }
  return tokens;
}

const PLAIN = /^[\w']*$/;
const ACCENTS = new RegExp(`[\\u0300-\\u036f${VOWEL_POINT_RANGES}]`, "gu");

/** Letters without case and accents, as in the index. */
const folded = (word: string): string =>
  PLAIN.test(word) ? word.toLowerCase() : word.normalize("NFKD").toLowerCase().replace(ACCENTS, "").replaceAll("ς", "σ");
