/** What is kept together in Markdown: code, lists and tables that belong to the text, and a heading or a term with what it leads to. Each of their blocks is too short to be judged alone. */
import { footnotesIn, type HtmlElement, type HtmlNode } from "../../parse/index.ts";
import type { Block, Box, Cut } from "./blocks.ts";
import { placeOf } from "./marks.ts";
import { FAR } from "./nearness.ts";

export interface Kept {
  readonly isKept: (at: number) => boolean;
  /** Code and tables are kept with everything in them: a line of a lone brace and an empty cell are no blocks. */
  readonly wholes: ReadonlySet<HtmlElement>;
}

export function keptWith(cut: Cut, chances: ArrayLike<number>, least: number): Kept {
  const { blocks } = cut;
  const kept = blocks.map((_, at) => chances[at]! >= least);
  const wholes = new Set<HtmlElement>();
  const judged = aroundOf(cut, kept);
  keepCode(cut, kept, wholes, judged);
  const isForManual = isManual(blocks, kept);
  if (isForManual) keepDoubtful(cut, kept, (at) => chances[at]! >= DOUBT * least, judged);
  const around = isForManual ? aroundOf(cut, kept) : judged;
  keepStructures(cut, kept, wholes, around, isForManual);
  keepIntroduced(blocks, kept, around);
  if (isForManual) keepMiddle(blocks, kept, around);
  if (isForManual) keepSections(blocks, kept, around);
  keepAlike(blocks, kept, around);
  keepWithin(blocks, kept, around);
  keepNotes(cut, kept);
  keepLeading(blocks, kept, isForManual);
  dropEmptyHeadings(blocks, kept);
  return { isKept: (at) => kept[at]!, wholes };
}

const CODE = placeOf("codeTag");

const structures = new Set(["dl", "ul", "ol", "menu", "dir", "table"]);

/** Share of the text of a list or table that must be kept for the whole of it to count as content. */
const LEAST_OF_LIST = 1 / 3;
/** Of what stands around code, so much is kept where it belongs to the text. */
const LEAST_AROUND = 0.4;
/** With less around it, nobody knows whether it is text. */
const LEAST_TEXT = 150;

const NOT_TEXT = ["comment", "consent", "share", "ad", "navTag", "footerTag", "formTag", "dialogTag"].map(placeOf);

/** What leads to other pages. */
const WAYS = ["nav", "foot"].map(placeOf);

interface Around {
  /** How much of a box is kept. */
  readonly shareOf: (box: Box) => number;
  /** The nearest box around one that is text, or itself. */
  readonly textAround: (box: Box | undefined) => Box | undefined;
}

function aroundOf({ blocks, boxes }: Cut, kept: readonly boolean[]): Around {
  const said = new Float64Array(boxes);
  blocks.forEach(({ box, text }, at) => {
    if (kept[at]) for (let up: Box | undefined = box; up !== undefined; up = up.parent) said[up.number]! += text.length;
  });
  const shareOf = ({ number, chars }: Box) => said[number]! / Math.max(1, chars);
  const isText = (box: Box) => said[box.number]! >= LEAST_TEXT && shareOf(box) >= LEAST_AROUND;
  const textAround = (from: Box | undefined) => {
    let box = from;
    while (box !== undefined && !isText(box)) box = box.parent;
    return box;
  };
  return { shareOf, textAround };
}

function keepCode({ blocks }: Cut, kept: boolean[], wholes: Set<HtmlElement>, { textAround }: Around): void {
  blocks.forEach((block, at) => {
    if (block.near[CODE]! >= FAR) return;
    let box: Box | undefined = block.box;
    while (box !== undefined && box.element.name !== "pre") box = box.parent;
    if (box === undefined || !(kept[at] || isAmong(block, textAround(box.parent)))) return;
    kept[at] = true;
    wholes.add(box.element);
  });
}

function keepStructures(
  { blocks }: Cut,
  kept: boolean[],
  wholes: Set<HtmlElement>,
  { shareOf, textAround }: Around,
  isForManual: boolean,
): void {
  const belongs = (block: Block, box: Box): boolean => {
    const isData = box.element.name === "table" && (isForManual || (hasColumns(box.element) && box.linkChars * 2 <= box.chars));
    if (isMarkedIn(block, box) || box.element.hasTable) return false;
    if (shareOf(box) >= LEAST_OF_LIST) return isData || block.linkChars * 2 <= block.text.length;
    return isData && (shareOf(box) > 0 || isDataTable(box)) && isAmong(block, textAround(box.parent));
  };
  blocks.forEach((block, at) => {
    for (let box: Box | undefined = block.box; box !== undefined; box = box.parent) {
      if (!structures.has(box.element.name) || !belongs(block, box)) continue;
      kept[at] = true;
      if (isWhole(box.element)) wholes.add(box.element);
    }
  });
}

/** So many terms are a glossary or the options of a command, and so many names in the type of code are those of its parts. */
const TERMS = 4;

/** Whether a page explains things to who works with them: its text has code in it, or terms that are explained. */
function isManual(blocks: readonly Block[], kept: readonly boolean[]): boolean {
  let terms = 0;
  return blocks.some(({ near, box, from, to }, at) => {
    if (!kept[at]) return false;
    if (box.element.name === "dt" || box.element.children.slice(from, to).some(holdsCode)) terms += 1;
    return near[CODE]! < FAR || terms >= TERMS;
  });
}

const holdsCode = (node: HtmlNode): boolean =>
  typeof node === "object" && (/^(?:code|tt|kbd|samp)$/.test(node.name) || node.children.some(holdsCode));

/** What is half as likely as what is kept, and stands in the middle of it, belongs to it. */
const DOUBT = 0.5;

function keepDoubtful({ blocks }: Cut, kept: boolean[], isLikely: (at: number) => boolean, { textAround }: Around): void {
  blocks.forEach((block, at) => {
    if (!kept[at] && isLikely(at) && isAmong(block, textAround(block.box))) kept[at] = true;
  });
}

/** Tables of nothing but links are menus, unless their columns have names. */
const isDataTable = ({ near, linkChars, chars, element, depth }: Box) =>
  WAYS.every((mark) => near[mark]! > Math.min(FAR, depth)) && (linkChars * 2 <= chars || hasColumns(element));

export const hasColumns = ({ children }: HtmlElement): boolean =>
  children.some(
    (child) => typeof child === "object" && (child.name === "th" || (/^(?:thead|tbody|tr)$/.test(child.name) && hasColumns(child))),
  );

/** Whether something between a block and a box around it says that it is something else. */
const isMarkedIn = ({ near, box }: Block, outer: Box) => NOT_TEXT.some((mark) => near[mark]! <= box.depth - outer.depth);

/** The list, table or code that a kept block ends with a colon before. */
function keepIntroduced(blocks: readonly Block[], kept: boolean[], { textAround }: Around): void {
  blocks.forEach(({ text, box }, at) => {
    if (!kept[at] || !/[:：]$/.test(text)) return;
    let whole: Box | undefined;
    for (let up = blocks[at + 1]?.box; up !== undefined && up.first === at + 1 && isWithin(up, box.parent); up = up.parent)
      if (structures.has(up.element.name) || up.element.name === "pre") whole = up;
    if (whole === undefined) return;
    const around = textAround(whole.parent);
    for (let each = whole.first; each < whole.first + whole.blocks; each += 1) if (isAmong(blocks[each]!, around)) kept[each] = true;
  });
}

/** Whether nothing between a block and the text around it says that it is something else. */
function isAmong({ near, box }: Block, text: Box | undefined): boolean {
  if (text === undefined) return false;
  const levels = Math.min(FAR - 1, box.depth - text.depth);
  return NOT_TEXT.every((mark) => near[mark]! >= levels);
}

/** What stands between kept parts of a manual's text is a part of it, unless it leads elsewhere. */
function keepMiddle(blocks: readonly Block[], kept: boolean[], { textAround }: Around): void {
  let before = kept.indexOf(true);
  for (let at = before + 1; before >= 0 && at < kept.length; at += 1) {
    if (!kept[at]) continue;
    const around = at > before + 1 ? textAround(boxAround(blocks[before]!.box, blocks[at]!.box)) : undefined;
    for (let between = before + 1; around !== undefined && between < at; between += 1) {
      const block = blocks[between]!;
      if (isAmong(block, around) && !isBesideText(block, around)) kept[between] = true;
    }
    before = at;
  }
}

function boxAround(inner: Box, other: Box): Box | undefined {
  let box: Box | undefined = inner;
  while (box !== undefined && !isWithin(other, box)) box = box.parent;
  return box;
}

/** Ways to other pages, who wrote something, what is below a picture, and what copies code; the names in a table or behind a term are links as well. */
const isBesideText = ({ near, box, linkChars, text }: Block, around: Box): boolean =>
  BESIDE.some((mark) => near[mark]! < Math.min(FAR, box.depth - around.depth)) ||
  (linkChars * 2 > text.length && near[TABLE]! >= FAR && !/^d[td]$/.test(box.element.name)) ||
  /^cop(?:y|ied)(?: code)?!?$/i.test(text);

const BESIDE = ["nav", "foot", "forum", "person", "caption", "buttonTag"].map(placeOf);

const TABLE = placeOf("tableTag");

const LONGEST_SECTION = 1000;

/** What stands under a heading that is text, where all of it is too short to be judged: "See also". */
function keepSections(blocks: readonly Block[], kept: boolean[], { textAround }: Around): void {
  blocks.forEach((heading, at) => {
    const rank = rankOf(heading);
    if (rank === undefined || !kept[at]) return;
    const around = textAround(heading.box.parent);
    let end = at + 1;
    for (let chars = 0; end < blocks.length && !kept[end] && rankOf(blocks[end]!) === undefined; end += 1) {
      chars += blocks[end]!.text.length;
      if (chars > LONGEST_SECTION || !isAmong(blocks[end]!, around) || !isWithin(blocks[end]!.box, around)) return;
    }
    kept.fill(true, at + 1, end);
  });
}

/** Of cards that look alike, what is kept of one is kept of all: names of who wrote a review, what people of a team do. */
function keepAlike(blocks: readonly Block[], kept: boolean[], { shareOf, textAround }: Around): void {
  const groups = new Map<string, number[]>();
  blocks.forEach(({ box, text, linkChars }, at) => {
    // Words that stand in the card itself are told apart by their place in it.
    const isOwn = box.alike > 1 && box.blocks > 1;
    const card = isOwn ? box : box.parent;
    if (card === undefined || card.alike < 2 || text.length > LONGEST_NAME || linkChars * 2 > text.length || shareOf(card) < LEAST_OF_LIST)
      return;
    const key = `${card.parent?.number} ${card.look} ${isOwn ? `nth ${at - box.first}` : box.look}`;
    const group = groups.get(key);
    if (group) group.push(at);
    else groups.set(key, [at]);
  });
  for (const group of groups.values()) {
    if (group.filter((at) => kept[at]).length < LEAST_OF_LIST * group.length) continue;
    for (const at of group) if (isAmong(blocks[at]!, textAround(blocks[at]!.box.parent))) kept[at] = true;
  }
}

const LONGEST_NAME = 80;

/** A name or a link in a box of its own amid the words of an item. */
function keepWithin(blocks: readonly Block[], kept: boolean[], { textAround }: Around): void {
  blocks.forEach((block, at) => {
    if (kept[at] || !kept[at - 1] || !kept[at + 1] || block.text.length > LONGEST_NAME) return;
    let item: Box | undefined = block.box;
    while (item !== undefined && !/^(?:li|dd|td)$/.test(item.element.name)) item = item.parent;
    if (item && isWithin(blocks[at - 1]!.box, item) && isWithin(blocks[at + 1]!.box, item) && isAmong(block, textAround(item)))
      kept[at] = true;
  });
}

/** Notes to what is kept. */
function keepNotes({ blocks, top }: Cut, kept: boolean[]): void {
  const text = new Set(blocks.filter((_, at) => kept[at]).map(({ box }) => box.element));
  const isInText = (mark: HtmlElement) => {
    let around = mark.parent;
    while (around !== undefined && !text.has(around)) around = around.parent;
    return around !== undefined;
  };
  const notes = new Set(footnotesIn(top.element).flatMap(({ note, term, marks }) => (marks.some(isInText) ? [note, term] : [])));
  if (notes.size === 0) return;
  blocks.forEach(({ box }, at) => {
    for (let up: Box | undefined = box; up !== undefined && !kept[at]; up = up.parent) if (notes.has(up.element)) kept[at] = true;
  });
}

/** The code and tables of which every block is kept. */
export function wholesIn(blocks: readonly Block[], isKept: (at: number) => boolean): Set<HtmlElement> {
  const wholes = new Set<HtmlElement>();
  const parts = new Set<HtmlElement>();
  blocks.forEach(({ box }, at) => {
    for (let up: Box | undefined = box; up !== undefined; up = up.parent)
      if (isWhole(up.element)) (isKept(at) ? wholes : parts).add(up.element);
  });
  for (const part of parts) wholes.delete(part);
  return wholes;
}

const isWhole = ({ name, hasTable }: HtmlElement) => name === "pre" || (name === "table" && !hasTable);

const leading = /^(?:h[1-6]|dt)$/;

function keepLeading(blocks: readonly Block[], kept: boolean[], isForManual: boolean): void {
  for (let at = blocks.length - 2; at >= 0; at -= 1) {
    if (kept[at] || !kept[at + 1] || (!isForManual && leadsAway(blocks[at]!))) continue;
    const alone = boxAlone(blocks[at]!.box);
    if (leads(alone, blocks[at]!.box) && isWithin(blocks[at + 1]!.box, alone.parent)) kept[at] = true;
  }
}

/** The outermost box that holds nothing else. */
function boxAlone(inner: Box): Box {
  let box = inner;
  while (box.parent?.blocks === 1) box = box.parent;
  return box;
}

/** The title of another page. */
const leadsAway = ({ box, linkChars, text }: Block) =>
  linkChars * 10 > text.length * 9 && /^h[1-6]$/.test(box.element.name) && holdsWayOut(box.element);

const holdsWayOut = ({ children }: HtmlElement): boolean =>
  children.some(
    (child) => typeof child === "object" && (child.name === "a" ? child.attributes.href?.startsWith("#") === false : holdsWayOut(child)),
  );

function leads(outer: Box, inner: Box): boolean {
  let box = inner;
  while (box !== outer && !leading.test(box.element.name)) box = box.parent!;
  return leading.test(box.element.name);
}

/** A heading whose section was left out says nothing. */
function dropEmptyHeadings(blocks: readonly Block[], kept: boolean[]): void {
  // By rank: whether something is kept under a heading of it, and whether something is not.
  const hasKept = new Array<boolean>(7).fill(false);
  const hasLost = new Array<boolean>(7).fill(false);
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const rank = rankOf(blocks[at]!);
    if (rank === undefined) {
      if (!isOperated(blocks[at]!)) (kept[at] ? hasKept : hasLost).fill(true);
    } else {
      if (rank > 1 && kept[at] && hasLost[rank] && !hasKept[rank]) kept[at] = false;
      hasKept.fill(false, rank);
      hasLost.fill(false, rank);
      if (kept[at]) hasKept.fill(true, 0, rank);
    }
  }
}

const BUTTON = placeOf("buttonTag");
const FORM = placeOf("formTag");

/** Buttons, and the labels of fields. */
const isOperated = ({ near, text }: Block) => near[BUTTON] === 0 || (near[FORM]! < 3 && text.length < 100);

/** The heading that a block is. */
export function headingOf({ box: inner }: Block): Box | undefined {
  for (let box: Box | undefined = inner; box && (box === inner || box.blocks === 1); box = box.parent)
    if (/^h[1-6]$/.test(box.element.name)) return box;
  return undefined;
}

export function rankOf(block: Block): number | undefined {
  const heading = headingOf(block);
  return heading && Number(heading.element.name[1]);
}

function isWithin(box: Box, outer: Box | undefined): boolean {
  let at: Box | undefined = box;
  while (at !== undefined && at !== outer) at = at.parent;
  return at === outer;
}
