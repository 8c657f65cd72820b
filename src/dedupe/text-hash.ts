import { hash } from "node:crypto";
import { codesOf, giveBack } from "../code-units.ts";
import { countShingle, newShingles, simhash } from "./simhash.ts";
import { isWhole, letters, withLetter } from "./words.ts";

export interface TextHash {
  readonly hash: string;
  readonly simhash: string;
  readonly words: number;
}

/** Hash, simhash and word count of a text. Line breaks do not count; other white space was normalised by the reader. */
export function hashText(text: string): TextHash {
  const { simhash, words } = walk(text);
  return { hash: hash("sha256", text.replaceAll("\n", " "), "hex").slice(0, 16), simhash, words };
}

/** The most expensive loop per page, so it works on an array of code units. */
function walk(text: string): { simhash: string; words: number } {
  const codes = codesOf(text);
  newShingles();
  let words = 0;
  let first = 0;
  let second = 0;
  let word = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const letter = at === text.length ? 0 : letters[codes[at]!]!;
    if (letter !== 0) {
      word = withLetter(word, letter);
      if (!isWhole(letter)) continue;
    }
    if (word === 0) continue;
    words += 1;
    if (words > 2) countShingle(first, second, word);
    first = second;
    second = word;
    word = 0;
  }
  giveBack(codes);
  return { simhash: simhash(words), words };
}
