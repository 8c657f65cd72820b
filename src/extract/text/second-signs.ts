/** What is known of a block once all blocks have been judged by themselves: what its neighbours, its boxes and those that look like it turned out to be. */
import type { Block, Box } from "./blocks.ts";
import { keyOf } from "./looks.ts";

const nearby = [-4, -3, -2, -1, 1, 2, 3, 4];

export const secondNames: readonly string[] = [
  "chance",
  ...nearby.map((by) => `chance${by}`),
  ...[
    "chanceBefore",
    "chanceAfter",
    "chanceBox0",
    "chanceBox1",
    "chanceBox2",
    "chanceBox3",
    "chanceLook",
    "chancePage",
    "chanceBest",
    "chanceShare",
  ],
];

interface Weight {
  chars: number;
  good: number;
}

/** A row of numbers for each block, one after another. */
export function secondSignsOf(blocks: readonly Block[], chances: ArrayLike<number>): Float32Array {
  const values = new Float32Array(blocks.length * secondNames.length);
  const [boxes, looks] = weigh(blocks, chances);
  const page = { chars: 0, good: 0 };
  let best = 0;
  for (let at = 0; at < blocks.length; at += 1) {
    add(page, blocks[at]!.text.length, chances[at]!);
    best = Math.max(best, chances[at]!);
  }
  const before = fading(blocks, chances, 1);
  const after = fading(blocks, chances, -1);
  let to = 0;
  const put = (value: number): void => {
    values[to++] = value;
  };
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at]!;
    put(chances[at]!);
    for (const by of nearby) put(blocks[at + by] === undefined ? -1 : chances[at + by]!);
    put(before[at]!);
    put(after[at]!);
    let box: Box = block.box;
    for (let level = 0; level < 4; level += 1) {
      while (level > 0 && box.parent && box.parent.blocks === box.blocks) box = box.parent;
      if (level > 0 && box.parent) box = box.parent;
      const weight = boxes.get(box)!;
      put(weight.good / weight.chars);
    }
    const look = looks.get(keyOf(block))!;
    put(look.good / look.chars);
    put(page.good / page.chars);
    put(best);
    put((block.text.length * chances[at]!) / Math.max(1, page.good));
  }
  return values;
}

function weigh(blocks: readonly Block[], chances: ArrayLike<number>): [ReadonlyMap<Box, Weight>, ReadonlyMap<string, Weight>] {
  const boxes = new Map<Box, Weight>();
  const looks = new Map<string, Weight>();
  blocks.forEach((block, at) => {
    const { length } = block.text;
    for (let box: Box | undefined = block.box; box !== undefined; box = box.parent) add(of(boxes, box), length, chances[at]!);
    add(of(looks, keyOf(block)), length, chances[at]!);
  });
  return [boxes, looks];
}

function of<K>(weights: Map<K, Weight>, key: K): Weight {
  const known = weights.get(key) ?? { chars: 0, good: 0 };
  weights.set(key, known);
  return known;
}

function add(weight: Weight, chars: number, chance: number): void {
  weight.chars += chars;
  weight.good += chars * chance;
}

/** The text so far, what is near counting most: half as much every 200 letters. */
function fading(blocks: readonly Block[], chances: ArrayLike<number>, step: 1 | -1): Float64Array {
  const result = new Float64Array(blocks.length);
  let mean = 0;
  for (let count = 0, at = step === 1 ? 0 : blocks.length - 1; count < blocks.length; count += 1, at += step) {
    result[at] = mean;
    const kept = 0.5 ** (blocks[at]!.text.length / 200);
    mean = mean * kept + chances[at]! * (1 - kept);
  }
  return result;
}
