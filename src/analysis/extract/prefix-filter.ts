import { sharedCodeUnitsOf } from "./language/letter-codes.ts";

/**
 * Set of the first three letters of the words of a list. Most words of a text are ruled out by them, without creating a
 * substring. Words with letters other than a–z always pass.
 */
export class PrefixFilter {
  readonly #prefixes = new Uint8Array(1 << 15);

  constructor(words: Iterable<string>) {
    for (const word of words) {
      const prefix = prefixOf(sharedCodeUnitsOf(word), 0, word.length);
      if (prefix >= 0) this.#prefixes[prefix] = 1;
    }
  }

  /** Whether the word in these character codes may be on the list. False positives are possible. */
  mayContain(codes: Uint16Array, start: number, end: number): boolean {
    const prefix = prefixOf(codes, start, end);
    return prefix < 0 || this.#prefixes[prefix] === 1;
  }
}

/** Packs three letters into 15 bits, 5 bits each. Returns -1 if one is not a–z. */
function prefixOf(codes: Uint16Array, start: number, end: number): number {
  let prefix = 0;
  for (let at = start; at < start + 3; at += 1) {
    const letter = at < end ? codes[at]! - 0x60 : 0;
    if (letter < 0 || letter > 26) return -1;
    prefix = (prefix << 5) | letter;
  }
  return prefix;
}
