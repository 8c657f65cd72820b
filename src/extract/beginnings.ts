import { codesOf } from "./letter-codes.ts";

/**
 * How the words of a list begin, by three letters. Most words of a text begin otherwise, and need not be cut out of it to be told from them.
 * Words with letters that are not of the alphabet may always be on the list.
 */
export class Beginnings {
  readonly #known = new Uint8Array(1 << 15);

  constructor(words: Iterable<string>) {
    for (const word of words) {
      const beginning = beginningOf(codesOf(word), 0, word.length);
      if (beginning >= 0) this.#known[beginning] = 1;
    }
  }

  /** Whether the word whose letters these are may be one of them. */
  mayHold(codes: Uint16Array, start: number, end: number): boolean {
    const beginning = beginningOf(codes, start, end);
    return beginning < 0 || this.#known[beginning] === 1;
  }
}

/** Five bits for each letter; -1 if one of them is not of the alphabet. */
function beginningOf(codes: Uint16Array, start: number, end: number): number {
  let beginning = 0;
  for (let at = start; at < start + 3; at += 1) {
    const letter = at < end ? codes[at]! - 0x60 : 0;
    if (letter < 0 || letter > 26) return -1;
    beginning = (beginning << 5) | letter;
  }
  return beginning;
}
