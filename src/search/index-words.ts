import { withFewMarks } from "../code-units.ts";
import { POINTS, UNSPACED } from "./unspaced.ts";

/** Further words of a longer page do not find it. */
export const MOST_TEXT = 1_000_000;

/** Wide and narrow forms (U+FF00 to U+FFEF) are the same letters. NUL would end the text. */
const NEEDS_CARE = new RegExp(`[\\0${POINTS}${UNSPACED}\\uff00-\\uffef]`, "u");
const POINT = new RegExp(`[${POINTS}]`, "gu");
const RUN = new RegExp(`[${UNSPACED}]+`, "gu");

/**
 * A text with spaces between its words. A run of a script that writes none becomes its pairs of characters, and its last one alone: 東京都 is
 * 東京 京都 都, so that 京都 is a word of it and 都 the beginning of one.
 */
export function words(text: string): string {
  if (!NEEDS_CARE.test(text)) return text;
  return withFewMarks(text.replaceAll("\0", " ")).normalize("NFKC").replace(POINT, "").replace(RUN, paired);
}

function paired(run: string): string {
  const characters = Array.from(run);
  return ` ${characters.map((character, at) => character + (characters[at + 1] ?? "")).join(" ")} `;
}

const ALONE = new RegExp(`^[${UNSPACED}]$`, "u");

/** What is looked for, in the words of the index. The last character of a run begins a pair, if the text goes on there. */
export function wordsLookedFor(text: string): { readonly words: string; readonly goesOn: boolean } {
  const all = words(text).trimEnd().split(" ");
  const [before = "", last = ""] = all.slice(-2);
  if (!ALONE.test(all.at(-1)!)) return { words: all.join(" "), goesOn: false };
  const isInPair = all.length > 1 && before.length > last.length && before.endsWith(last);
  return isInPair ? { words: all.slice(0, -1).join(" "), goesOn: false } : { words: all.join(" "), goesOn: true };
}
