import { withFewMarks } from "../code-units.ts";
import { POINTS, UNSPACED } from "./unspaced.ts";

/** Text of a longer page beyond this length is not indexed. */
export const MOST_TEXT = 1_000_000;

/** Full-width and half-width forms (U+FF00 to U+FFEF) are normalised. A NUL would end the text. */
const NEEDS_CARE = new RegExp(`[\\0${POINTS}${UNSPACED}\\uff00-\\uffef]`, "u");
const POINT = new RegExp(`[${POINTS}]`, "gu");
const RUN = new RegExp(`[${UNSPACED}]+`, "gu");

/**
 * A text with spaces between its words. A run of a script without spaces becomes its overlapping pairs of characters, and its last
 * character alone: 東京都 is indexed as 東京 京都 都, so that 京都 is found as a word and 都 as a prefix.
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

/** A search text in the form of the index. The last character of a run is a prefix of a pair if the text may continue there. */
export function wordsLookedFor(text: string): { readonly words: string; readonly goesOn: boolean } {
  const all = words(text).trimEnd().split(" ");
  const [before = "", last = ""] = all.slice(-2);
  if (!ALONE.test(all.at(-1)!)) return { words: all.join(" "), goesOn: false };
  const isInPair = all.length > 1 && before.length > last.length && before.endsWith(last);
  return isInPair ? { words: all.slice(0, -1).join(" "), goesOn: false } : { words: all.join(" "), goesOn: true };
}
