/** Which blocks to keep when it is known how likely each belongs. */
import type { Block } from "./blocks.ts";

export interface Choice {
  /** What is less likely is left out. */
  readonly least: number;
  /** How good the choice is if the chances are true. */
  readonly promise: number;
}

/** On pages that are easy to judge a block has to be surer: what is doubtful there is mostly a caption, a teaser or a notice. */
const STRICT = 0.65;

/**
 * The set that promises the best balance of what is right in it and what is missing from it (F1): a page that is hard to judge keeps blocks
 * it is less sure of, because leaving them out costs as much as taking them.
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

/** The places of the chances, the greatest first. Numbers are sorted many times faster than by a rule of ours: chance and place become one. */
function likeliestFirst(chances: ArrayLike<number>): Float64Array {
  const bits = new Uint32Array(Float32Array.from(chances).buffer);
  const order = Float64Array.from(bits, (bit, at) => (ONE - bit) * PLACES + at).sort();
  for (let nth = 0; nth < order.length; nth += 1) order[nth] = order[nth]! % PLACES;
  return order;
}

/** A chance of 1, whose bits are the greatest. */
const ONE = 0x3f800000;
const PLACES = 2 ** 22;
