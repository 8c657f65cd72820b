/** Chooses the blocks to keep, given their probabilities. */
import type { Block } from "./blocks.ts";

export interface Choice {
  /** The probability below which blocks are left out. */
  readonly least: number;
  /** The expected F1 of the choice. */
  readonly promise: number;
}

/**
 * Factor for the threshold. On pages with high expected F1 a block needs a higher probability: doubtful blocks there are
 * mostly captions, teasers or notices.
 */
const STRICT = 0.65;

/**
 * Maximises the expected F1. On a page that is hard to judge, less likely blocks are kept, because leaving them out
 * costs as much as taking them.
 */
export function choice(blocks: readonly Block[], chances: ArrayLike<number>): Choice {
  const order = likeliestFirst(chances);
  const sizeOf = (at: number) => blocks[at]!.text.length;
  let wanted = 0;
  for (const at of order) wanted += chances[at]! * sizeOf(at);
  let [right, taken, promise] = [0, 0, 0];
  for (const at of order) {
    right += chances[at]! * sizeOf(at);
    taken += sizeOf(at);
    promise = Math.max(promise, (2 * right) / (taken + wanted));
  }
  return { least: STRICT * promise * promise, promise };
}

/**
 * Indices of the probabilities, the greatest first. Probability and index are packed into one number, because numbers
 * sort many times faster than with a comparator.
 */
function likeliestFirst(chances: ArrayLike<number>): Float64Array {
  const bits = new Uint32Array(Float32Array.from(chances).buffer);
  const order = Float64Array.from(bits, (bit, at) => (ONE - bit) * PLACES + at).sort();
  for (let nth = 0; nth < order.length; nth += 1) order[nth] = order[nth]! % PLACES;
  return order;
}

/** The bits of 1, the greatest probability. */
const ONE = 0x3f800000;
const PLACES = 2 ** 22;
