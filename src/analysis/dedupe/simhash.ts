/**
 * Simhash (Charikar 2002; Manku, Jain and Das Sarma 2007): texts that share most of their three-word shingles differ in few of 64 bits. A
 * shingle counts as often as it occurs. Two fingerprints within three bits are near; cut into four bands, near ones share at least one
 * band exactly (three differences cannot affect four bands), so an index over bands finds them all.
 */
import { hex, mix } from "./hash.ts";

/** Shorter texts have too few shingles to compare. */
const MIN_WORDS = 20;
const MAX_NEAR_BITS = 3;

// One histogram per byte of the hash: eight additions a shingle instead of sixty-four.
const histogram = new Uint32Array(8 * 256);

/** Starts a new text. The histogram is shared, so only one text can be processed at a time. */
export function resetShingles(): void {
  histogram.fill(0);
}

/** The lower half of the hash is derived from the upper: any two of its bits still differ in half of all shingles. */
export function countShingle(first: number, second: number, third: number): void {
  const hi = mix(Math.imul(first, 3) + Math.imul(second, 5) + third);
  const lo = Math.imul(hi ^ (hi >>> 13), 0x5bd1e995);
  histogram[hi >>> 24]! += 1;
  histogram[256 + ((hi >>> 16) & 255)]! += 1;
  histogram[512 + ((hi >>> 8) & 255)]! += 1;
  histogram[768 + (hi & 255)]! += 1;
  histogram[1024 + (lo >>> 24)]! += 1;
  histogram[1280 + ((lo >>> 16) & 255)]! += 1;
  histogram[1536 + ((lo >>> 8) & 255)]! += 1;
  histogram[1792 + (lo & 255)]! += 1;
}

/** The simhash of a text with this many words, after all its shingles were counted. */
export const simhash = (words: number): string => (words < MIN_WORDS ? "" : hex(majority(0, words - 2), majority(4, words - 2)));

/**
 * Four bytes whose bits are the majority over all shingles. Each histogram is folded in half once per bit: its upper half holds the
 * shingles with that bit set, and adding the halves leaves the histogram of the lower bits.
 */
function majority(firstByte: number, shingles: number): number {
  let result = 0;
  for (let byte = firstByte; byte < firstByte + 4; byte += 1) {
    const start = byte * 256;
    for (let size = 128; size >= 1; size /= 2) {
      let ones = 0;
      for (let value = start; value < start + size; value += 1) {
        const upper = histogram[value + size]!;
        ones += upper;
        histogram[value]! += upper;
      }
      result = (result << 1) | (ones * 2 > shingles ? 1 : 0);
    }
  }
  return result;
}

/** Number of bits in which two hex simhashes differ; 64 if one is missing. */
export function hammingDistance(a: string, b: string): number {
  if (a.length !== 16 || b.length !== 16) return 64;
  return ones(half(a, 0) ^ half(b, 0)) + ones(half(a, 8) ^ half(b, 8));
}

export function isNear(a: string, b: string): boolean {
  return hammingDistance(a, b) <= MAX_NEAR_BITS;
}

export function bands(simhash: string): [number, number, number, number] {
  const hi = half(simhash, 0);
  const lo = half(simhash, 8);
  return [hi >>> 16, hi & 0xffff, lo >>> 16, lo & 0xffff];
}

const half = (simhash: string, from: number) => Number.parseInt(simhash.slice(from, from + 8), 16);

function ones(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
