import { hash } from "node:crypto";
import { codeUnitsOf, releaseBuffer } from "../../core/code-units.ts";
import { countShingle, resetShingles, simhash } from "./simhash.ts";
import { addLetter, isWordByItself, lowerCaseCodes } from "./words.ts";

export interface TextHash {
  readonly hash: string;
  readonly simhash: string;
  readonly words: number;
}

/** Hash, simhash and word count of a text. Line breaks do not count; other white space was normalised by the reader. */
export function hashText(text: string): TextHash {
  const { simhash, words } = simhashAndCount(text);
  return { hash: hash("sha256", text.replaceAll("\n", " "), "hex").slice(0, 16), simhash, words };
}

/** The most expensive loop per page, so it works on an array of code units. */
function simhashAndCount(text: string): { simhash: string; words: number } {
  const codes = codeUnitsOf(text);
  resetShingles();
  let words = 0;
  let first = 0;
  let second = 0;
  let word = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const letter = at === text.length ? 0 : lowerCaseCodes[codes[at]!]!;
    if (letter !== 0) {
      word = addLetter(word, letter);
      if (!isWordByItself(letter)) continue;
    }
    if (word === 0) continue;
    words += 1;
    if (words > 2) countShingle(first, second, word);
    first = second;
    second = word;
    word = 0;
  }
  releaseBuffer(codes);
  return { simhash: simhash(words), words };
}
