/** Short sections of the text whose blocks are all too short to be judged: "See also", "Further reading". */
import type { Block, Box } from "./blocks.ts";
import { isWithin, rankOf } from "./headings.ts";

/** What the caller knows of the page. */
export interface TailRules {
  /** Whether nothing between a block and the enclosing text marks it as something else. */
  readonly isAmong: (block: Block, text: Box | undefined) => boolean;
  readonly textAround: (box: Box | undefined) => Box | undefined;
}

const LONGEST = 1500;
const MOST_BLOCKS = 60;

/** Names of sections that belong to a text, though they only lead elsewhere. Boxes of a site have other names: "Related articles", "Read next". */
const NAMES =
  /^(?:see also|further reading|external links|siehe auch|weblinks|voir aussi|liens externes|véase también|enlaces externos|vedi anche|collegamenti esterni|ver também|ligações externas|zie ook|externe links|se även|zobacz też|см\. также|関連項目|外部リンク|参见|外部链接)\s*:?$/iu;

/**
 * Keeps such sections where they stand in the text: below a heading with one of these names, and in a manual below any
 * heading beside those of kept sections.
 */
export function keepTails(blocks: readonly Block[], kept: boolean[], isForManual: boolean, rules: TailRules): void {
  const places = placesOfKept(blocks, kept);
  blocks.forEach((heading, at) => {
    const rank = rankOf(heading);
    if (rank === undefined || rank === 1) return;
    const isNamed = NAMES.test(heading.text.replace(/[\s¶§#\u200b]+$/u, "").trim());
    if (!(isNamed || (isForManual && places.has(placeOf(heading))))) return;
    const around = rules.textAround(heading.box.parent);
    if (around === undefined || !rules.isAmong(heading, around)) return;
    const end = endOf(blocks, kept, at, rank, around, rules);
    if (end !== undefined) kept.fill(true, at, end);
  });
}

/** The end of the section; undefined if it is too long, holds more than one section, or is not part of the text. */
function endOf(
  blocks: readonly Block[],
  kept: readonly boolean[],
  at: number,
  rank: number,
  around: Box,
  rules: TailRules,
): number | undefined {
  let chars = 0;
  let end = at + 1;
  for (; end < blocks.length && !kept[end]; end += 1) {
    const block = blocks[end]!;
    const next = rankOf(block);
    if (next !== undefined && next <= rank) break;
    if (!isWithin(block.box, around)) break;
    chars += block.text.length;
    if (next !== undefined || chars > LONGEST || end - at > MOST_BLOCKS || !rules.isAmong(block, around)) return undefined;
  }
  return end === at + 1 ? undefined : end;
}

/** Where a heading stands: the look of its box, and the box in which the sections follow each other. */
const placeOf = ({ box }: Block): string => {
  const section = sectionOf(box);
  return `${section.parent?.number} ${section.look} ${box.look}`;
};

/** The outermost box of which a heading is the beginning. */
function sectionOf(heading: Box): Box {
  let box = heading;
  while (box.parent && box.parent.first === heading.first && !/^(?:main|article|body)$/.test(box.parent.element.name)) box = box.parent;
  return box;
}

function placesOfKept(blocks: readonly Block[], kept: readonly boolean[]): ReadonlySet<string> {
  return new Set(blocks.flatMap((block, at) => (kept[at] && rankOf(block) !== undefined ? [placeOf(block)] : [])));
}
