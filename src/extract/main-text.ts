/** The main text of a page: it is cut into blocks, each block gets a probability from its signs, and the likeliest are kept. */
import { cut, type HtmlElement } from "../parse/index.ts";
import type { MetaCandidate, MetaField } from "../records.ts";
import type { PageView } from "./page-view.ts";
import { type Block, type Box, cutPage } from "./text/blocks.ts";
import { classicText } from "./text/classic.ts";
import { judgeBlocks } from "./text/judge.ts";
import { keptWith } from "./text/kept-with.ts";
import { placeOf } from "./text/marks.ts";
import { FAR } from "./text/nearness.ts";
import { pruned } from "./text/prune.ts";
import { seenBlocks } from "./text/seen.ts";
import { choice } from "./text/select.ts";
import { bodyInstead } from "./text/told-body.ts";
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
  readonly #cut: () => HtmlElement;
  #root: HtmlElement | undefined;

  constructor({ field, blocks, wordings }: Omit<MainText, "root">, cutOut: () => HtmlElement) {
    this.field = field;
    this.blocks = blocks;
    this.wordings = wordings;
    this.#cut = cutOut;
  }

  get root(): HtmlElement {
    this.#root ??= this.#cut();
    return this.#root;
  }
}

/** Characters kept of a rejected part, enough to recognise it. */
const SHOWN = 200;

export function mainTextOf(page: PageView, cascade: "weighed" | "classic"): MainText {
  return cascade === "classic" ? shortened(classicText(page)) : weighedText(page);
}

function weighedText(page: PageView): MainText {
  const whole = cutPage(page.root);
  const chances = judgeBlocks(page, whole);
  const { least, promise } = choice(whole.blocks, chances);
  const likely = (at: number) => chances[at]! >= least;
  // Technical documentation has many blocks too short to be judged alone: "See also", names of options, rows of a table.
  const manual = whole.blocks.some((block, at) => isCode(block) && likely(at)) ? keptWith(whole, chances, least) : undefined;
  const isKept = manual?.isKept ?? likely;
  const chosen = whole.blocks.filter((_, at) => isKept(at));
  const kept = seenBlocks(chosen, page.hidden);
  const blocks = kept.map(({ text }) => text);
  const told = bodyInstead(page.items, lengthOf(blocks));
  if (told) return toldText(told, blocks);
  const field = kept.length === 0 ? { ...nothing, candidates: [] } : fieldOf(kept, whole.blocks, chances, promise);
  const wordings = kept.map(({ wording }) => wording);
  return new LazyMainText({ field, blocks, wordings }, () => pruned(page.root, whole.blocks, manual ?? keptWith(whole, chances, least)));
}

const CODE = placeOf("codeTag");
const isCode = ({ near }: Block) => near[CODE]! < FAR;

/** How often such article bodies agree with the visible text on pages that show one. */
const TOLD = 0.8;

function toldText({ blocks, root }: { blocks: readonly string[]; root: HtmlElement }, visible: readonly string[]): MainText {
  const candidates =
    visible.length === 0 ? [] : [{ source: "blocks", value: shown(visible.join("\n")), rejected: "much shorter than what is told" }];
  return {
    blocks,
    wordings: wordingsOf(blocks),
    root,
    field: { value: blocks.join("\n"), source: "jsonld:articleBody", confidence: TOLD, candidates },
  };
}

const lengthOf = (blocks: readonly string[]) => blocks.reduce((sum, block) => sum + block.length, 0);

function fieldOf(kept: readonly Block[], all: readonly Block[], chances: ArrayLike<number>, promise: number): MetaField<string> {
  return {
    value: kept.map(({ text }) => text).join("\n"),
    source: `blocks:${landmarkOf(kept)}`,
    confidence: Math.round(100 * promise) / 100,
    candidates: leftOut(kept, all, chances),
  };
}

const landmarks = new Set(["article", "main", "section", "body"]);

/** The innermost landmark element around everything that is kept. */
function landmarkOf(kept: readonly Block[]): string {
  const around = new Set<Box>();
  for (let box: Box | undefined = kept.at(-1)!.box; box !== undefined; box = box.parent) around.add(box);
  for (let box: Box | undefined = kept[0]!.box; box !== undefined; box = box.parent)
    if (around.has(box) && landmarks.has(box.element.name)) return box.element.name;
  return "body";
}

const MOST_CANDIDATES = 5;

/** The longest runs of blocks that were left out. */
function leftOut(kept: readonly Block[], all: readonly Block[], chances: ArrayLike<number>): MetaCandidate<string>[] {
  const isKept = new Set(kept);
  const stretches: { text: string; chars: number; best: number; box: Box }[] = [];
  let isOpen = false;
  all.forEach((block, at) => {
    if (isKept.has(block)) isOpen = false;
    else if (isOpen) {
      const stretch = stretches.at(-1)!;
      stretch.chars += block.text.length;
      stretch.best = Math.max(stretch.best, chances[at]!);
      if (stretch.text.length < SHOWN) stretch.text += `\n${block.text.slice(0, SHOWN)}`;
    } else {
      stretches.push({ text: block.text.slice(0, SHOWN), chars: block.text.length, best: chances[at]!, box: block.box });
      isOpen = true;
    }
  });
  return stretches
    .sort((a, b) => b.chars - a.chars)
    .slice(0, MOST_CANDIDATES)
    .map(({ text, best, box }) => ({
      source: `blocks:${box.element.name}`,
      value: shown(text),
      rejected: `${Math.round(100 * best)} % likely`,
    }));
}

function shortened(main: MainText): MainText {
  const candidates = main.field.candidates.map((candidate) => ({ ...candidate, value: shown(candidate.value) }));
  return { ...main, field: { ...main.field, candidates } };
}

const shown = (text: string) => cut(text, SHOWN);
