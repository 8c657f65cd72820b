/** The part of a page it is about: cut into blocks, each judged by what speaks for and against it, and the likeliest kept. */
import { cut, type HtmlElement } from "../parse/index.ts";
import type { MetaCandidate, MetaField } from "../records.ts";
import type { PageView } from "./page-view.ts";
import { type Block, type Box, cutPage } from "./text/blocks.ts";
import { classicText } from "./text/classic.ts";
import { judgeBlocks } from "./text/judge.ts";
import { keptWith } from "./text/kept-with.ts";
import { pruned } from "./text/prune.ts";
import { seenBlocks } from "./text/seen.ts";
import { choice } from "./text/select.ts";
import { bodyInstead } from "./text/told-body.ts";
import { type Wording, wordingsOf } from "./text/wording.ts";
import { nothing } from "./weigh.ts";

export interface MainText {
  readonly field: MetaField<string>;
  /** Its blocks in order: what they say, and whether they stand on many pages is asked by their text. */
  readonly blocks: readonly string[];
  /** What can be said of each by its letters and words. */
  readonly wordings: readonly Wording[];
  /** The same as a tree without everything else, for Markdown. */
  readonly root: HtmlElement;
}

/**
 * Its tree is cut out when somebody asks for it. This is a class because an object written with a getter has a hidden class of its own, which lies in
 * V8's old generation and holds the getter: with it, the whole page would get there as well.
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

/** Enough of a part that lost to recognise it by. */
const SHOWN = 200;

export function mainTextOf(page: PageView, cascade: "weighed" | "classic"): MainText {
  return cascade === "classic" ? shortened(classicText(page)) : weighedText(page);
}

function weighedText(page: PageView): MainText {
  const whole = cutPage(page.root);
  const chances = judgeBlocks(page, whole);
  const { least, promise } = choice(whole.blocks, chances);
  const isKept = (at: number) => chances[at]! >= least;
  const chosen = whole.blocks.filter((_, at) => isKept(at));
  const kept = seenBlocks(chosen, page.hidden);
  const blocks = kept.map(({ text }) => text);
  const told = bodyInstead(page.items, lengthOf(blocks));
  if (told) return toldText(told, blocks);
  const field = kept.length === 0 ? { ...nothing, candidates: [] } : fieldOf(kept, whole.blocks, chances, promise);
  const wordings = kept.map(({ wording }) => wording);
  return new LazyMainText({ field, blocks, wordings }, () => pruned(page.root, whole.blocks, keptWith(whole, chances, least)));
}

/** As likely as such bodies agree with what pages show that show one. */
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

/** The innermost landmark around all that is kept. */
function landmarkOf(kept: readonly Block[]): string {
  const around = new Set<Box>();
  for (let box: Box | undefined = kept.at(-1)!.box; box !== undefined; box = box.parent) around.add(box);
  for (let box: Box | undefined = kept[0]!.box; box !== undefined; box = box.parent)
    if (around.has(box) && landmarks.has(box.element.name)) return box.element.name;
  return "body";
}

const MOST_CANDIDATES = 5;

/** The longest stretches of what was left out. */
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
