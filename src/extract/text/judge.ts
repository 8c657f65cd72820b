/** The probability of each block to be main text. */
import type { HtmlElement } from "../../parse/index.ts";
import { openingOf } from "../element-text.ts";
import { forest } from "../learned/text.ts";
import type { PageView } from "../page-view.ts";
import type { Block, Cut } from "./blocks.ts";
import { Forest } from "./forest.ts";
import { keyOf } from "./looks.ts";
import { marksNamed, placeOf } from "./marks.ts";
import { asksConsent } from "./phrases.ts";
import { signNames } from "./sign-names.ts";
import { signsOf } from "./signs.ts";
import { smoothed } from "./smooth.ts";

/** Longer pages are books, endless lists, or hostile. Later blocks get the average of earlier ones that look alike. */
const MOST_JUDGED = 12_000;

let learned: Forest | undefined;

export function judgeBlocks(page: PageView, cut: Cut): Float32Array {
  learned ??= new Forest(forest, signNames);
  const blocks = cut.blocks.slice(0, MOST_JUDGED);
  const judged = smoothed(blocks, learned.judge(signsOf(page, { ...cut, blocks })));
  const chances = cut.blocks.length > blocks.length ? continued(cut.blocks, judged) : judged;
  cut.blocks.forEach((block, at) => {
    if (isConsentNotice(block)) chances[at] = 0;
  });
  return chances;
}

/** Blocks beyond the limit get the mean probability of judged blocks that look alike. */
function continued(blocks: readonly Block[], judged: Float32Array): Float32Array {
  const looks = new Map<number, { sum: number; count: number }>();
  judged.forEach((chance, at) => {
    const look = looks.get(keyOf(blocks[at]!)) ?? { sum: 0, count: 0 };
    looks.set(keyOf(blocks[at]!), { sum: look.sum + chance, count: look.count + 1 });
  });
  return Float32Array.from(blocks, (block, at) => {
    const look = looks.get(keyOf(block));
    return judged[at] ?? (look === undefined ? 0 : look.sum / look.count);
  });
}

const CONSENT = placeOf("consent");

/** A page may be about cookies. But a box with such a class or id that also asks for consent is never the main text. */
const isConsentNotice = ({ near, element, text }: Block) =>
  near[CONSENT]! < 4 && asksConsent(text) && !isNamedByHeading(outwards(element, near[CONSENT]!));

const outwards = (element: HtmlElement, levels: number): HtmlElement =>
  levels === 0 || !element.parent ? element : outwards(element.parent, levels - 1);

/**
 * Manuals give each section the words of its heading as an id (`<section id="cookies">`): such an id says nothing about
 * the purpose of the part.
 */
function isNamedByHeading({ attributes, children }: HtmlElement): boolean {
  const { id = "", class: classes = "" } = attributes;
  if (id === "" || ((marksNamed(classes) >> CONSENT) & 1) === 1) return false;
  const heading = children.find((child) => typeof child !== "string" && /^h[1-6]$/.test(child.name));
  return typeof heading === "object" && lettersOf(openingOf(heading, LONGEST_HEADING)) === lettersOf(id);
}

const LONGEST_HEADING = 200;
const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
