/** What is kept together: a heading or a term with what it leads to, and the items of a list that is kept in good part. Each is too short to be judged alone. */
import type { Block, Box } from "./blocks.ts";

const leading = /^(?:h[1-6]|dt)$/;
const lists = new Set(["dl", "ul", "ol", "table", "tbody"]);

export function keptWith(blocks: readonly Block[], isKept: (at: number) => boolean): (at: number) => boolean {
  const kept = blocks.map((_, at) => isKept(at));
  for (const { items, chars, keptChars } of listsOf(blocks, kept).values())
    if (keptChars >= chars / 3) for (const at of items) if (blocks[at]!.linkChars === 0) kept[at] = true;
  for (let at = blocks.length - 2; at >= 0; at -= 1) {
    const { box } = blocks[at]!;
    if (!kept[at] && kept[at + 1] && leading.test(box.element.name) && isWithin(blocks[at + 1]!.box, box.parent)) kept[at] = true;
  }
  return (at) => kept[at]!;
}

interface List {
  readonly items: number[];
  chars: number;
  keptChars: number;
}

/** The blocks of each list, by the box of the list. */
function listsOf(blocks: readonly Block[], kept: readonly boolean[]): Map<Box, List> {
  const found = new Map<Box, List>();
  blocks.forEach(({ box, text }, at) => {
    const around = box.parent;
    if (around === undefined || !lists.has(around.element.name)) return;
    const list = found.get(around) ?? { items: [], chars: 0, keptChars: 0 };
    found.set(around, list);
    list.items.push(at);
    list.chars += text.length;
    if (kept[at]) list.keptChars += text.length;
  });
  return found;
}

function isWithin(box: Box, outer: Box | undefined): boolean {
  let at: Box | undefined = box;
  while (at !== undefined && at !== outer) at = at.parent;
  return at === outer;
}
