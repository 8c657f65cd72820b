import { LETTER, POINTS, UNSPACED } from "./unspaced.ts";

/** The words of a text and their offsets; each character of a script without spaces is a word. */
export interface Units {
  readonly words: readonly string[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const UNIT = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[${LETTER}])+`, "gu");

export function unitsOf(text: string): Units {
  const units = { words: [] as string[], starts: [] as number[], ends: [] as number[] };
  for (const { 0: word, index } of text.matchAll(UNIT)) {
    units.words.push(folded(word));
    units.starts.push(index);
    units.ends.push(index + word.length);
  }
  return units;
}

const PLAIN = /^[\w']*$/;
const MARKS = new RegExp(`[\\u0300-\\u036f${POINTS}]`, "gu");

/** Letters without case and accents, as in the index. */
const folded = (word: string): string =>
  PLAIN.test(word) ? word.toLowerCase() : word.normalize("NFKD").toLowerCase().replace(MARKS, "").replaceAll("ς", "σ");
