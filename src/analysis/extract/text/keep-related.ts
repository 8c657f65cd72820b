/**
 * Keeps related blocks together for Markdown: code, lists and tables that belong to the text, and headings or terms with
 * what follows them. Their single blocks are too short to be judged alone.
 */
import { footnotesIn, type HtmlElement, type HtmlNode, isTable } from "../../parse/index.ts";
import type { Block, Box, Cut } from "./blocks.ts";
import { isWithin, rankOf } from "./headings.ts";
import { FAR } from "./mark-distances.ts";
import { placeOf } from "./marks.ts";
import { keepTailSections } from "./tail-sections.ts";

export interface KeptBlocks {
  readonly isKept: (at: number) => boolean;
  /** Code and tables that are kept entirely: a line with only a brace, or an empty cell, is not a block. */
  readonly wholeElements: ReadonlySet<HtmlElement>;
}

export function keepRelated(cut: Cut, probabilities: ArrayLike<number>, minProbability: number): KeptBlocks {
  const { blocks } = cut;
  const kept = blocks.map((_, at) => probabilities[at]! >= minProbability);
  const wholeElements = new Set<HtmlElement>();
  const initialEnclosing = enclosingTextOf(cut, kept);
  keepCode(cut, kept, wholeElements, initialEnclosing);
  const isDocumentation = isManual(blocks, kept);
  if (isDocumentation) keepDoubtful(cut, kept, (at) => probabilities[at]! >= DOUBTFUL_FACTOR * minProbability, initialEnclosing);
  const enclosing = isDocumentation ? enclosingTextOf(cut, kept) : initialEnclosing;
  keepStructures(cut, kept, wholeElements, enclosing, isDocumentation);
  keepIntroduced(blocks, kept, enclosing);
  if (isDocumentation) keepBetween(blocks, kept, enclosing);
  if (isDocumentation) keepSections(blocks, kept, enclosing);
  keepSimilar(blocks, kept, enclosing);
  keepInsideItem(blocks, kept, enclosing);
  keepNotes(cut, kept);
  keepTailSections(blocks, kept, isDocumentation, { isPartOfText, enclosingTextBox: enclosing.enclosingTextBox });
  keepHeadingsAndTerms(blocks, kept, isDocumentation);
  dropEmptyHeadings(blocks, kept);
  return { isKept: (at) => kept[at]!, wholeElements };
}

const CODE = placeOf("codeTag");

const structures = new Set(["dl", "ul", "ol", "menu", "dir", "table"]);

/** Share of the text of a list or table that must be kept for the whole of it to count as content. */
const MIN_LIST_SHARE = 1 / 3;
/** A box counts as text if at least this share of it is kept. */
const MIN_TEXT_SHARE = 0.4;
/** With fewer kept characters, it is unknown whether the box is text. */
const MIN_TEXT_LENGTH = 150;

const NOT_TEXT = ["comment", "consent", "share", "ad", "navTag", "footerTag", "formTag", "dialogTag"].map(placeOf);

/** Marks of links to other pages. */
const LINK_MARKS = ["nav", "foot"].map(placeOf);

interface EnclosingText {
  /** The share of a box's text that is kept. */
  readonly shareOf: (box: Box) => number;
  /** The nearest box that counts as text, starting with the given one. */
  readonly enclosingTextBox: (box: Box | undefined) => Box | undefined;
}

function enclosingTextOf({ blocks, boxes }: Cut, kept: readonly boolean[]): EnclosingText {
  const keptChars = new Float64Array(boxes);
  blocks.forEach(({ box, text }, at) => {
    if (kept[at]) for (let up: Box | undefined = box; up !== undefined; up = up.parent) keptChars[up.number]! += text.length;
  });
  const shareOf = ({ number, chars }: Box) => keptChars[number]! / Math.max(1, chars);
  const isText = (box: Box) => keptChars[box.number]! >= MIN_TEXT_LENGTH && shareOf(box) >= MIN_TEXT_SHARE;
  const enclosingTextBox = (from: Box | undefined) => {
    let box = from;
    while (box !== undefined && !isText(box)) box = box.parent;
    return box;
  };
  return { shareOf, enclosingTextBox };
}

function keepCode({ blocks }: Cut, kept: boolean[], wholeElements: Set<HtmlElement>, { enclosingTextBox }: EnclosingText): void {
  blocks.forEach((block, at) => {
    if (block.markLevels[CODE]! >= FAR) return;
    let box: Box | undefined = block.box;
    while (box !== undefined && box.element.name !== "pre") box = box.parent;
    if (box === undefined || !(kept[at] || isPartOfText(block, enclosingTextBox(box.parent)))) return;
    kept[at] = true;
    wholeElements.add(box.element);
  });
}

function keepStructures(
  { blocks }: Cut,
  kept: boolean[],
  wholeElements: Set<HtmlElement>,
  { shareOf, enclosingTextBox }: EnclosingText,
  isDocumentation: boolean,
): void {
  const belongsToText = (block: Block, box: Box): boolean => {
    const isData = isTable(box.element) && (isDocumentation || (hasColumns(box.element) && box.linkChars * 2 <= box.chars));
    if (isMarkedAsOther(block, box) || box.element.hasTable) return false;
    if (shareOf(box) >= MIN_LIST_SHARE) return isData || block.linkChars * 2 <= block.text.length;
    return isData && (shareOf(box) > 0 || isDataTable(box)) && isPartOfText(block, enclosingTextBox(box.parent));
  };
  blocks.forEach((block, at) => {
    for (let box: Box | undefined = block.box; box !== undefined; box = box.parent) {
      if (!(structures.has(box.element.name) || isTable(box.element)) || !belongsToText(block, box)) continue;
      kept[at] = true;
      if (mustStayWhole(box.element)) wholeElements.add(box.element);
    }
  });
}

/** This many terms indicate a glossary or a command's options; this many names set in code type indicate an API reference. */
const MIN_TERMS = 4;

/** Whether a page is technical documentation: its text contains code, or terms that are explained. */
function isManual(blocks: readonly Block[], kept: readonly boolean[]): boolean {
  let terms = 0;
  return blocks.some(({ markLevels: near, box, from, to }, at) => {
    if (!kept[at]) return false;
    if (box.element.name === "dt" || box.element.children.slice(from, to).some(containsCode)) terms += 1;
    return near[CODE]! < FAR || terms >= MIN_TERMS;
  });
}

const containsCode = (node: HtmlNode): boolean =>
  typeof node === "object" && (/^(?:code|tt|kbd|samp)$/.test(node.name) || node.children.some(containsCode));

/** A block inside the text is kept at this fraction of the required probability. */
const DOUBTFUL_FACTOR = 0.5;

function keepDoubtful({ blocks }: Cut, kept: boolean[], isLikely: (at: number) => boolean, { enclosingTextBox }: EnclosingText): void {
  blocks.forEach((block, at) => {
    if (!kept[at] && isLikely(at) && isPartOfText(block, enclosingTextBox(block.box))) kept[at] = true;
  });
}

/** Tables that consist of links are menus, unless their columns have headers. */
const isDataTable = ({ markLevels: near, linkChars, chars, element, depth }: Box) =>
  LINK_MARKS.every((mark) => near[mark]! > Math.min(FAR - 1, depth)) && (linkChars * 2 <= chars || hasColumns(element));

export const hasColumns = ({ children }: HtmlElement): boolean =>
  children.some((child) => typeof child === "object" && (isColumnHead(child) || (isRows(child) && hasColumns(child))));

const isColumnHead = ({ name, attributes }: HtmlElement) => name === "th" || attributes.role === "columnheader";
const isRows = ({ name, attributes }: HtmlElement) => /^(?:thead|tbody|tr)$/.test(name) || /^row(?:group)?$/.test(attributes.role ?? "");

/** Whether an element between a block and an enclosing box marks it as something other than text. */
const isMarkedAsOther = ({ markLevels: near, box }: Block, outer: Box) => NOT_TEXT.some((mark) => near[mark]! <= box.depth - outer.depth);

/** Keeps the list, table or code after a kept block that ends with a colon. */
function keepIntroduced(blocks: readonly Block[], kept: boolean[], { enclosingTextBox }: EnclosingText): void {
  blocks.forEach(({ text, box }, at) => {
    if (!kept[at] || !/[:：]$/.test(text)) return;
    let whole: Box | undefined;
    for (let up = blocks[at + 1]?.box; up !== undefined && up.first === at + 1 && isWithin(up, box.parent); up = up.parent)
      if (structures.has(up.element.name) || up.element.name === "pre") whole = up;
    if (whole === undefined) return;
    const enclosing = enclosingTextBox(whole.parent);
    for (let each = whole.first; each < whole.first + whole.blocks; each += 1)
      if (isPartOfText(blocks[each]!, enclosing)) kept[each] = true;
  });
}

/** Whether no element between a block and the enclosing text marks it as something else. */
function isPartOfText({ markLevels: near, box }: Block, text: Box | undefined): boolean {
  if (text === undefined) return false;
  const levels = Math.min(FAR - 1, box.depth - text.depth);
  return NOT_TEXT.every((mark) => near[mark]! >= levels);
}

/** Blocks between two kept blocks of a manual belong to the text, unless they lead elsewhere. */
function keepBetween(blocks: readonly Block[], kept: boolean[], { enclosingTextBox }: EnclosingText): void {
  let lastKept = kept.indexOf(true);
  for (let at = lastKept + 1; lastKept >= 0 && at < kept.length; at += 1) {
    if (!kept[at]) continue;
    const common = at > lastKept + 1 ? commonBoxOf(blocks[lastKept]!.box, blocks[at]!.box) : undefined;
    const enclosing = common && enclosingTextBox(common);
    for (let between = lastKept + 1; enclosing !== undefined && between < at; between += 1) {
      const block = blocks[between]!;
      // What marks the kept blocks as well tells nothing of those between them.
      if (isPartOfText(block, enclosing) && !isBesideText(block, common!)) kept[between] = true;
    }
    lastKept = at;
  }
}

function commonBoxOf(inner: Box, other: Box): Box | undefined {
  let box: Box | undefined = inner;
  while (box !== undefined && !isWithin(other, box)) box = box.parent;
  return box;
}

/**
 * Links to other pages, author details, captions and copy buttons. Links in tables and definition lists are excepted:
 * names there are often links.
 */
const isBesideText = ({ markLevels: near, box, linkChars, text }: Block, enclosing: Box): boolean =>
  BESIDE_MARKS.some((mark) => near[mark]! < Math.min(FAR, box.depth - enclosing.depth)) ||
  (linkChars * 2 > text.length && near[TABLE]! >= FAR && !/^d[td]$/.test(box.element.name)) ||
  /^cop(?:y|ied)(?: code)?!?$/i.test(text);

const BESIDE_MARKS = ["nav", "foot", "forum", "person", "caption", "buttonTag"].map(placeOf);

const TABLE = placeOf("tableTag");

const MAX_SECTION_LENGTH = 1000;

/** Keeps the blocks below a kept heading if all of them are too short to be judged: "See also". */
function keepSections(blocks: readonly Block[], kept: boolean[], { enclosingTextBox }: EnclosingText): void {
  blocks.forEach((heading, at) => {
    const rank = rankOf(heading);
    if (rank === undefined || !kept[at]) return;
    const enclosing = enclosingTextBox(heading.box.parent);
    let end = at + 1;
    for (let chars = 0; end < blocks.length && !kept[end] && rankOf(blocks[end]!) === undefined; end += 1) {
      chars += blocks[end]!.text.length;
      if (chars > MAX_SECTION_LENGTH || !isPartOfText(blocks[end]!, enclosing) || !isWithin(blocks[end]!.box, enclosing)) return;
    }
    kept.fill(true, at + 1, end);
  });
}

/** If a part is kept in enough of several cards that look alike, it is kept in all: names of reviewers, roles of team members. */
function keepSimilar(blocks: readonly Block[], kept: boolean[], { shareOf, enclosingTextBox }: EnclosingText): void {
  const groups = new Map<string, number[]>();
  blocks.forEach(({ box, text, linkChars }, at) => {
    // Blocks directly in the card are distinguished by their index in it.
    const isOwn = box.similarSiblings > 1 && box.blocks > 1;
    const card = isOwn ? box : box.parent;
    if (
      card === undefined ||
      card.similarSiblings < 2 ||
      text.length > MAX_NAME_LENGTH ||
      linkChars * 2 > text.length ||
      shareOf(card) < MIN_LIST_SHARE
    )
      return;
    const key = `${card.parent?.number} ${card.look} ${isOwn ? `nth ${at - box.first}` : box.look}`;
    const group = groups.get(key);
    if (group) group.push(at);
    else groups.set(key, [at]);
  });
  for (const group of groups.values()) {
    if (group.filter((at) => kept[at]).length < MIN_LIST_SHARE * group.length) continue;
    for (const at of group) if (isPartOfText(blocks[at]!, enclosingTextBox(blocks[at]!.box.parent))) kept[at] = true;
  }
}

const MAX_NAME_LENGTH = 80;

/** Keeps a name or link in a box of its own within the text of a list item or cell. */
function keepInsideItem(blocks: readonly Block[], kept: boolean[], { enclosingTextBox }: EnclosingText): void {
  blocks.forEach((block, at) => {
    if (kept[at] || !kept[at - 1] || !kept[at + 1] || block.text.length > MAX_NAME_LENGTH) return;
    let item: Box | undefined = block.box;
    while (item !== undefined && !/^(?:li|dd|td)$/.test(item.element.name)) item = item.parent;
    if (item && isWithin(blocks[at - 1]!.box, item) && isWithin(blocks[at + 1]!.box, item) && isPartOfText(block, enclosingTextBox(item)))
      kept[at] = true;
  });
}

/** Keeps footnotes that the kept text refers to. */
function keepNotes({ blocks, top }: Cut, kept: boolean[]): void {
  const text = new Set(blocks.filter((_, at) => kept[at]).map(({ box }) => box.element));
  const isInText = (mark: HtmlElement) => {
    let enclosing = mark.parent;
    while (enclosing !== undefined && !text.has(enclosing)) enclosing = enclosing.parent;
    return enclosing !== undefined;
  };
  const notes = new Set(footnotesIn(top.element).flatMap(({ note, term, marks }) => (marks.some(isInText) ? [note, term] : [])));
  if (notes.size === 0) return;
  blocks.forEach(({ box }, at) => {
    for (let up: Box | undefined = box; up !== undefined && !kept[at]; up = up.parent) if (notes.has(up.element)) kept[at] = true;
  });
}

/** Code and tables whose blocks are all kept. */
export function wholesIn(blocks: readonly Block[], isKept: (at: number) => boolean): Set<HtmlElement> {
  const wholeElements = new Set<HtmlElement>();
  const parts = new Set<HtmlElement>();
  blocks.forEach(({ box }, at) => {
    for (let up: Box | undefined = box; up !== undefined; up = up.parent)
      if (mustStayWhole(up.element)) (isKept(at) ? wholeElements : parts).add(up.element);
  });
  for (const part of parts) wholeElements.delete(part);
  return wholeElements;
}

const mustStayWhole = (element: HtmlElement) => element.name === "pre" || (isTable(element) && !element.hasTable);

const headingOrTerm = /^(?:h[1-6]|dt)$/;

function keepHeadingsAndTerms(blocks: readonly Block[], kept: boolean[], isDocumentation: boolean): void {
  for (let at = blocks.length - 2; at >= 0; at -= 1) {
    if (kept[at] || !kept[nextAfter(blocks, at)] || (!isDocumentation && isLinkHeading(blocks[at]!))) continue;
    const singleBlockBox = singleBlockBoxOf(blocks[at]!.box);
    if (
      startsSection(singleBlockBox, blocks[at]!.box) &&
      isWithin(blocks[nextAfter(blocks, at)]!.box, outsideOf(blocks, at, singleBlockBox.parent))
    )
      kept[at] = true;
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
function singleBlockBoxOf(inner: Box): Box {
  let box = inner;
  while (box.parent?.blocks === 1) box = box.parent;
  return box;
}

/** A heading that is a link to another page. */
const isLinkHeading = ({ box, linkChars, text }: Block) =>
  linkChars * 10 > text.length * 9 && /^h[1-6]$/.test(box.element.name) && containsOutsideLink(box.element);

const containsOutsideLink = ({ children }: HtmlElement): boolean =>
  children.some(
    (child) =>
      typeof child === "object" && (child.name === "a" ? child.attributes.href?.startsWith("#") === false : containsOutsideLink(child)),
  );

function startsSection(outer: Box, inner: Box): boolean {
  let box = inner;
  while (box !== outer && !headingOrTerm.test(box.element.name)) box = box.parent!;
  return headingOrTerm.test(box.element.name);
}

/** Drops headings whose section was left out. */
function dropEmptyHeadings(blocks: readonly Block[], kept: boolean[]): void {
  // By rank: whether a block below such a heading is kept, and whether one is not.
  const hasKept = new Array<boolean>(7).fill(false);
  const hasDropped = new Array<boolean>(7).fill(false);
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const rank = rankOf(blocks[at]!);
    if (rank === undefined) {
      if (!isControl(blocks[at]!)) (kept[at] ? hasKept : hasDropped).fill(true);
    } else {
      if (rank > 1 && kept[at] && hasDropped[rank] && !hasKept[rank]) kept[at] = false;
      hasKept.fill(false, rank);
      hasDropped.fill(false, rank);
      if (kept[at]) hasKept.fill(true, 0, rank);
    }
  }
}

const BUTTON = placeOf("buttonTag");
const FORM = placeOf("formTag");

/** Buttons and form labels. */
const isControl = ({ markLevels: near, text }: Block) => near[BUTTON] === 0 || (near[FORM]! < 3 && text.length < 100);
