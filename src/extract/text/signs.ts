/**
 * What speaks for and against each block of a page, as numbers: its letters, its neighbours, the boxes it stands in, what looks like it, and what the
 * page says about itself. `signNames` says which number is which; the forests in `learned/` ask for them by name.
 */
import type { PageView } from "../page-view.ts";
import type { Block, Box, Cut } from "./blocks.ts";
import { core, densest, stepsUp, way } from "./centre.ts";
import { log1p } from "./logarithm.ts";
import { looksOf } from "./looks.ts";
import { markNames } from "./marks.ts";
import { pageSignNames, pageSigns } from "./page-signs.ts";
import { phraseNames } from "./phrases.ts";
import { SignTable } from "./sign-table.ts";
import { witnessesOf } from "./witnesses.ts";
import { type Wording, wordingOf } from "./wording.ts";

const kinds: readonly (readonly string[])[] = [
  ["p"],
  ["h1"],
  ["h2"],
  ["h3", "h4", "h5", "h6"],
  ["li"],
  ["tr", "td", "th"],
  ["pre"],
  ["dt", "dd"],
  ["div"],
];
const kindOf = new Map(kinds.flatMap((names, kind) => names.map((name) => [name, kind] as const)));
const boxNames = [0, 1, 2, 3].flatMap((level) => ["Chars", "Links", "Mean", "Share"].map((name) => `box${level}${name}`));
const nearby = [-3, -2, -1, 1, 2, 3];
const windows = [4, 10];

export const signNames: readonly string[] = [
  ...["chars", "words", "wordLength", "linkRatio", "links", "commas", "stops", "digits", "capitals", "endsSentence", "twins"],
  ...phraseNames.map((name) => `says:${name}`),
  ...kinds.map(([name]) => `is:${name}`),
  ...markNames.map((name) => `near:${name}`),
  ...boxNames,
  ...["place", "charPlace", "sinceTitle", "charsSinceTitle", "depth"],
  ...["centreUp", "centreDown", "coreUp", "coreDown", "beforeCentre", "afterCentre", "beforeCore", "afterCore"],
  ...["sinceHead", "headRank", "headMore", "headComment", "headLinked"],
  ...["lookCount", "lookChars", "lookMean", "lookLinks", "alike", "alikeUp", "alikeMean", "alikeLinks"],
  ...nearby.flatMap((by) => [`chars${by}`, `links${by}`, `look${by}`]),
  ...windows.flatMap((width) => [`window${width}`, `window${width}Links`]),
  ...["isTitle", "isDescription", "inBody"],
  ...pageSignNames,
];

/** The signs of all blocks, column by column. */
export function signsOf(page: PageView, cut: Cut): Float32Array {
  return new SignWriter(page, cut).write();
}

const MORE = phraseNames.indexOf("more");
const COMMENT = phraseNames.indexOf("comment");

class SignWriter {
  readonly #blocks: readonly Block[];
  readonly #top: Box;
  readonly #table: SignTable;
  readonly #page: readonly number[];
  readonly #centre: Box;
  readonly #core: Box;
  readonly #fromCentre: ReadonlyMap<Box, number>;
  readonly #fromCore: ReadonlyMap<Box, number>;
  readonly #witnesses: ReturnType<typeof witnessesOf>;
  readonly #looks: ReturnType<typeof looksOf>;
  readonly #wordings: readonly Wording[];
  readonly #charsBefore: Float64Array;
  readonly #linksBefore: Float64Array;
  readonly #titles: ReadonlySet<Block>;
  readonly #title: number;
  #head: { at: number; rank: number; phrases: number; linked: number } | undefined;

  constructor(page: PageView, cut: Cut) {
    const { blocks, top } = cut;
    this.#blocks = blocks;
    this.#top = top;
    this.#table = new SignTable(signNames.length, blocks.length);
    this.#centre = densest(blocks, top);
    this.#core = core(blocks, top);
    this.#fromCentre = stepsUp(this.#centre);
    this.#fromCore = stepsUp(this.#core);
    this.#page = pageSigns(page, cut, this.#centre, this.#core);
    this.#witnesses = witnessesOf(page);
    this.#looks = looksOf(blocks);
    this.#wordings = blocks.map(({ text }) => wordingOf(text));
    this.#charsBefore = sums(blocks, ({ text }) => text.length);
    this.#linksBefore = sums(blocks, ({ linkChars }) => linkChars);
    this.#titles = new Set(blocks.filter(({ text }) => this.#witnesses.isTitle(text)));
    this.#title = this.#findTitle();
  }

  write(): Float32Array {
    const [blocks, table] = [this.#blocks, this.#table];
    table.each(11 + phraseNames.length, (at) => this.#writeText(blocks[at]!, this.#wordings[at]!));
    table.each(kinds.length, (at) => this.#writeBits(1 << (kindOf.get(blocks[at]!.box.element.name) ?? kinds.length), kinds.length));
    table.each(markNames.length, (at) => {
      const { near } = blocks[at]!;
      for (let mark = 0; mark < near.length; mark += 1) table.put(near[mark]!);
    });
    table.each(boxNames.length, (at) => this.#writeBoxes(blocks[at]!.box));
    table.each(13, (at) => this.#writePlace(blocks[at]!.box, at));
    table.each(5, (at) => this.#writeHead(blocks[at]!, at));
    table.each(8, (at) => this.#writeLooks(blocks[at]!));
    table.each(3 * nearby.length, (at) => this.#writeNeighbours(at));
    table.each(2 * windows.length, (at) => this.#writeWindows(at));
    table.each(3, (at) => this.#writeWitnesses(blocks[at]!));
    for (const value of this.#page) table.fill(value);
    return table.values;
  }

  #writeBits(bits: number, count: number): void {
    for (let bit = 0; bit < count; bit += 1) this.#table.put((bits >> bit) & 1);
  }

  #writeText({ text, linkChars, links }: Block, wording: Wording): void {
    const { words, commas, stops, digits, capitals, phrases, endsSentence } = wording;
    const { length } = text;
    const table = this.#table;
    table.put(log1p(length));
    table.put(log1p(words));
    table.put(length / Math.max(1, words));
    table.put(linkChars / length);
    table.put(Math.min(20, links));
    table.put(commas / length);
    table.put(Math.min(20, stops));
    table.put(digits / length);
    table.put(capitals / length);
    table.put(Number(endsSentence));
    table.put(Math.min(5, this.#looks.twins(text)));
    this.#writeBits(phrases, phraseNames.length);
  }

  #writeBoxes(inner: Box): void {
    const table = this.#table;
    let box = inner;
    for (let level = 0; level < 4; level += 1) {
      // A box that adds nothing to the one inside it is not looked at twice.
      while (level > 0 && box.parent && box.blocks === box.parent.blocks) box = box.parent;
      if (level > 0 && box.parent) box = box.parent;
      const { chars, linkChars, blocks } = box;
      table.put(log1p(chars));
      table.put(linkChars / Math.max(1, chars));
      table.put(log1p(chars / Math.max(1, blocks)));
      table.put(chars / Math.max(1, this.#top.chars));
    }
  }

  #writePlace(box: Box, at: number): void {
    const table = this.#table;
    const before = this.#charsBefore;
    const since = before[at]! - before[Math.max(0, this.#title)]!;
    table.put(at / this.#blocks.length);
    table.put(before[at]! / Math.max(1, this.#top.chars));
    table.put(this.#title < 0 ? -1000 : clamp(at - this.#title, 300));
    table.put(this.#title < 0 ? -20 : Math.sign(since) * log1p(Math.abs(since)));
    table.put(box.depth);
    this.#writeWay(box, this.#fromCentre);
    this.#writeWay(box, this.#fromCore);
    this.#writeDistance(at, this.#centre);
    this.#writeDistance(at, this.#core);
  }

  #writeWay(box: Box, from: ReadonlyMap<Box, number>): void {
    const { up, down } = way(box, from);
    this.#table.put(up);
    this.#table.put(down);
  }

  #writeDistance(at: number, { first, blocks }: Box): void {
    this.#table.put(Math.max(0, first - at));
    this.#table.put(Math.max(0, at - (first + blocks - 1)));
  }

  #writeHead({ text, box, linkChars }: Block, at: number): void {
    const table = this.#table;
    const { name } = box.element;
    const head = this.#head;
    table.put(head ? Math.min(99, at - head.at) : 100);
    table.put(head?.rank ?? 0);
    table.put(((head?.phrases ?? 0) >> MORE) & 1);
    table.put(((head?.phrases ?? 0) >> COMMENT) & 1);
    table.put(head?.linked ?? 0);
    if (isHeading(name)) this.#head = { at, rank: Number(name[1]), phrases: this.#wordings[at]!.phrases, linked: linkChars / text.length };
  }

  #writeLooks(block: Block): void {
    const table = this.#table;
    const { count, chars, linkChars } = this.#looks.of(block);
    table.put(log1p(count));
    table.put(chars / Math.max(1, this.#top.chars));
    table.put(log1p(chars / count));
    table.put(linkChars / chars);
    let level = 0;
    let box: Box | undefined = block.box;
    while (box !== undefined && level < 12 && box.alike <= 2) {
      box = box.parent;
      level += 1;
    }
    const found = level < 12 ? box : undefined;
    table.put(found ? log1p(found.alike) : 0);
    table.put(found ? level : 12);
    table.put(found ? log1p(found.chars) : 0);
    table.put(found ? found.linkChars / Math.max(1, found.chars) : 0);
  }

  #writeNeighbours(at: number): void {
    const table = this.#table;
    const { look } = this.#blocks[at]!.box;
    for (let nth = 0; nth < nearby.length; nth += 1) {
      const other = this.#blocks[at + nearby[nth]!];
      table.put(other ? log1p(other.text.length) : -1);
      table.put(other ? other.linkChars / other.text.length : -1);
      table.put(other ? Number(other.box.look === look) : -1);
    }
  }

  #writeWindows(at: number): void {
    for (const width of windows) {
      const [from, to] = [Math.max(0, at - width), Math.min(this.#blocks.length, at + width + 1)];
      const chars = this.#charsBefore[to]! - this.#charsBefore[from]!;
      this.#table.put(log1p(chars / (to - from)));
      this.#table.put((this.#linksBefore[to]! - this.#linksBefore[from]!) / Math.max(1, chars));
    }
  }

  #writeWitnesses(block: Block): void {
    this.#table.put(Number(this.#titles.has(block)));
    this.#table.put(Number(this.#witnesses.isDescription(block.text)));
    this.#table.put(this.#witnesses.inBody(block.text));
  }

  /** The block that is the title: a heading of the first rank that says what the head says, or else any such, or else the first heading. */
  #findTitle(): number {
    const isFirst = (block: Block) => block.box.element.name === "h1";
    const isTitle = (block: Block) => this.#titles.has(block);
    for (const fits of [(block: Block) => isFirst(block) && isTitle(block), isTitle, isFirst]) {
      const at = this.#blocks.findIndex(fits);
      if (at >= 0) return at;
    }
    return -1;
  }
}

function sums(blocks: readonly Block[], of: (block: Block) => number): Float64Array {
  const before = new Float64Array(blocks.length + 1);
  blocks.forEach((block, at) => {
    before[at + 1] = before[at]! + of(block);
  });
  return before;
}

const isHeading = (name: string) => name.length === 2 && name[0] === "h" && name !== "hr";

const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value));
