/** Short sections of the text whose blocks are all too short to be judged: "See also", "Further reading". */
import type { Block, Box } from "./blocks.ts";
import { isWithin, rankOf } from "./headings.ts";

/** What the caller knows of the page. */
export interface TailRules {
  /** Whether nothing between a block and the enclosing text marks it as something else. */
  readonly isPartOfText: (block: Block, text: Box | undefined) => boolean;
  readonly enclosingTextBox: (box: Box | undefined) => Box | undefined;
}

const MAX_LENGTH = 1500;
const MAX_BLOCKS = 60;

/** Names of sections that belong to a text, though they only lead elsewhere. Boxes of a site have other names: "Related articles", "Read next". */
const SECTION_NAMES =
  /^(?:see also|further reading|external links|siehe auch|weblinks|voir aussi|liens externes|véase también|enlaces externos|vedi anche|collegamenti esterni|ver também|ligações externas|zie ook|externe links|se även|zobacz też|см\. также|関連項目|外部リンク|参见|外部链接)\s*:?$/iu;

/**
 * Keeps such sections where they stand in the text: below a heading with one of these names, and in a manual below any
 * heading beside those of kept sections.
 */
export function keepTailSections(blocks: readonly Block[], kept: boolean[], isDocumentation: boolean, rules: TailRules): void {
  const places = keptHeadingPlaces(blocks, kept);
  blocks.forEach((heading, at) => {
    const rank = rankOf(heading);
    if (rank === undefined || rank === 1) return;
    const isNamed = SECTION_NAMES.test(heading.text.replace(/[\s¶§#\u200b]+$/u, "").trim());
    if (!(isNamed || (isDocumentation && places.has(placeOf(heading))))) return;
    const enclosing = rules.enclosingTextBox(heading.box.parent);
    if (enclosing === undefined || !rules.isPartOfText(heading, enclosing)) return;
    const end = endOf(blocks, kept, at, rank, enclosing, rules);
    if (end !== undefined) kept.fill(true, at, end);
  });
}

/** The end of the section; undefined if it is too long, holds more than one section, or is not part of the text. */
function endOf(
  blocks: readonly Block[],
  kept: readonly boolean[],
  at: number,
  rank: number,
  enclosing: Box,
  rules: TailRules,
): number | undefined {
  let chars = 0;
  let end = at + 1;
  for (; end < blocks.length && !kept[end]; end += 1) {
    const block = blocks[end]!;
    const next = rankOf(block);
    if (next !== undefined && next <= rank) break;
    if (!isWithin(block.box, enclosing)) break;
    chars += block.text.length;
    if (next !== undefined || chars > MAX_LENGTH || end - at > MAX_BLOCKS || !rules.isPartOfText(block, enclosing)) return undefined;
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

function keptHeadingPlaces(blocks: readonly Block[], kept: readonly boolean[]): ReadonlySet<string> {
  return new Set(blocks.flatMap((block, at) => (kept[at] && rankOf(block) !== undefined ? [placeOf(block)] : [])));
}
