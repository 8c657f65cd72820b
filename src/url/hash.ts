import type { Hash64 } from "../records.ts";

/**
 * A keyed 64-bit hash over UTF-16 code units: two 32-bit lanes, two units a step, each lane stirred by the other, then avalanche.
 * Not for secrets; the seed only keeps a site from choosing URLs that collide for everyone.
 */
export function hash64(text: string, seed: Hash64): Hash64 {
  let a = seed.hi ^ 0x9e3779b9;
  let b = seed.lo ^ Math.imul(text.length, 0x85ebca6b);
  for (let at = 0; at < text.length; at += 2) {
    // charCodeAt past the end is NaN, and `NaN << 16` is 0; the length above tells the two apart.
    const pair = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
    a = Math.imul(a ^ pair, 0xcc9e2d51);
    a = (((a << 15) | (a >>> 17)) + b) | 0;
    b = Math.imul(b ^ pair, 0x1b873593);
    b = ((b << 13) | (b >>> 19)) ^ a;
  }
  a = avalanche(a ^ (b >>> 7));
  b = avalanche(b + a);
  a = avalanche(a + b);
  return { hi: a >>> 0, lo: b >>> 0 };
}

function avalanche(lane: number): number {
  let x = lane;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
