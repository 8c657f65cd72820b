/**
 * What speaks for and against each block of a page, as numbers: its letters, its neighbours, the boxes it stands in, what looks like it, and what the
 * page says about itself. `signNames` says which number is which; the forests in `learned/` ask for them by name.
 */
import type { PageView } from "../page-view.ts";
import type { Block, Box, Cut } from "./blocks.ts";
import { core, densest, stepsUp, way } from "./centre.ts";
import { lettersOf } from "./letters.ts";
import { looksOf } from "./looks.ts";
import { markNames } from "./marks.ts";
import { pageSignNames, pageSigns } from "./page-signs.ts";
import { phraseNames, phrasesIn } from "./phrases.ts";
import { witnessesOf } from "./witnesses.ts";

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

/** A row of numbers for each block, one after another. */
export function signsOf(page: PageView, cut: Cut): Float32Array {
  return new SignWriter(page, cut).write();
}

const MORE = phraseNames.indexOf("more");
const COMMENT = phraseNames.indexOf("comment");

class SignWriter {
  readonly #blocks: readonly Block[];
  readonly #top: Box;
  readonly #values: Float32Array;
  readonly #page: readonly number[];
  readonly #centre: Box;
  readonly #core: Box;
  readonly #fromCentre: ReadonlyMap<Box, number>;
  readonly #fromCore: ReadonlyMap<Box, number>;
  readonly #witnesses: ReturnType<typeof witnessesOf>;
  readonly #looks: ReturnType<typeof looksOf>;
  readonly #charsBefore: Float64Array;
  readonly #linksBefore: Float64Array;
  readonly #title: number;
  #at = 0;
  #head: { at: number; rank: number; phrases: number; linked: number } | undefined;

  constructor(page: PageView, cut: Cut) {
    const { blocks, top } = cut;
    this.#blocks = blocks;
    this.#top = top;
    this.#values = new Float32Array(blocks.length * signNames.length);
    this.#centre = densest(blocks, top);
    this.#core = core(blocks, top);
    this.#fromCentre = stepsUp(this.#centre);
    this.#fromCore = stepsUp(this.#core);
    this.#page = pageSigns(page, cut, this.#centre, this.#core);
    this.#witnesses = witnessesOf(page);
    this.#looks = looksOf(blocks);
    this.#charsBefore = sums(blocks, ({ text }) => text.length);
    this.#linksBefore = sums(blocks, ({ linkChars }) => linkChars);
    this.#title = this.#findTitle();
  }

  write(): Float32Array {
    for (let at = 0; at < this.#blocks.length; at += 1) {
      const block = this.#blocks[at]!;
      const phrases = phrasesIn(block.text);
      this.#writeText(block, phrases);
      for (const names of kinds) this.#put(Number(names.includes(block.box.element.name)));
      for (const levels of block.near) this.#put(levels);
      this.#writeBoxes(block.box);
      this.#writePlace(block.box, at);
      this.#writeHead(block, at, phrases);
      this.#writeLooks(block);
      this.#writeNeighbours(at);
      this.#put(
        Number(this.#witnesses.isTitle(block.text)),
        Number(this.#witnesses.isDescription(block.text)),
        this.#witnesses.inBody(block.text),
      );
      this.#put(...this.#page);
    }
    return this.#values;
  }

  #put(...values: readonly number[]): void {
    for (const value of values) this.#values[this.#at++] = value;
  }

  #writeText({ text, linkChars, links }: Block, phrases: number): void {
    const { words, commas, stops, digits, capitals } = lettersOf(text);
    const { length } = text;
    this.#put(Math.log1p(length), Math.log1p(words), length / Math.max(1, words), linkChars / length, Math.min(20, links));
    this.#put(commas / length, Math.min(20, stops), digits / length, capitals / length);
    this.#put(Number(/[.!?:。！？।۔]["'”’»)\]]?$/.test(text.slice(-3))), Math.min(5, this.#looks.twins(text)));
    for (let at = 0; at < phraseNames.length; at += 1) this.#put((phrases >> at) & 1);
  }

  #writeBoxes(inner: Box): void {
    let box = inner;
    for (let level = 0; level < 4; level += 1) {
      // A box that adds nothing to the one inside it is not looked at twice.
      while (level > 0 && box.parent && box.blocks === box.parent.blocks) box = box.parent;
      if (level > 0 && box.parent) box = box.parent;
      const { chars, linkChars, blocks } = box;
      this.#put(
        Math.log1p(chars),
        linkChars / Math.max(1, chars),
        Math.log1p(chars / Math.max(1, blocks)),
        chars / Math.max(1, this.#top.chars),
      );
    }
  }

  #writePlace(box: Box, at: number): void {
    const count = this.#blocks.length;
    const before = this.#charsBefore;
    const since = before[at]! - before[Math.max(0, this.#title)]!;
    this.#put(at / count, before[at]! / Math.max(1, this.#top.chars));
    this.#put(
      this.#title < 0 ? -1000 : clamp(at - this.#title, 300),
      this.#title < 0 ? -20 : Math.sign(since) * Math.log1p(Math.abs(since)),
      box.depth,
    );
    const centre = way(box, this.#fromCentre);
    const heart = way(box, this.#fromCore);
    this.#put(centre.up, centre.down, heart.up, heart.down);
    for (const { first, blocks } of [this.#centre, this.#core]) this.#put(Math.max(0, first - at), Math.max(0, at - (first + blocks - 1)));
  }

  #writeHead({ text, box, linkChars }: Block, at: number, phrases: number): void {
    const rank = /^h[1-6]$/.test(box.element.name) ? Number(box.element.name[1]) : 0;
    const head = this.#head;
    if (head) this.#put(Math.min(99, at - head.at), head.rank, (head.phrases >> MORE) & 1, (head.phrases >> COMMENT) & 1, head.linked);
    else this.#put(100, 0, 0, 0, 0);
    if (rank > 0) this.#head = { at, rank, phrases, linked: linkChars / text.length };
  }

  #writeLooks(block: Block): void {
    const { count, chars, linkChars } = this.#looks.of(block);
    this.#put(Math.log1p(count), chars / Math.max(1, this.#top.chars), Math.log1p(chars / count), linkChars / chars);
    let level = 0;
    let found: Box | undefined;
    for (let box: Box | undefined = block.box; box !== undefined && level < 12; box = box.parent) {
      if (box.alike > 2) {
        found = box;
        break;
      }
      level += 1;
    }
    if (found) this.#put(Math.log1p(found.alike), level, Math.log1p(found.chars), found.linkChars / Math.max(1, found.chars));
    else this.#put(0, 12, 0, 0);
  }

  #writeNeighbours(at: number): void {
    const look = this.#blocks[at]!.box.look;
    for (const by of nearby) {
      const other = this.#blocks[at + by];
      if (other) this.#put(Math.log1p(other.text.length), other.linkChars / other.text.length, Number(other.box.look === look));
      else this.#put(-1, -1, -1);
    }
    for (const width of windows) {
      const [from, to] = [Math.max(0, at - width), Math.min(this.#blocks.length, at + width + 1)];
      const chars = this.#charsBefore[to]! - this.#charsBefore[from]!;
      this.#put(Math.log1p(chars / (to - from)), (this.#linksBefore[to]! - this.#linksBefore[from]!) / Math.max(1, chars));
    }
  }

  /** The block that is the title: a heading of the first rank that says what the head says, or else any such, or else the first heading. */
  #findTitle(): number {
    const titles = new Set(this.#blocks.filter(({ text }) => this.#witnesses.isTitle(text)));
    const isHeading = (block: Block) => block.box.element.name === "h1";
    const isTitle = (block: Block) => titles.has(block);
    for (const fits of [(block: Block) => isHeading(block) && isTitle(block), isTitle, isHeading]) {
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

const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value));
