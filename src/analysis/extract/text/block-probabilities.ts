/** The probability of each block to be main text. */
import type { HtmlElement } from "../../parse/index.ts";
import { openingOf } from "../element-text.ts";
import { forest } from "../learned/text.ts";
import type { PageView } from "../page-view.ts";
import type { Block, Cut } from "./blocks.ts";
import { Forest } from "./forest.ts";
import { marksOfNames, placeOf } from "./marks.ts";
import { asksConsent } from "./phrases.ts";
import { signNames } from "./sign-names.ts";
import { signsOf } from "./signs.ts";
import { smoothed } from "./smooth.ts";
import { styleKeyOf } from "./style-totals.ts";

/** Longer pages are books, endless lists, or hostile. Later blocks get the average of earlier ones that look alike. */
const MAX_JUDGED = 12_000;

let learned: Forest | undefined;

export function blockProbabilities(page: PageView, cut: Cut): Float32Array {
  learned ??= new Forest(forest, signNames);
  const blocks = cut.blocks.slice(0, MAX_JUDGED);
  const predicted = smoothed(blocks, learned.predict(signsOf(page, { ...cut, blocks })));
  const probabilities = cut.blocks.length > blocks.length ? extrapolated(cut.blocks, predicted) : predicted;
  cut.blocks.forEach((block, at) => {
    if (isConsentNotice(block)) probabilities[at] = 0;
  });
  return probabilities;
}

/** Blocks beyond the limit get the mean probability of judged blocks that look alike. */
function extrapolated(blocks: readonly Block[], predicted: Float32Array): Float32Array {
  const averages = new Map<number, { sum: number; count: number }>();
  predicted.forEach((probability, at) => {
    const average = averages.get(styleKeyOf(blocks[at]!)) ?? { sum: 0, count: 0 };
    averages.set(styleKeyOf(blocks[at]!), { sum: average.sum + probability, count: average.count + 1 });
  });
  return Float32Array.from(blocks, (block, at) => {
    const average = averages.get(styleKeyOf(block));
    return predicted[at] ?? (average === undefined ? 0 : average.sum / average.count);
  });
}

const CONSENT = placeOf("consent");

/** A page may be about cookies. But a box with such a class or id that also asks for consent is never the main text. */
const isConsentNotice = ({ markLevels: near, element, text }: Block) =>
  near[CONSENT]! < 4 && asksConsent(text) && !isNamedByHeading(ancestorAt(element, near[CONSENT]!));

const ancestorAt = (element: HtmlElement, levels: number): HtmlElement =>
  levels === 0 || !element.parent ? element : ancestorAt(element.parent, levels - 1);

/**
 * Manuals give each section the words of its heading as an id (`<section id="cookies">`): such an id says nothing about
 * the purpose of the part.
 */
function isNamedByHeading({ attributes, children }: HtmlElement): boolean {
  const { id = "", class: classes = "" } = attributes;
  if (id === "" || ((marksOfNames(classes) >> CONSENT) & 1) === 1) return false;
  const heading = children.find((child) => typeof child !== "string" && /^h[1-6]$/.test(child.name));
  return typeof heading === "object" && lettersOnly(openingOf(heading, MAX_HEADING_LENGTH)) === lettersOnly(id);
}

const MAX_HEADING_LENGTH = 200;
const lettersOnly = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
