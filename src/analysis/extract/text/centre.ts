/** The centre of a page's text, and the distance of other boxes from it. */
import type { Block, Box } from "./blocks.ts";

/** The box with the most text in its own blocks and those of its descendants, discounted by depth. */
export function densestBox(blocks: readonly Block[], top: Box, boxes: number): Box {
  const weight = new Float64Array(boxes);
  let best = top;
  for (const { text, linkChars, box } of blocks) {
    const ownChars = Math.min(text.length - linkChars, 1000);
    if (ownChars < 60) continue;
    let at: Box | undefined = box;
    for (let share = 1; at !== undefined && share > 0.2; share *= 0.6) {
      const sum = weight[at.number]! + ownChars * share;
      weight[at.number] = sum;
      if (sum > weight[best.number]!) best = at;
      at = at.parent;
    }
  }
  return best;
}

/** The innermost box that contains most of the long texts. */
export function coreBox(blocks: readonly Block[], top: Box): Box {
  let at = top;
  for (const { box } of blocks) {
    // Blocks come in document order, so it is enough to look at the ancestors of each.
    if (box.longChars * 1.8 > top.longChars && box.depth > at.depth) at = box;
    for (let up = box.parent; up !== undefined && up.depth > at.depth; up = up.parent) if (up.longChars * 1.8 > top.longChars) at = up;
  }
  return at;
}

/** Levels from a centre up to each of its ancestors, by box number; -1 for all other boxes. */
export function levelsUp(centre: Box, boxes: number): Int16Array {
  const levels = new Int16Array(boxes).fill(-1);
  let count = 0;
  for (let at: Box | undefined = centre; at !== undefined; at = at.parent) levels[at.number] = count++;
  return levels;
}
