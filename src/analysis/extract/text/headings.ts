/** Which blocks are headings. */
import type { Block, Box } from "./blocks.ts";

/** The heading element that the block consists of. */
export function headingOf({ box: inner }: Block): Box | undefined {
  for (let box: Box | undefined = inner; box && (box === inner || box.blocks === 1); box = box.parent)
    if (/^h[1-6]$/.test(box.element.name)) return box;
  return undefined;
}

export function rankOf(block: Block): number | undefined {
  const heading = headingOf(block);
  return heading && Number(heading.element.name[1]);
}

export function isWithin(box: Box, outer: Box | undefined): boolean {
  let at: Box | undefined = box;
  while (at !== undefined && at !== outer) at = at.parent;
  return at === outer;
}
