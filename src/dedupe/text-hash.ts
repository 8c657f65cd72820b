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
  const { simhash, words } = walk(text);
  return { hash: hash("sha256", text.replaceAll("\n", " "), "hex").slice(0, 16), simhash, words };
}

/** Room for most texts; a longer one gets its own, so that one large page is not remembered for ever. */
const scratch = new Uint16Array(256 * 1024);

/** Numbers in an array are reached in half the time that letters in a string take. */
function unitsOf(text: string): Uint16Array {
  const units = text.length <= scratch.length ? scratch : new Uint16Array(text.length);
  Buffer.from(units.buffer).write(text, "utf16le");
  return units;
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
