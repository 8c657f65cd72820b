/**
 * Blocks that a site repeats on its pages: teasers, notices and boxes that look like main text on a single page. Pages store hashes
 * of their blocks. The caller counts them over a site, asks this module which are repeated, and removes them when text is used.
 */

import type { HtmlElement } from "../parse/index.ts";
import { LazyMainText, type MainText } from "./main-text.ts";
import { type Block, type Box, cutPage, outerOf } from "./text/blocks.ts";
import { headingOf, rankOf } from "./text/headings.ts";
import { hasColumns, wholesIn } from "./text/keep-related.ts";
import { prunedTree } from "./text/prune.ts";
import type { Wording } from "./text/wording.ts";

/** A 32-bit hash for each block that ignores case, spaces and punctuation. */
export function blockHashes({ blocks, wordings }: Pick<MainText, "blocks" | "wordings">): Uint32Array {
  const hashes = new Uint32Array(blocks.length);
  for (let at = 0; at < blocks.length; at += 1) hashes[at] = hashOf(blocks[at]!, wordings[at]!);
  return hashes;
}

function hashOf(block: string, wording: Wording): number {
  wording.hash ??= hashLetters(block.toLowerCase());
  return wording.hash;
}

function hashLetters(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isLetterOrDigit(code)) hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash >>> 0;
}

/**
 * Letters and digits; for other scripts, everything but the common ranges of spaces and punctuation. A regular
 * expression takes ten times as long.
 */
const isLetterOrDigit = (code: number) =>
  code < 0x80
    ? (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
    : code > 0xbf && (code < 0x2000 || code > 0x206f) && (code < 0x3000 || code > 0x303f);

/** How many pages of one template contain a block. */
export interface BlockPageCount {
  /** Pages with the block. */
  readonly pages: number;
  /** All pages of the template. */
  readonly templatePages: number;
}

const MIN_PAGES = 5;
const MIN_PAGE_SHARE = 0.2;

/** Both limits are needed: five pages may quote one another, but a fifth of all pages of a template do not. */
export const isSiteBoilerplate = ({ pages, templatePages }: BlockPageCount): boolean =>
  pages >= MIN_PAGES && pages >= MIN_PAGE_SHARE * templatePages;

/** Pages counted per template. This is enough to find blocks that a fifth of them share; more only takes memory. */
const MAX_COUNTED_PAGES = 400;

/** Sorted hashes of the blocks that are repeated among pages of one template. */
export function repeatedBlocks(pages: Iterable<{ readonly template: string; readonly blocks: Uint32Array }>): Uint32Array {
  const templates = new Map<string, { templatePages: number; blockCounts: Map<number, number> }>();
  for (const { template, blocks } of pages) {
    const stats = templates.get(template) ?? { templatePages: 0, blockCounts: new Map<number, number>() };
    templates.set(template, stats);
    if (stats.templatePages === MAX_COUNTED_PAGES) continue;
    stats.templatePages += 1;
    for (const block of new Set(blocks)) stats.blockCounts.set(block, (stats.blockCounts.get(block) ?? 0) + 1);
  }
  const repeated = new Set<number>();
  for (const { templatePages, blockCounts } of templates.values())
    for (const [block, times] of blockCounts) if (isSiteBoilerplate({ pages: times, templatePages })) repeated.add(block);
  return Uint32Array.from(repeated).sort();
}

/** Longer blocks are articles: they are on many pages because many URLs show the same article. */
const MAX_BLOCK_LENGTH = 1000;
/** A run of repeated blocks shorter than this is kept: a single word on all pages ("Ingredients") is a heading for what follows. */
const MIN_RUN_LENGTH = 25;

/** The text without repeated blocks. A page that would lose more than half of its text keeps all of it. */
export function withoutRepeated(main: MainText, isRepeated: (hash: number) => boolean): MainText {
  if (!repeatedFlags(main, isRepeated).includes(true)) return main;
  const fullBlocks = cutPage(main.root).blocks;
  const texts = { blocks: fullBlocks.map(({ text }) => text), wordings: fullBlocks.map(({ wording }) => wording) };
  const isRemoved = repeatedFlags(texts, isRepeated);
  keepLists(fullBlocks, isRemoved);
  keepTables(fullBlocks, isRemoved);
  keepHeadings(fullBlocks, isRemoved);
  const isKept = (at: number) => !isRemoved[at];
  const keptTexts = new Set(texts.blocks.filter((_, at) => isKept(at)));
  const isDropped = repeatedFlags(main, isRepeated).map((isRepeatedBlock, at) => isRepeatedBlock && !keptTexts.has(main.blocks[at]!));
  const blocks = main.blocks.filter((_, at) => !isDropped[at]);
  if (!isRemoved.includes(true) || lengthOf(blocks) * 2 < lengthOf(main.blocks)) return main;
  const wordings = main.wordings.filter((_, at) => !isDropped[at]);
  const field = { ...main.field, value: blocks.join("\n") };
  return new LazyMainText({ field, blocks, wordings }, () =>
    prunedTree(main.root, fullBlocks, { isKept, wholeElements: wholesIn(fullBlocks, isKept) }),
  );
}

const lists = new Set(["ol", "ul", "menu", "dl", "table"]);
/** A longer block is not a list item, but a box laid out with a list or table. */
const MAX_ITEM_LENGTH = 200;

/**
 * Agendas, recipes and forms have items in common, but each list is complete only with all of them. So if one item is
 * unique to the page, or if the list is numbered, all its items stay, unless the list consists of links.
 */
function keepLists(blocks: readonly Block[], isRemoved: boolean[]): void {
  const blocksByList = new Map<HtmlElement, number[]>();
  blocks.forEach(({ box }, at) => {
    for (let up: Box | undefined = box; up !== undefined; up = up.parent) {
      if (!lists.has(up.element.name) || up.element.hasTable) continue;
      const known = blocksByList.get(up.element);
      if (known) known.push(at);
      else blocksByList.set(up.element, [at]);
    }
  });
  for (const [{ name }, places] of blocksByList) {
    const items = places.map((at) => blocks[at]!);
    if (items.some(({ text }) => text.length > MAX_ITEM_LENGTH)) continue;
    const chars = items.reduce((sum, { text }) => sum + text.length, 0);
    const isMostlyLinks = items.reduce((sum, { linkChars }) => sum + linkChars, 0) * 2 > chars;
    const hasUniqueItem = places.some((at) => !isRemoved[at]) || name === "ol";
    if (hasUniqueItem && !isMostlyLinks) for (const at of places) isRemoved[at] = false;
  }
}

/** A table of values is kept if its section has unique text: the same type and default are given for many parameters. */
function keepTables(blocks: readonly Block[], isRemoved: boolean[]): void {
  for (const table of tablesIn(blocks)) {
    const { first, blocks: size } = table;
    const [from, to] = sectionAround(blocks, table);
    for (let at = from; at < to; at += 1) if (!isRemoved[at]) isRemoved.fill(false, first, first + size);
  }
}

function tablesIn(blocks: readonly Block[]): Set<Box> {
  const found = new Set<Box>();
  for (const { box } of blocks)
    for (let up: Box | undefined = box; up !== undefined; up = up.parent)
      if (up.element.name === "table" && !up.element.hasTable && up.linkChars * 2 <= up.chars && hasColumns(up.element)) found.add(up);
  return found;
}

/** From the heading above a box to the next heading below it, within the enclosing box. */
function sectionAround(blocks: readonly Block[], box: Box): [from: number, to: number] {
  const outer = outerOf(box);
  let from = box.first;
  while (from > outer.first && rankOf(blocks[from]!) === undefined) from -= 1;
  let to = box.first + box.blocks;
  while (to < outer.first + outer.blocks && rankOf(blocks[to]!) === undefined) to += 1;
  return [from, to];
}

/** Keeps headings that all pages of a manual have ("Configuration parameters") if something below them is kept. */
function keepHeadings(blocks: readonly Block[], isRemoved: boolean[]): void {
  blocks.forEach((block, at) => {
    const rank = isRemoved[at] ? rankOf(block) : undefined;
    if (rank === undefined) return;
    const { first, blocks: size } = outerOf(headingOf(block)!);
    for (let next = at + 1; next < first + size; next += 1) {
      const other = rankOf(blocks[next]!);
      if (other !== undefined && other <= rank) return;
      if (other === undefined && !isRemoved[next]) isRemoved[at] = false;
    }
  });
}

function repeatedFlags(texts: Pick<MainText, "blocks" | "wordings">, isRepeated: (hash: number) => boolean): boolean[] {
  const { blocks } = texts;
  const hashes = blockHashes(texts);
  const isDropped = blocks.map((block, at) => block.length <= MAX_BLOCK_LENGTH && isRepeated(hashes[at]!));
  for (let from = 0; from < isDropped.length; ) {
    let to = from;
    let chars = 0;
    while (to < isDropped.length && isDropped[to] === isDropped[from]) chars += blocks[to++]!.length;
    if (isDropped[from] && chars < MIN_RUN_LENGTH) isDropped.fill(false, from, to);
    from = to;
  }
  return isDropped;
}

const lengthOf = (blocks: readonly string[]) => blocks.reduce((sum, block) => sum + block.length, 0);
