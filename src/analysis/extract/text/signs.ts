/**
 * The evidence for and against each block as numbers: its letters, neighbours, enclosing boxes, look-alikes, and the page's own
 * metadata. `signNames` names the columns; the forests in `learned/` refer to them by name. Signs that no tree used have been removed.
 */
import type { PageView } from "../page-view.ts";
import { type Block, type Box, type Cut, outerOf } from "./blocks.ts";
import { coreBox, densestBox, levelsUp } from "./centre.ts";
import { log1p } from "./logarithm.ts";
import { FAR } from "./mark-distances.ts";
import { markNames } from "./marks.ts";
import { type MetadataMatcher, metadataMatcherOf, titleBlockIndex } from "./metadata-matcher.ts";
import { pageSigns } from "./page-signs.ts";
import { phraseNames } from "./phrases.ts";
import {
  boxNames,
  charsAt,
  headNames,
  kinds,
  linksAt,
  lookAt,
  lookNames,
  nearbyNames,
  placeNames,
  signNames,
  textNames,
  windows,
} from "./sign-names.ts";
import { type Signs, SignTable } from "./sign-table.ts";
import { styleTotalsOf } from "./style-totals.ts";

const kindOf = new Map(kinds.flatMap((names, kind) => names.map((name) => [name, kind] as const)));

/** The signs of all blocks, stored by column. */
export function signsOf(page: PageView, cut: Cut): Signs {
  return new SignWriter(page, cut).write();
}

const [MORE, COMMENT] = [phraseNames.indexOf("more"), phraseNames.indexOf("comment")];

class SignWriter {
  readonly #blocks: readonly Block[];
  readonly #top: Box;
  readonly #table: SignTable;
  readonly #page: readonly number[];
  readonly #centre: Box;
  readonly #core: Box;
  readonly #fromCentre: Int16Array;
  readonly #fromCore: Int16Array;
  readonly #metadataMatcher: MetadataMatcher;
  readonly #looks: ReturnType<typeof styleTotalsOf>;
  readonly #charsBefore: Float64Array;
  readonly #linksBefore: Float64Array;
  readonly #title: number;

  constructor(page: PageView, cut: Cut) {
    const { blocks, top, boxes } = cut;
    this.#blocks = blocks;
    this.#top = top;
    this.#table = new SignTable(signNames.length, blocks.length);
    this.#centre = densestBox(blocks, top, boxes);
    this.#core = coreBox(blocks, top);
    this.#fromCentre = levelsUp(this.#centre, boxes);
    this.#fromCore = levelsUp(this.#core, boxes);
    this.#page = pageSigns(page, cut, this.#centre, this.#core);
    this.#metadataMatcher = metadataMatcherOf(page);
    this.#looks = styleTotalsOf(blocks);
    this.#charsBefore = prefixSums(blocks, ({ text }) => text.length);
    this.#linksBefore = prefixSums(blocks, ({ linkChars }) => linkChars);
    this.#title = titleBlockIndex(blocks, this.#metadataMatcher);
  }

  write(): Signs {
    this.#writeTexts();
    this.#writeKinds();
    this.#writeMarks();
    this.#writeBoxes();
    this.#writePlaces();
    this.#writeHeads();
    this.#writeLooks();
    this.#writeNeighbours();
    this.#writeWindows();
    this.#writeMetadataMatches();
    for (const value of this.#page) this.#table.fill(value);
    return this.#table;
  }

  #writeTexts(): void {
    const table = this.#table;
    for (let at = 0; at < this.#blocks.length; at += 1) {
      const { text, wording, linkChars, links } = this.#blocks[at]!;
      const { words, commas, stops, digits, capitals, phrases, endsSentence } = wording;
      const { length } = text;
      table.begin(at);
      table.put(log1p(words));
      table.put(length / Math.max(1, words));
      table.put(linkChars / length);
      table.put(Math.min(20, links));
      table.put(commas / length);
      table.put(Math.min(20, stops));
      table.put(digits / length);
      table.put(capitals / length);
      table.put(Number(endsSentence));
      table.put(Math.min(5, this.#looks.duplicates[at]!));
      for (let phrase = 0; phrase < phraseNames.length; phrase += 1) table.put((phrases >> phrase) & 1);
    }
    table.end(textNames.length + phraseNames.length);
  }

  #writeKinds(): void {
    const table = this.#table;
    for (let at = 0; at < this.#blocks.length; at += 1) {
      table.begin(at);
      const own = kindOf.get(this.#blocks[at]!.box.element.name);
      for (let kind = 0; kind < kinds.length; kind += 1) table.put(Number(kind === own));
    }
    table.end(kinds.length);
  }

  #writeMarks(): void {
    const [blocks, table] = [this.#blocks, this.#table];
    // Adjacent blocks mostly share one array of levels.
    const runs = blocks.filter(({ markLevels: near }, at) => at === 0 || near !== blocks[at - 1]!.markLevels);
    for (let mark = 0; mark < markNames.length; mark += 1) {
      const level = runs[0]?.markLevels[mark] ?? FAR;
      if (runs.every(({ markLevels: near }) => near[mark] === level)) {
        table.fill(level);
        continue;
      }
      for (let at = 0; at < blocks.length; at += 1) {
        table.begin(at);
        table.put(blocks[at]!.markLevels[mark]!);
      }
      table.end(1);
    }
  }

  #writeBoxes(): void {
    const table = this.#table;
    const all = Math.max(1, this.#top.chars);
    for (let at = 0; at < this.#blocks.length; at += 1) {
      const { box } = this.#blocks[at]!;
      const second = outerOf(box);
      const third = outerOf(second);
      table.begin(at);
      table.put(linksIn(box));
      table.put(box.chars / all);
      table.put(linksIn(second));
      this.#writeBox(third, all);
      this.#writeBox(outerOf(third), all);
    }
    table.end(boxNames.length);
  }

  #writeBox(box: Box, all: number): void {
    const table = this.#table;
    table.put(log1p(box.chars));
    table.put(linksIn(box));
    table.put(log1p(box.chars / Math.max(1, box.blocks)));
    table.put(box.chars / all);
  }

  #writePlaces(): void {
    const [table, before, title] = [this.#table, this.#charsBefore, this.#title];
    for (let at = 0; at < this.#blocks.length; at += 1) {
      const { box } = this.#blocks[at]!;
      const charsSinceTitle = before[at]! - before[Math.max(0, title)]!;
      table.begin(at);
      table.put(at / this.#blocks.length);
      table.put(before[at]! / Math.max(1, this.#top.chars));
      table.put(title < 0 ? -1000 : clamp(at - title, 300));
      table.put(title < 0 ? -20 : Math.sign(charsSinceTitle) * log1p(Math.abs(charsSinceTitle)));
      table.put(box.depth);
      this.#writeLevels(box, this.#fromCentre);
      this.#writeLevels(box, this.#fromCore);
      this.#writeDistance(at, this.#centre);
      this.#writeDistance(at, this.#core);
    }
    table.end(placeNames.length);
  }

  /** Levels from a centre up to the common ancestor, and from there down to the box. */
  #writeLevels(box: Box, steps: Int16Array): void {
    let [at, down] = [box, 0];
    for (; steps[at.number]! < 0 && at.parent; at = at.parent) down += 1;
    this.#table.put(steps[at.number]!);
    this.#table.put(down);
  }

  #writeDistance(at: number, { first, blocks }: Box): void {
    this.#table.put(Math.max(0, first - at));
    this.#table.put(Math.max(0, at - (first + blocks - 1)));
  }

  #writeHeads(): void {
    const table = this.#table;
    let head = { at: -1, rank: 0, phrases: 0, linked: 0 };
    for (let at = 0; at < this.#blocks.length; at += 1) {
      const { text, wording, box, linkChars } = this.#blocks[at]!;
      const { name } = box.element;
      table.begin(at);
      table.put(head.at < 0 ? 100 : Math.min(99, at - head.at));
      table.put(head.rank);
      table.put((head.phrases >> MORE) & 1);
      table.put((head.phrases >> COMMENT) & 1);
      table.put(head.linked);
      if (isHeading(name)) head = { at, rank: Number(name[1]), phrases: wording.phrases, linked: linkChars / text.length };
    }
    table.end(headNames.length);
  }

  #writeLooks(): void {
    const table = this.#table;
    for (let at = 0; at < this.#blocks.length; at += 1) {
      const { count, chars, linkChars } = this.#looks.byBlock[at]!;
      table.begin(at);
      table.put(log1p(count));
      table.put(chars / Math.max(1, this.#top.chars));
      table.put(log1p(chars / count));
      table.put(linkChars / chars);
      this.#writeAlike(this.#blocks[at]!.box);
    }
    table.end(lookNames.length);
  }

  /** The nearest enclosing box with more than one similar sibling. */
  #writeAlike(inner: Box): void {
    const table = this.#table;
    let level = 0;
    let box: Box | undefined = inner;
    while (box !== undefined && level < 12 && box.similarSiblings <= 2) {
      box = box.parent;
      level += 1;
    }
    const found = level < 12 ? box : undefined;
    table.put(found ? log1p(found.similarSiblings) : 0);
    table.put(found ? level : 12);
    table.put(found ? log1p(found.chars) : 0);
    table.put(found ? linksIn(found) : 0);
  }

  #writeNeighbours(): void {
    const [blocks, table] = [this.#blocks, this.#table];
    for (let at = 0; at < blocks.length; at += 1) {
      table.begin(at);
      for (let nth = 0; nth < charsAt.length; nth += 1) {
        const other = blocks[at + charsAt[nth]!];
        table.put(other ? log1p(other.text.length) : -1);
      }
      for (let nth = 0; nth < linksAt.length; nth += 1) {
        const other = blocks[at + linksAt[nth]!];
        table.put(other ? other.linkChars / other.text.length : -1);
      }
      for (let nth = 0; nth < lookAt.length; nth += 1) {
        const other = blocks[at + lookAt[nth]!];
        table.put(other ? Number(other.box.look === blocks[at]!.box.look) : -1);
      }
    }
    table.end(nearbyNames.length);
  }

  #writeWindows(): void {
    const [table, chars, links] = [this.#table, this.#charsBefore, this.#linksBefore];
    for (let at = 0; at < this.#blocks.length; at += 1) {
      table.begin(at);
      for (let nth = 0; nth < windows.length; nth += 1) {
        const from = Math.max(0, at - windows[nth]!);
        const to = Math.min(this.#blocks.length, at + windows[nth]! + 1);
        table.put((links[to]! - links[from]!) / Math.max(1, chars[to]! - chars[from]!));
      }
    }
    table.end(windows.length);
  }

  #writeMetadataMatches(): void {
    const { isDescription, inBody } = this.#metadataMatcher;
    if (isDescription) this.#writeColumn((text) => Number(isDescription(text)));
    else this.#table.fill(0);
    if (inBody) this.#writeColumn(inBody);
    else this.#table.fill(-1);
  }

  #writeColumn(signOf: (text: string) => number): void {
    for (let at = 0; at < this.#blocks.length; at += 1) {
      this.#table.begin(at);
      this.#table.put(signOf(this.#blocks[at]!.text));
    }
    this.#table.end(1);
  }
}

const linksIn = ({ linkChars, chars }: Box) => linkChars / Math.max(1, chars);
function prefixSums(blocks: readonly Block[], of: (block: Block) => number): Float64Array {
  const before = new Float64Array(blocks.length + 1);
  for (let at = 0; at < blocks.length; at += 1) before[at + 1] = before[at]! + of(blocks[at]!);
  return before;
}

const isHeading = (name: string) => name.length === 2 && name[0] === "h" && name !== "hr";
const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
