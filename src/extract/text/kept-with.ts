/**
 * Keeps related blocks together for Markdown: code, lists and tables that belong to the text, and headings or terms with
 * what follows them. Their single blocks are too short to be judged alone.
 */
import { footnotesIn, type HtmlElement, type HtmlNode, isTable } from "../../parse/index.ts";
import type { Block, Box, Cut } from "./blocks.ts";
import { isWithin, rankOf } from "./headings.ts";
import { placeOf } from "./marks.ts";
import { FAR } from "./nearness.ts";
import { keepTails } from "./tail-sections.ts";

export interface Kept {
  readonly isKept: (at: number) => boolean;
  /** Code and tables that are kept entirely: a line with only a brace, or an empty cell, is not a block. */
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
  keepTails(blocks, kept, isForManual, { isAmong, textAround: around.textAround });
  keepLeading(blocks, kept, isForManual);
  dropEmptyHeadings(blocks, kept);
  return { isKept: (at) => kept[at]!, wholes };
}

const CODE = placeOf("codeTag");

const structures = new Set(["dl", "ul", "ol", "menu", "dir", "table"]);

/** Share of the text of a list or table that must be kept for the whole of it to count as content. */
const LEAST_OF_LIST = 1 / 3;
/** A box counts as text if at least this share of it is kept. */
const LEAST_AROUND = 0.4;
/** With fewer kept characters, it is unknown whether the box is text. */
const LEAST_TEXT = 150;

const NOT_TEXT = ["comment", "consent", "share", "ad", "navTag", "footerTag", "formTag", "dialogTag"].map(placeOf);

/** Marks of links to other pages. */
const WAYS = ["nav", "foot"].map(placeOf);

interface Around {
  /** The share of a box's text that is kept. */
  readonly shareOf: (box: Box) => number;
  /** The nearest box that counts as text, starting with the given one. */
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
    const isData = isTable(box.element) && (isForManual || (hasColumns(box.element) && box.linkChars * 2 <= box.chars));
    if (isMarkedIn(block, box) || box.element.hasTable) return false;
    if (shareOf(box) >= LEAST_OF_LIST) return isData || block.linkChars * 2 <= block.text.length;
    return isData && (shareOf(box) > 0 || isDataTable(box)) && isAmong(block, textAround(box.parent));
  };
  blocks.forEach((block, at) => {
    for (let box: Box | undefined = block.box; box !== undefined; box = box.parent) {
      if (!(structures.has(box.element.name) || isTable(box.element)) || !belongs(block, box)) continue;
      kept[at] = true;
      if (isWhole(box.element)) wholes.add(box.element);
    }
  });
}

/** This many terms indicate a glossary or a command's options; this many names set in code type indicate an API reference. */
const TERMS = 4;

/** Whether a page is technical documentation: its text contains code, or terms that are explained. */
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

/** A block inside the text is kept at this fraction of the required probability. */
const DOUBT = 0.5;

function keepDoubtful({ blocks }: Cut, kept: boolean[], isLikely: (at: number) => boolean, { textAround }: Around): void {
  blocks.forEach((block, at) => {
    if (!kept[at] && isLikely(at) && isAmong(block, textAround(block.box))) kept[at] = true;
  });
}

/** Tables that consist of links are menus, unless their columns have headers. */
const isDataTable = ({ near, linkChars, chars, element, depth }: Box) =>
  WAYS.every((mark) => near[mark]! > Math.min(FAR - 1, depth)) && (linkChars * 2 <= chars || hasColumns(element));

export const hasColumns = ({ children }: HtmlElement): boolean =>
  children.some((child) => typeof child === "object" && (isColumnHead(child) || (isRows(child) && hasColumns(child))));

const isColumnHead = ({ name, attributes }: HtmlElement) => name === "th" || attributes.role === "columnheader";
const isRows = ({ name, attributes }: HtmlElement) => /^(?:thead|tbody|tr)$/.test(name) || /^row(?:group)?$/.test(attributes.role ?? "");

/** Whether an element between a block and an enclosing box marks it as something other than text. */
const isMarkedIn = ({ near, box }: Block, outer: Box) => NOT_TEXT.some((mark) => near[mark]! <= box.depth - outer.depth);

/** Keeps the list, table or code after a kept block that ends with a colon. */
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

/** Whether no element between a block and the enclosing text marks it as something else. */
function isAmong({ near, box }: Block, text: Box | undefined): boolean {
  if (text === undefined) return false;
  const levels = Math.min(FAR - 1, box.depth - text.depth);
  return NOT_TEXT.every((mark) => near[mark]! >= levels);
}

/** Blocks between two kept blocks of a manual belong to the text, unless they lead elsewhere. */
function keepMiddle(blocks: readonly Block[], kept: boolean[], { textAround }: Around): void {
  let before = kept.indexOf(true);
  for (let at = before + 1; before >= 0 && at < kept.length; at += 1) {
    if (!kept[at]) continue;
    const common = at > before + 1 ? boxAround(blocks[before]!.box, blocks[at]!.box) : undefined;
    const around = common && textAround(common);
    for (let between = before + 1; around !== undefined && between < at; between += 1) {
      const block = blocks[between]!;
      // What marks the kept blocks as well tells nothing of those between them.
      if (isAmong(block, around) && !isBesideText(block, common!)) kept[between] = true;
    }
    before = at;
  }
}

function boxAround(inner: Box, other: Box): Box | undefined {
  let box: Box | undefined = inner;
  while (box !== undefined && !isWithin(other, box)) box = box.parent;
  return box;
}

/**
 * Links to other pages, author details, captions and copy buttons. Links in tables and definition lists are excepted:
 * names there are often links.
 */
const isBesideText = ({ near, box, linkChars, text }: Block, around: Box): boolean =>
  BESIDE.some((mark) => near[mark]! < Math.min(FAR, box.depth - around.depth)) ||
  (linkChars * 2 > text.length && near[TABLE]! >= FAR && !/^d[td]$/.test(box.element.name)) ||
  /^cop(?:y|ied)(?: code)?!?$/i.test(text);

const BESIDE = ["nav", "foot", "forum", "person", "caption", "buttonTag"].map(placeOf);

const TABLE = placeOf("tableTag");

const LONGEST_SECTION = 1000;

/** Keeps the blocks below a kept heading if all of them are too short to be judged: "See also". */
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

/** If a part is kept in enough of several cards that look alike, it is kept in all: names of reviewers, roles of team members. */
function keepAlike(blocks: readonly Block[], kept: boolean[], { shareOf, textAround }: Around): void {
  const groups = new Map<string, number[]>();
  blocks.forEach(({ box, text, linkChars }, at) => {
    // Blocks directly in the card are distinguished by their index in it.
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

/** Keeps a name or link in a box of its own within the text of a list item or cell. */
function keepWithin(blocks: readonly Block[], kept: boolean[], { textAround }: Around): void {
  blocks.forEach((block, at) => {
    if (kept[at] || !kept[at - 1] || !kept[at + 1] || block.text.length > LONGEST_NAME) return;
    let item: Box | undefined = block.box;
    while (item !== undefined && !/^(?:li|dd|td)$/.test(item.element.name)) item = item.parent;
    if (item && isWithin(blocks[at - 1]!.box, item) && isWithin(blocks[at + 1]!.box, item) && isAmong(block, textAround(item)))
      kept[at] = true;
  });
}

/** Keeps footnotes that the kept text refers to. */
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

/** Code and tables whose blocks are all kept. */
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

const isWhole = (element: HtmlElement) => element.name === "pre" || (isTable(element) && !element.hasTable);

const leading = /^(?:h[1-6]|dt)$/;

function keepLeading(blocks: readonly Block[], kept: boolean[], isForManual: boolean): void {
  for (let at = blocks.length - 2; at >= 0; at -= 1) {
    if (kept[at] || !kept[nextAfter(blocks, at)] || (!isForManual && leadsAway(blocks[at]!))) continue;
    const alone = boxAlone(blocks[at]!.box);
    if (leads(alone, blocks[at]!.box) && isWithin(blocks[nextAfter(blocks, at)]!.box, outsideOf(blocks, at, alone.parent))) kept[at] = true;
  }
}

/** A link to edit the section, in one box with its heading, is passed over. */
function nextAfter(blocks: readonly Block[], at: number): number {
  const next = blocks[at + 1];
  return next && isEditLink(next) && isWithin(next.box, blocks[at]!.box.parent) && at + 2 < blocks.length ? at + 2 : at + 1;
}

const outsideOf = (blocks: readonly Block[], at: number, box: Box | undefined) => (nextAfter(blocks, at) > at + 1 ? box?.parent : box);

const isEditLink = ({ text, links }: Block) => links > 0 && /^\[.{1,40}\]$/.test(text);

/** The outermost box that contains only this block. */
function boxAlone(inner: Box): Box {
  let box = inner;
  while (box.parent?.blocks === 1) box = box.parent;
  return box;
}

/** A heading that is a link to another page. */
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

/** Drops headings whose section was left out. */
function dropEmptyHeadings(blocks: readonly Block[], kept: boolean[]): void {
  // By rank: whether a block below such a heading is kept, and whether one is not.
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

/** Buttons and form labels. */
const isOperated = ({ near, text }: Block) => near[BUTTON] === 0 || (near[FORM]! < 3 && text.length < 100);
