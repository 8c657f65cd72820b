/** Chooses the blocks to keep, given their probabilities. */
import type { Block } from "./blocks.ts";

export interface Choice {
  /** The probability below which blocks are left out. */
  readonly least: number;
  /** The expected F1 of the choice. */
  readonly expectedF1: number;
}

/**
 * Factor for the threshold. On pages with high expected F1 a block needs a higher probability: doubtful blocks there are
 * mostly captions, teasers or notices.
 */
const THRESHOLD_FACTOR = 0.65;

/**
 * Maximises the expected F1. On a page that is hard to judge, less likely blocks are kept, because leaving them out
 * costs as much as taking them.
 */
export function choice(blocks: readonly Block[], probabilities: ArrayLike<number>): Choice {
  const order = likeliestFirst(probabilities);
  const sizeOf = (at: number) => blocks[at]!.text.length;
  let wanted = 0;
  for (const at of order) wanted += probabilities[at]! * sizeOf(at);
  let [right, taken, expectedF1] = [0, 0, 0];
  for (const at of order) {
    right += probabilities[at]! * sizeOf(at);
    taken += sizeOf(at);
    expectedF1 = Math.max(expectedF1, (2 * right) / (taken + wanted));
  }
  return { least: THRESHOLD_FACTOR * expectedF1 * expectedF1, expectedF1 };
}

/**
 * Indices of the probabilities, the greatest first. Probability and index are packed into one number, because numbers
 * sort many times faster than with a comparator.
 */
function likeliestFirst(probabilities: ArrayLike<number>): Float64Array {
  const bits = new Uint32Array(Float32Array.from(probabilities).buffer);
  const order = Float64Array.from(bits, (bit, at) => (BITS_OF_ONE - bit) * MAX_BLOCKS + at).sort();
  for (let nth = 0; nth < order.length; nth += 1) order[nth] = order[nth]! % MAX_BLOCKS;
  return order;
}

/** The bits of 1, the greatest probability. */
const BITS_OF_ONE = 0x3f800000;
const MAX_BLOCKS = 2 ** 22;
