import { hash } from "node:crypto";
import { countShingle, newShingles, simhash } from "./simhash.ts";
import { isWhole, letters, withLetter } from "./words.ts";

export interface TextHash {
  readonly hash: string;
  readonly simhash: string;
  readonly words: number;
}

/** Where lines break does not count. Everything else about white space was settled when the text was read. */
export function hashText(text: string): TextHash {
  return { hash: hash("sha256", text.replaceAll("\n", " "), "hex").slice(0, 16), ...walk(text) };
}

/** Numbers in an array are reached in half the time that letters in a string take. */
let scratch = new Uint16Array(64 * 1024);

function unitsOf(text: string): Uint16Array {
  if (text.length > scratch.length) scratch = new Uint16Array(2 * text.length);
  Buffer.from(scratch.buffer).write(text, "utf16le");
  return scratch;
}

/** The longest loop a page goes through. */
function walk(text: string): { simhash: string; words: number } {
  const units = unitsOf(text);
  newShingles();
  let words = 0;
  let first = 0;
  let second = 0;
  let word = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const letter = at === text.length ? 0 : letters[units[at]!]!;
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
  return { simhash: simhash(words), words };
}
