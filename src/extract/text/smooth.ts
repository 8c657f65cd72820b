/** Adjusts each block's probability by its neighbours. */
import type { Block } from "./blocks.ts";

/** How far a block that is likelier than its neighbours is lowered towards them. */
const DAMP = 0.3;

/** A heading is raised towards the block below it. A block likelier than both neighbours is lowered a little. */
export function smoothed(blocks: readonly Block[], chances: Float32Array): Float32Array {
  const result = chances.slice();
  for (let at = blocks.length - 2; at >= 0; at -= 1) {
    if (lesser.has(nameOf(blocks, at))) result[at] = Math.max(result[at]!, (result[at]! + result[at + 1]!) / 2);
  }
  for (let at = 1; at < blocks.length - 1; at += 1) {
    const beside = Math.max(chances[at - 1]!, chances[at + 1]!);
    if (beside < result[at]!) result[at] = (1 - DAMP) * result[at]! + DAMP * beside;
  }
  return result;
}

const lesser = new Set(["h2", "h3", "h4", "h5", "h6"]);
const nameOf = (blocks: readonly Block[], at: number) => blocks[at]!.box.element.name;
