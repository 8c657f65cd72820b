/** Slots probed per word: hash collisions made on purpose can only cause cache misses, not slow lookups. */
const MAX_PROBES = 4;
const SLOTS = 2 ** 15;
/** Words of this length or more are copied, because slices of that length keep the whole text in memory. */
const MIN_COPIED_LENGTH = 13;

export const HASH_START = 0x2545f491;
export const addToHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

/** A cache of words that is looked up by offsets in a text: slicing each word and hashing it again takes four times as long. */
export class WordTable<Found extends { readonly word: string }> {
  readonly #hashes = new Int32Array(SLOTS);
  readonly #found = new Array<Found | undefined>(SLOTS).fill(undefined);
  readonly #make: (word: string) => Found;

  constructor(make: (word: string) => Found) {
    this.#make = make;
  }

  at(text: string, start: number, end: number, hash: number): Found {
    const firstSlot = slotOf(hash);
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = (firstSlot + probe) & (SLOTS - 1);
      const found = this.#found[slot];
      if (found === undefined) return this.#store(slot, hash, text.slice(start, end));
      if (this.#hashes[slot] === hash && isAt(found.word, text, start, end)) return found;
    }
    return this.#store(firstSlot, hash, text.slice(start, end));
  }

  of(word: string): Found {
    let hash = HASH_START;
    for (let at = 0; at < word.length; at++) hash = addToHash(hash, word.charCodeAt(at));
    return this.at(word, 0, word.length, hash);
  }

  #store(slot: number, hash: number, word: string): Found {
    const found = this.#make(word.length < MIN_COPIED_LENGTH ? word : ` ${word}`.slice(1));
    this.#hashes[slot] = hash;
    this.#found[slot] = found;
    return found;
  }
}

/** The upper half of a product depends on all bits of its factors, the lower half does not. */
const slotOf = (hash: number): number => (hash ^ (hash >>> 15)) & (SLOTS - 1);

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}
