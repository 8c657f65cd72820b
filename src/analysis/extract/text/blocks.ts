/** Cuts a page into blocks: separate runs of text, each with the boxes that contain it. */
import { formulaOf, type HtmlElement, type HtmlNode, isBlank, isSecondCopy, tidy } from "../../parse/index.ts";
import { ClassLists } from "./class-lists.ts";
import { FAR, type MarkDistances, rootDistances } from "./mark-distances.ts";
import { marksOf, placeOf } from "./marks.ts";
import { type Wording, wordingsOf } from "./wording.ts";

/** An element that contains blocks, with totals over them. */
export interface Box {
  /** Index among all boxes of the page. */
  readonly number: number;
  readonly element: HtmlElement;
  readonly parent: Box | undefined;
  readonly depth: number;
  readonly markDistances: MarkDistances;
  /** Levels up to the nearest element with each mark; FAR if there is none. */
  readonly markLevels: Uint8Array;
  /** A number for the element's name and classes: elements with the same number look alike. */
  readonly look: number;
  /** Index of its first block; its blocks are consecutive. */
  readonly first: number;
  chars: number;
  linkChars: number;
  blocks: number;
  longChars: number;
  /** How many of its siblings look like it, itself included. */
  similarSiblings: number;
}

export interface Block {
  readonly text: string;
  /** Filled in when all blocks are known. */
  wording: Wording;
  readonly box: Box;
  /** The range of the box element's children that forms the block. */
  readonly from: number;
  readonly to: number;
  /** The innermost element that contains the whole block: a span that is all of a paragraph describes the paragraph. */
  readonly element: HtmlElement;
  readonly markLevels: Uint8Array;
  readonly linkChars: number;
  readonly links: number;
}

export interface Cut {
  readonly blocks: readonly Block[];
  readonly top: Box;
  /** The number of boxes. */
  readonly boxes: number;
}

/** The next outer box that contains more blocks than this one. */
export function outerOf(inner: Box): Box {
  let box = inner;
  while (box.parent && box.blocks === box.parent.blocks) box = box.parent;
  return box.parent ?? box;
}

const MIN_LONG_TEXT = 80;

/** Never shown as text, or only there to be operated. */
const invisibleTags = new Set("script style title template svg math noscript select datalist head object canvas video audio".split(" "));

/** Repeated around every page of a site, and not part of the content. */
const navigationTags = new Set(["nav", "footer", "dialog"]);
const navigationRoles = new Set(["navigation", "menu", "menubar", "contentinfo", "dialog", "alertdialog"]);

const isSkipped = ({ name, attributes }: HtmlElement) =>
  invisibleTags.has(name) || navigationTags.has(name) || (attributes.role !== undefined && navigationRoles.has(attributes.role));
/** If a page has hardly any text, noscript elements and text in navigation or footers count too. */
const isInvisible = ({ name }: HtmlElement) => name !== "noscript" && invisibleTags.has(name);
const MIN_TEXT_LENGTH = 500;

export function cutPage(root: HtmlElement): Cut {
  const cut = cutWithFallback(root);
  const wordings = wordingsOf(cut.blocks.map(({ text }) => text));
  cut.blocks.forEach((block, at) => {
    block.wording = wordings[at]!;
  });
  return cut;
}

function cutWithFallback(root: HtmlElement): Cut {
  const normalCut = new Cutter(isSkipped).cut(root);
  if (normalCut.top.chars >= MIN_TEXT_LENGTH) return normalCut;
  const all = new Cutter(isInvisible).cut(root);
  return all.top.chars > 3 * normalCut.top.chars ? all : normalCut;
}

const [EMPTY_WORDING] = wordingsOf([""]);

class Cutter {
  readonly blocks: Block[] = [];
  readonly #classes = new ClassLists();
  readonly #rootDistances = rootDistances();
  #boxes = 0;
  readonly #isDropped: (element: HtmlElement) => boolean;

  constructor(isDropped: (element: HtmlElement) => boolean) {
    this.#isDropped = isDropped;
  }

  cut(root: HtmlElement): Cut {
    return { top: this.#visit(root, undefined, false), blocks: this.blocks, boxes: this.#boxes };
  }

  #visit(element: HtmlElement, parent: Box | undefined, isLinked: boolean): Box {
    const box = this.#createBox(element, parent);
    const inLink = isLinked || element.name === "a";
    const { children } = element;
    let childBoxes: Box[] | undefined;
    let from = 0;
    let breaks = 0;
    for (let at = 0; at < children.length; at += 1) {
      const child = children[at]!;
      const isBreak = typeof child === "object" && child.name === "br";
      if (isBreak) breaks += 1;
      else if (typeof child === "object" || !isBlank(child)) {
        if (breaks > 1) {
          this.#addBlock(box, from, at, inLink);
          from = at;
        }
        breaks = 0;
      }
      if (typeof child === "string" || isBreak || !(child.isBlock || child.hasBlock)) continue;
      this.#addBlock(box, from, at, inLink);
      from = at + 1;
      if (this.#isDropped(child)) continue;
      if (child.name === "tr" && isRowOfText(child)) this.#addRow(child, box, inLink);
      else {
        const next = this.#visit(child, box, inLink);
        if (childBoxes) childBoxes.push(next);
        else childBoxes = [next];
      }
    }
    this.#addBlock(box, from, children.length, inLink);
    if (childBoxes && childBoxes.length > 1) countSimilar(childBoxes);
    if (parent) addTotals(parent, box);
    return box;
  }

  #createBox(element: HtmlElement, parent: Box | undefined): Box {
    const classes = this.#classes.of(element.attributes.class ?? "");
    const markDistances = (parent?.markDistances ?? this.#rootDistances).childDistances(marksOf(element, classes.marks));
    return {
      number: this.#boxes++,
      element,
      parent,
      depth: parent === undefined ? 0 : parent.depth + 1,
      markDistances,
      markLevels: markDistances.levels,
      look: this.#classes.lookOf(classes, element.name),
      first: this.blocks.length,
      chars: 0,
      linkChars: 0,
      blocks: 0,
      longChars: 0,
      similarSiblings: 1,
    };
  }

  /** A table row without blocks in its cells is one block. */
  #addRow(row: HtmlElement, parent: Box, isLinked: boolean): void {
    const box = this.#createBox(row, parent);
    this.#addBlock(box, 0, row.children.length, isLinked);
    addTotals(parent, box);
  }

  #addBlock(box: Box, from: number, to: number, isLinked: boolean): void {
    if (from >= to) return;
    const only = to - from === 1 ? box.element.children[from]! : undefined;
    if (typeof only === "string" && isBlank(only)) return;
    const isCode = box.markLevels[CODE]! < FAR;
    const run: Run = { text: "", linkChars: 0, links: 0, isCode, needsSpace: false };
    for (let at = from; at < to; at += 1) this.#read(box.element.children[at]!, isLinked, run);
    const text = isCode ? run.text.trim() : tidy(run.text);
    if (text === "" || (isCode && !/\p{L}/u.test(text))) return;
    const element = typeof only === "string" ? box.element : innermost(box.element, from, to);
    const markLevels = element === box.element ? box.markLevels : this.#markLevelsIn(box, element);
    const linkChars = Math.min(run.linkChars, text.length);
    this.blocks.push({ text, wording: EMPTY_WORDING!, box, from, to, element, markLevels, linkChars, links: run.links });
    box.chars += text.length;
    box.linkChars += linkChars;
    box.blocks += 1;
    if (text.length - linkChars >= MIN_LONG_TEXT) box.longChars += text.length;
  }

  #markLevelsIn({ markDistances }: Box, element: HtmlElement): Uint8Array {
    return markDistances.childDistances(marksOf(element, this.#classes.of(element.attributes.class ?? "").marks)).levels;
  }

  #read(node: HtmlNode, isLinked: boolean, run: Run): void {
    if (typeof node === "string") {
      const chars = run.isCode ? addCode(run, node) : addWords(run, node);
      if (isLinked) run.linkChars += chars;
      return;
    }
    const { name } = node;
    if (name === "math") {
      if (run.isCode) addCode(run, formulaOf(node));
      else addWords(run, formulaOf(node));
      return;
    }
    if (isSecondCopy(node) || this.#isDropped(node) || (run.isCode && isLineNumber(node))) return;
    if (name === "br") addBlank(run, "\n");
    if (name === "a") run.links += 1;
    if (name === "td" || name === "th") addBlank(run, "\t");
    for (const child of node.children) this.#read(child, isLinked || name === "a", run);
  }
}

interface Run {
  readonly isCode: boolean;
  text: string;
  linkChars: number;
  links: number;
  /** White space is due before the next word. */
  needsSpace: boolean;
}

/** Code keeps its white space. Both functions return how many characters they added, without leading and trailing white space. */
function addCode(run: Run, text: string): number {
  run.text += text;
  return text.trim().length;
}

/** Collapses white space between words to one space. Most of it is where texts meet, so few runs have to be tidied at the end. */
function addWords(run: Run, text: string): number {
  const words = text.trim();
  const { length } = words;
  if (length === 0) {
    run.needsSpace = true;
    return 0;
  }
  const needsSpace = run.needsSpace || text.charCodeAt(0) !== words.charCodeAt(0);
  if (run.text === "") run.text = words;
  else run.text += needsSpace ? ` ${words}` : words;
  run.needsSpace = text.charCodeAt(text.length - 1) !== words.charCodeAt(length - 1);
  return length;
}

function addBlank(run: Run, blank: string): void {
  if (run.isCode) run.text += blank;
  else run.needsSpace = true;
}

const CODE = placeOf("codeTag");

/** Counts the siblings of each look. Most siblings all look alike. */
function countSimilar(boxes: readonly Box[]): void {
  const { look } = boxes[0]!;
  if (boxes.every((box) => box.look === look)) {
    for (const box of boxes) box.similarSiblings = boxes.length;
    return;
  }
  const counts = new Map<number, number>();
  for (const box of boxes) counts.set(box.look, (counts.get(box.look) ?? 0) + 1);
  for (const box of boxes) box.similarSiblings = counts.get(box.look)!;
}

function addTotals(parent: Box, { chars, linkChars, blocks, longChars }: Box): void {
  parent.chars += chars;
  parent.linkChars += linkChars;
  parent.blocks += blocks;
  parent.longChars += longChars;
}

const isLineNumber = ({ attributes }: HtmlElement) =>
  attributes.class !== undefined && /(?:^|[\s_-])(?:line-?num|lineno|ln|gutter)/i.test(attributes.class);

const isRowOfText = ({ children }: HtmlElement) => children.every((child) => typeof child === "string" || !child.hasBlock);

function innermost(outer: HtmlElement, from: number, to: number): HtmlElement {
  let element = outer;
  let [start, end] = [from, to];
  for (;;) {
    let only: HtmlElement | undefined;
    for (let at = start; at < end; at += 1) {
      const child = element.children[at]!;
      if (typeof child === "string" ? !isBlank(child) : only !== undefined) return element;
      if (typeof child === "object") only = child;
    }
    if (only === undefined || only.children.length === 0) return element;
    element = only;
    [start, end] = [0, only.children.length];
  }
}
