/** The words of a text as numbers, without making a string for each: a page has thousands, and every page comes by here. */
import { mix } from "./hash.ts";

const isDigit = (code: number) => code >= 48 && code <= 57;

/** A letter of a script that writes without spaces: it is a word. */
export const isWhole = (code: number): boolean => code >= 0x3040 && code <= 0x9fff;

/** What separates words: all that is not a digit or a letter up to Latin-1, then punctuation of all scripts, of CJK, and in full width. */
const between = [
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

/** Where letters have cases: up to Armenian, Georgian, Cherokee, the extensions of Latin, Greek and Cyrillic, full width. */
const cased = [
  [0x41, 0x590],
  [0x10a0, 0x1100],
  [0x13a0, 0x1400],
  [0x1c80, 0x2190],
  [0x2c00, 0x2d30],
  [0xa640, 0xabc0],
  [0xff21, 0xff3b],
] as const;

/** Each letter in lower case, where that is one unit too, and 0 for whatever separates words. */
export const letters = new Uint16Array(0x10000);
for (let code = 0; code < letters.length; code += 1) letters[code] = code;
for (const [from, to] of between) letters.fill(0, from, to);
for (const [from, to] of cased) {
  for (let code = from; code < to; code += 1) {
    const lower = String.fromCharCode(code).toLowerCase();
    if (letters[code] !== 0 && lower.length === 1) letters[code] = lower.charCodeAt(0);
  }
}

/** As short a way as there is from one letter to the next: a text of thousands of them waits for it. */
export const withLetter = (word: number, letter: number): number => (((word << 5) + word) | 0) ^ letter;

/** Calls `visit` with a 32-bit hash of each word, whatever its case, and returns how many there were. */
export function eachWord(text: string, visit: (hash: number, hasDigit: boolean) => void): number {
  let count = 0;
  let word = 0;
  let hasDigit = false;
  for (let at = 0; at <= text.length; at += 1) {
    const letter = at < text.length ? letters[text.charCodeAt(at)]! : 0;
    if (letter !== 0) {
      word = withLetter(word, letter);
      hasDigit ||= isDigit(letter);
      if (!isWhole(letter)) continue;
    }
    if (word === 0) continue;
    visit(mix(word), hasDigit);
    count += 1;
    word = 0;
    hasDigit = false;
  }
  return count;
}
