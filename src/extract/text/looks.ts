/** Blocks that look alike are usually of one kind, and the page treats them alike. */
import type { Block } from "./blocks.ts";

interface Look {
  count: number;
  chars: number;
  linkChars: number;
}

/** For each block: totals over all blocks that look like it, and how many other blocks have the same text. */
export function looksOf(blocks: readonly Block[]): { of: readonly Look[]; twins: readonly number[] } {
  const looks = new Map<number, Look>();
  const texts = new Map<string, number>();
  const of: Look[] = [];
  let last = -1;
  for (const block of blocks) {
    const key = keyOf(block);
    let look = key === last ? of.at(-1) : looks.get(key);
    if (look === undefined) {
      look = { count: 0, chars: 0, linkChars: 0 };
      looks.set(key, look);
    }
    last = key;
    of.push(look);
    look.count += 1;
    look.chars += block.text.length;
    look.linkChars += block.linkChars;
    texts.set(block.text, (texts.get(block.text) ?? 0) + 1);
  }
  return { of, twins: blocks.map(({ text }) => texts.get(text)! - 1) };
}

/** The looks of a block's box and of the parent box, in one number. */
export const keyOf = ({ box }: Block): number => (box.parent === undefined ? 0 : box.parent.look + 1) * 0x1000000 + box.look;
