/** Blocks that look alike are mostly of one kind: what the page does with one of them it does with all. */
import type { Block } from "./blocks.ts";

interface Look {
  count: number;
  chars: number;
  linkChars: number;
}

export function looksOf(blocks: readonly Block[]): { of(block: Block): Look; twins(text: string): number } {
  const looks = new Map<number, Look>();
  const texts = new Map<string, number>();
  for (const block of blocks) {
    const key = keyOf(block);
    let look = looks.get(key);
    if (look === undefined) {
      look = { count: 0, chars: 0, linkChars: 0 };
      looks.set(key, look);
    }
    look.count += 1;
    look.chars += block.text.length;
    look.linkChars += block.linkChars;
    texts.set(block.text, (texts.get(block.text) ?? 0) + 1);
  }
  return { of: (block) => looks.get(keyOf(block))!, twins: (text) => texts.get(text)! - 1 };
}

/** How it and what it stands in look, in one number. */
export const keyOf = ({ box }: Block): number => (box.parent === undefined ? 0 : box.parent.look + 1) * 0x1000000 + box.look;
