/** Where the text of a page gathers, and how far other parts are from there. */
import type { Block, Box } from "./blocks.ts";

/** The box whose own blocks, and those of its children, say most. */
export function densest(blocks: readonly Block[], top: Box, boxes: number): Box {
  const weight = new Float64Array(boxes);
  let best = top;
  for (const { text, linkChars, box } of blocks) {
    const said = Math.min(text.length - linkChars, 1000);
    if (said < 60) continue;
    let at: Box | undefined = box;
    for (let share = 1; at !== undefined && share > 0.2; share *= 0.6) {
      const sum = weight[at.number]! + said * share;
      weight[at.number] = sum;
      if (sum > weight[best.number]!) best = at;
      at = at.parent;
    }
  }
  return best;
}

/** The innermost box that holds most of what is said at length. */
export function core(blocks: readonly Block[], top: Box): Box {
  let at = top;
  for (const { box } of blocks) {
    // Blocks come in order, so the way down is found by looking at the chain above each of them.
    if (box.longChars * 1.8 > top.longChars && box.depth > at.depth) at = box;
    for (let up = box.parent; up !== undefined && up.depth > at.depth; up = up.parent) if (up.longChars * 1.8 > top.longChars) at = up;
  }
  return at;
}

/** Steps from a centre up to each box above it, by the box's number; -1 for all others. */
export function stepsUp(centre: Box, boxes: number): Int16Array {
  const steps = new Int16Array(boxes).fill(-1);
  let count = 0;
  for (let at: Box | undefined = centre; at !== undefined; at = at.parent) steps[at.number] = count++;
  return steps;
}
