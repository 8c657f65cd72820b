/** The main text of a page: it is cut into blocks, each block gets a probability from its signs, and the likeliest are kept. */

import type { MetaCandidate, MetaField } from "../../core/records.ts";
import { cut, type HtmlElement } from "../parse/index.ts";
import type { PageView } from "./page-view.ts";
import { articleBodyInstead } from "./text/article-body.ts";
import { blockProbabilities } from "./text/block-probabilities.ts";
import { type Block, type Box, cutPage } from "./text/blocks.ts";
import { classicText } from "./text/classic.ts";
import { keepRelated } from "./text/keep-related.ts";
import { FAR } from "./text/mark-distances.ts";
import { placeOf } from "./text/marks.ts";
import { prunedTree } from "./text/prune.ts";
import { choice } from "./text/select.ts";
import { visibleBlocks } from "./text/visible-blocks.ts";
import { type Wording, wordingsOf } from "./text/wording.ts";
import { nothing } from "./weigh.ts";

export interface MainText {
  readonly field: MetaField<string>;
  /** The texts of its blocks in order. Their hashes tell which are repeated on the site. */
  readonly blocks: readonly string[];
  /** Letter and word counts of each block. */
  readonly wordings: readonly Wording[];
  /** The same as a tree without all other elements, for Markdown. */
  readonly root: HtmlElement;
}

/**
 * Builds the tree on first use. A class, because an object literal with a getter gets its own hidden class in V8's old
 * generation, which holds the getter and so would move the whole page to the old generation.
 */
export class LazyMainText implements MainText {
  readonly field: MainText["field"];
  readonly blocks: MainText["blocks"];
  readonly wordings: MainText["wordings"];
  readonly #buildRoot: () => HtmlElement;
  #root: HtmlElement | undefined;

  constructor({ field, blocks, wordings }: Omit<MainText, "root">, buildTree: () => HtmlElement) {
    this.field = field;
    this.blocks = blocks;
    this.wordings = wordings;
    this.#buildRoot = buildTree;
  }

  get root(): HtmlElement {
    this.#root ??= this.#buildRoot();
    return this.#root;
  }
}

/** Characters kept of a rejected part, enough to recognise it. */
const MAX_SHOWN_LENGTH = 200;

export function mainTextOf(page: PageView, cascade: "weighed" | "classic"): MainText {
  return cascade === "classic" ? shortened(classicText(page)) : weighedText(page);
}

function weighedText(page: PageView): MainText {
  const pageCut = cutPage(page.root);
  const probabilities = blockProbabilities(page, pageCut);
  const { least, expectedF1: promise } = choice(pageCut.blocks, probabilities);
  const isLikely = (at: number) => probabilities[at]! >= least;
  // Technical documentation has many blocks too short to be judged alone: "See also", names of options, rows of a table.
  const keptOfManual = pageCut.blocks.some((block, at) => isCode(block) && isLikely(at))
    ? keepRelated(pageCut, probabilities, least)
    : undefined;
  const isKept = keptOfManual?.isKept ?? isLikely;
  const chosen = pageCut.blocks.filter((_, at) => isKept(at));
  const kept = visibleBlocks(chosen, page.hidden);
  const blocks = kept.map(({ text }) => text);
  const articleBody = articleBodyInstead(page.items, lengthOf(blocks));
  if (articleBody) return articleBodyText(articleBody, blocks);
  const field = kept.length === 0 ? { ...nothing, candidates: [] } : fieldOf(kept, pageCut.blocks, probabilities, promise);
  const wordings = kept.map(({ wording }) => wording);
  return new LazyMainText({ field, blocks, wordings }, () =>
    prunedTree(page.root, pageCut.blocks, keptOfManual ?? keepRelated(pageCut, probabilities, least)),
  );
}

const CODE = placeOf("codeTag");
const isCode = ({ markLevels: near }: Block) => near[CODE]! < FAR;

/** How often such article bodies agree with the visible text on pages that show one. */
const BODY_CONFIDENCE = 0.8;

function articleBodyText({ blocks, root }: { blocks: readonly string[]; root: HtmlElement }, visible: readonly string[]): MainText {
  const candidates =
    visible.length === 0 ? [] : [{ source: "blocks", value: shortText(visible.join("\n")), rejected: "much shorter than what is told" }];
  return {
    blocks,
    wordings: wordingsOf(blocks),
    root,
    field: { value: blocks.join("\n"), source: "jsonld:articleBody", confidence: BODY_CONFIDENCE, candidates },
  };
}

const lengthOf = (blocks: readonly string[]) => blocks.reduce((sum, block) => sum + block.length, 0);

function fieldOf(kept: readonly Block[], all: readonly Block[], probabilities: ArrayLike<number>, promise: number): MetaField<string> {
  return {
    value: kept.map(({ text }) => text).join("\n"),
    source: `blocks:${landmarkOf(kept)}`,
    confidence: Math.round(100 * promise) / 100,
    candidates: rejectedRuns(kept, all, probabilities),
  };
}

const landmarks = new Set(["article", "main", "section", "body"]);

/** The innermost landmark element around everything that is kept. */
function landmarkOf(kept: readonly Block[]): string {
  const ancestors = new Set<Box>();
  for (let box: Box | undefined = kept.at(-1)!.box; box !== undefined; box = box.parent) ancestors.add(box);
  for (let box: Box | undefined = kept[0]!.box; box !== undefined; box = box.parent)
    if (ancestors.has(box) && landmarks.has(box.element.name)) return box.element.name;
  return "body";
}

const MAX_CANDIDATES = 5;

/** The longest runs of blocks that were left out. */
function rejectedRuns(kept: readonly Block[], all: readonly Block[], probabilities: ArrayLike<number>): MetaCandidate<string>[] {
  const isKept = new Set(kept);
  const runs: { text: string; chars: number; best: number; box: Box }[] = [];
  let isOpen = false;
  all.forEach((block, at) => {
    if (isKept.has(block)) isOpen = false;
    else if (isOpen) {
      const run = runs.at(-1)!;
      run.chars += block.text.length;
      run.best = Math.max(run.best, probabilities[at]!);
      if (run.text.length < MAX_SHOWN_LENGTH) run.text += `\n${block.text.slice(0, MAX_SHOWN_LENGTH)}`;
    } else {
      runs.push({ text: block.text.slice(0, MAX_SHOWN_LENGTH), chars: block.text.length, best: probabilities[at]!, box: block.box });
      isOpen = true;
    }
  });
  return runs
    .sort((a, b) => b.chars - a.chars)
    .slice(0, MAX_CANDIDATES)
    .map(({ text, best, box }) => ({
      source: `blocks:${box.element.name}`,
      value: shortText(text),
      rejected: `${Math.round(100 * best)} % likely`,
    }));
}

function shortened(main: MainText): MainText {
  const candidates = main.field.candidates.map((candidate) => ({ ...candidate, value: shortText(candidate.value) }));
  return { ...main, field: { ...main.field, candidates } };
}

const shortText = (text: string) => cut(text, MAX_SHOWN_LENGTH);
