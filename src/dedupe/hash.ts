/** A small 64-bit hash over UTF-16 units, in two lanes of 32 bits. Unkeyed: it recognises pages, it guards nothing. */

const PRIME = 0x9e3779b1;
const SPACE = 32;

/** The lanes take the units in turn, which keeps the loop short; the end mixes them. */
export class Hash {
  #a = 0x243f6a88;
  #b = 0x13198a2e;

  /** A mark between two texts, so that ("ab", "c") and ("a", "bc") differ. */
  mark(): void {
    this.#a = Math.imul(this.#a ^ 0xffff, PRIME);
    this.#b = mix(this.#b);
  }

  /** Adds a text. Any run of white space counts as one space, and none at the ends. */
  add(text: string): void {
    let a = this.#a;
    let b = this.#b;
    let pending = 0;
    let isStarted = false;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code <= SPACE || code === 0xa0) {
        if (isStarted) pending = SPACE << 16;
        continue;
      }
      // A space rides on the unit that follows it.
      const h = Math.imul(a ^ code ^ pending, PRIME);
      a = b;
      b = h ^ (h >>> 15);
      pending = 0;
      isStarted = true;
    }
    this.#a = a;
    this.#b = b;
  }

  hex(): string {
    return hex(mix(this.#a ^ mix(this.#b)), mix(this.#b + Math.imul(this.#a, PRIME)));
  }
}

/** Spreads every bit of the input over all bits of the output. */
export function mix(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

export const hex = (hi: number, lo: number): string => (hi >>> 0).toString(16).padStart(8, "0") + (lo >>> 0).toString(16).padStart(8, "0");
