import type { Hash64 } from "../../core/records.ts";

/**
 * A keyed 64-bit hash over UTF-16 code units: two 32-bit lanes, two units per step, each lane mixed with the other, then avalanche. Not
 * for secrets; the seed only prevents a site from choosing URLs that collide for everyone.
 */
export function hash64(text: string, seed: Hash64): Hash64 {
  laneA = seed.hi ^ 0x9e3779b9;
  laneB = seed.lo ^ 0x85ebca6b;
  absorb(text);
  finish(text.length);
  return { hi: laneA >>> 0, lo: laneB >>> 0 };
}

/** `hash64` of texts with a common prefix, without hashing the prefix each time. */
export class PrefixHash {
  readonly #length: number;
  readonly #a: number;
  readonly #b: number;
  /** The last unit of a prefix of odd length, which pairs with the first of the rest. */
  readonly #odd: number;

  constructor(prefix: string, seed: Hash64) {
    const even = prefix.length & ~1;
    laneA = seed.hi ^ 0x9e3779b9;
    laneB = seed.lo ^ 0x85ebca6b;
    absorb(prefix.slice(0, even));
    this.#length = prefix.length;
    this.#a = laneA;
    this.#b = laneB;
    this.#odd = even < prefix.length ? prefix.charCodeAt(even) : -1;
  }

  /**
   * Writes both halves of the hash of the prefix plus these code units. They are read from an array, which is faster than from a string.
   */
  write(codes: Uint16Array, start: number, end: number, output: Uint32Array, at: number): void {
    laneA = this.#a;
    laneB = this.#b;
    const isOdd = this.#odd >= 0;
    if (isOdd) step(this.#odd | (start < end ? codes[start]! << 16 : 0));
    absorbCodes(codes, isOdd ? start + 1 : start, end);
    finish(this.#length + end - start);
    output[at] = laneA;
    output[at + 1] = laneB;
  }
}

let laneA = 0;
let laneB = 0;

function step(pair: number): void {
  laneA = Math.imul(laneA ^ pair, 0xcc9e2d51);
  laneA = (((laneA << 15) | (laneA >>> 17)) + laneB) | 0;
  laneB = Math.imul(laneB ^ pair, 0x1b873593);
  laneB = ((laneB << 13) | (laneB >>> 19)) ^ laneA;
}

/** All steps over a text, with the lanes in local variables. */
function absorb(text: string): void {
  let a = laneA;
  let b = laneB;
  for (let at = 0; at < text.length; at += 2) {
    // charCodeAt past the end is NaN, and `NaN << 16` is 0; the length, mixed in at the end, distinguishes the two.
    const pair = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
    a = Math.imul(a ^ pair, 0xcc9e2d51);
    a = (((a << 15) | (a >>> 17)) + b) | 0;
    b = Math.imul(b ^ pair, 0x1b873593);
    b = ((b << 13) | (b >>> 19)) ^ a;
  }
  laneA = a;
  laneB = b;
}

/** The same for code units in an array. */
function absorbCodes(codes: Uint16Array, start: number, end: number): void {
  let a = laneA;
  let b = laneB;
  for (let at = start; at < end; at += 2) {
    const pair = codes[at]! | (at + 1 < end ? codes[at + 1]! << 16 : 0);
    a = Math.imul(a ^ pair, 0xcc9e2d51);
    a = (((a << 15) | (a >>> 17)) + b) | 0;
    b = Math.imul(b ^ pair, 0x1b873593);
    b = ((b << 13) | (b >>> 19)) ^ a;
  }
  laneA = a;
  laneB = b;
}

function finish(length: number): void {
  const b = laneB ^ Math.imul(length, 0x9e3779b1);
  const a = avalanche(laneA ^ (b >>> 7));
  laneB = avalanche(b + a);
  laneA = avalanche(a + laneB);
}

function avalanche(lane: number): number {
  let x = lane;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
