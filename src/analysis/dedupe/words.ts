/** Hashes the words of a text without creating a string for each: a page has thousands of words, and this runs for every page. */
import { mix } from "./hash.ts";

const isDigit = (code: number) => code >= 48 && code <= 57;

/** A character of a script without spaces counts as a word of its own. */
export const isWordByItself = (code: number): boolean => code >= 0x3040 && code <= 0x9fff;

/** Separators of words: everything up to Latin-1 except digits and letters, then general, CJK and full-width punctuation. */
const separators = [
  [0, 0x30],
  [0x3a, 0x41],
  [0x5b, 0x61],
  [0x7b, 0xaa],
  [0xab, 0xb5],
  [0xb6, 0xba],
  [0xbb, 0xc0],
  [0x2000, 0x2070],
  [0x3000, 0x3040],
  [0xff00, 0xff10],
] as const;

/** Ranges with upper and lower case: up to Armenian; Georgian, Cherokee; Latin, Greek and Cyrillic extensions; full width. */
const cased = [
  [0x41, 0x590],
  [0x10a0, 0x1100],
  [0x13a0, 0x1400],
  [0x1c80, 0x2190],
  [0x2c00, 0x2d30],
  [0xa640, 0xabc0],
  [0xff21, 0xff3b],
] as const;

/** Each code unit in lower case, if that is one unit too; 0 for separators. */
export const lowerCaseCodes = new Uint16Array(0x10000);
for (let code = 0; code < lowerCaseCodes.length; code += 1) lowerCaseCodes[code] = code;
for (const [from, to] of separators) lowerCaseCodes.fill(0, from, to);
for (const [from, to] of cased) {
  for (let code = from; code < to; code += 1) {
    const lower = String.fromCharCode(code).toLowerCase();
    if (lowerCaseCodes[code] !== 0 && lower.length === 1) lowerCaseCodes[code] = lower.charCodeAt(0);
  }
}

/** As few operations per letter as possible, because a text has thousands of them. */
export const addLetter = (word: number, letter: number): number => (((word << 5) + word) | 0) ^ letter;

/** Calls `visit` with a 32-bit hash of each word, ignoring case, and returns the number of words. */
export function forEachWord(text: string, visit: (hash: number, hasDigit: boolean) => void): number {
  let count = 0;
  let word = 0;
  let hasDigit = false;
  for (let at = 0; at <= text.length; at += 1) {
    const letter = at < text.length ? lowerCaseCodes[text.charCodeAt(at)]! : 0;
    if (letter !== 0) {
      word = addLetter(word, letter);
      hasDigit ||= isDigit(letter);
      if (!isWordByItself(letter)) continue;
    }
    if (word === 0) continue;
    visit(mix(word), hasDigit);
    count += 1;
    word = 0;
    hasDigit = false;
  }
  return count;
}
