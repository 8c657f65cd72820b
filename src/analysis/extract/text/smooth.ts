/** Adjusts each block's probability by its neighbours. */
import type { Block } from "./blocks.ts";

/** How far a block that is likelier than its neighbours is lowered towards them. */
const DAMPING = 0.3;

/** A heading is raised towards the block below it. A block likelier than both neighbours is lowered a little. */
export function smoothed(blocks: readonly Block[], probabilities: Float32Array): Float32Array {
  const result = probabilities.slice();
  for (let at = blocks.length - 2; at >= 0; at -= 1) {
    if (subheadings.has(nameOf(blocks, at))) result[at] = Math.max(result[at]!, (result[at]! + result[at + 1]!) / 2);
  }
  for (let at = 1; at < blocks.length - 1; at += 1) {
    const neighbourMax = Math.max(probabilities[at - 1]!, probabilities[at + 1]!);
    if (neighbourMax < result[at]!) result[at] = (1 - DAMPING) * result[at]! + DAMPING * neighbourMax;
  }
  return result;
}

const subheadings = new Set(["h2", "h3", "h4", "h5", "h6"]);
const nameOf = (blocks: readonly Block[], at: number) => blocks[at]!.box.element.name;
