/** Blocks that look alike are mostly of one kind: what the page does with one of them it does with all. */
import type { Block } from "./blocks.ts";

interface Look {
  count: number;
  chars: number;
  linkChars: number;
}

/** Of each block: all that look like it, and how many others say the same. */
export function looksOf(blocks: readonly Block[]): { of: readonly Look[]; twins: readonly number[] } {
  const looks = new Map<number, Look>();
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
  }
  return { of, twins: twinsIn(blocks) };
}

/** How many others say the same. Only texts with a sample that is not alone have to be compared. */
function twinsIn(blocks: readonly Block[]): readonly number[] {
  const size = 2 ** Math.ceil(Math.log2(8 * blocks.length + 1));
  const samples = new Uint8Array(size);
  const placeOf = (sample: number) => (sample >>> 8) & (size - 1);
  for (const { sample } of blocks) samples[placeOf(sample)] = samples[placeOf(sample)] === 0 ? 1 : 2;
  const texts = new Map<string, number>();
  for (const { text, sample } of blocks) if (samples[placeOf(sample)] === 2) texts.set(text, (texts.get(text) ?? 0) + 1);
  return blocks.map(({ text, sample }) => (samples[placeOf(sample)] === 2 ? texts.get(text)! - 1 : 0));
}

/** How it and what it stands in look, in one number. */
export const keyOf = ({ box }: Block): number => (box.parent === undefined ? 0 : box.parent.look + 1) * 0x1000000 + box.look;
