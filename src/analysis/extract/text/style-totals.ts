/** Blocks that look alike are usually of one kind, and the page treats them alike. */
import type { Block } from "./blocks.ts";

interface StyleTotals {
  count: number;
  chars: number;
  linkChars: number;
}

/** For each block: totals over all blocks that look like it, and how many other blocks have the same text. */
export function styleTotalsOf(blocks: readonly Block[]): { byBlock: readonly StyleTotals[]; duplicates: readonly number[] } {
  const totalsByStyle = new Map<number, StyleTotals>();
  const texts = new Map<string, number>();
  const byBlock: StyleTotals[] = [];
  let last = -1;
  for (const block of blocks) {
    const key = styleKeyOf(block);
    let totals = key === last ? byBlock.at(-1) : totalsByStyle.get(key);
    if (totals === undefined) {
      totals = { count: 0, chars: 0, linkChars: 0 };
      totalsByStyle.set(key, totals);
    }
    last = key;
    byBlock.push(totals);
    totals.count += 1;
    totals.chars += block.text.length;
    totals.linkChars += block.linkChars;
    texts.set(block.text, (texts.get(block.text) ?? 0) + 1);
  }
  return { byBlock, duplicates: blocks.map(({ text }) => texts.get(text)! - 1) };
}

/** The looks of a block's box and of the parent box, in one number. */
export const styleKeyOf = ({ box }: Block): number => (box.parent === undefined ? 0 : box.parent.look + 1) * 0x1000000 + box.look;
