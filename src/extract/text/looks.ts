/** Blocks that look alike are mostly of one kind: what the page does with one of them it does with all. */
import type { Block } from "./blocks.ts";

interface Look {
  count: number;
  chars: number;
  linkChars: number;
}

export function looksOf(blocks: readonly Block[]): { of(block: Block): Look; twins(text: string): number } {
  const looks = new Map<string, Look>();
  const texts = new Map<string, number>();
  for (const block of blocks) {
    const key = keyOf(block);
    const look = looks.get(key) ?? { count: 0, chars: 0, linkChars: 0 };
    look.count += 1;
    look.chars += block.text.length;
    look.linkChars += block.linkChars;
    looks.set(key, look);
    texts.set(block.text, (texts.get(block.text) ?? 0) + 1);
  }
  return { of: (block) => looks.get(keyOf(block))!, twins: (text) => texts.get(text)! - 1 };
}

export const keyOf = ({ box }: Block): string => `${box.parent?.look} ${box.look}`;
