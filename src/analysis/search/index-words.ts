import { limitMarks } from "../../core/code-units.ts";
import { UNSPACED_SCRIPTS, VOWEL_POINT_RANGES } from "./unspaced.ts";

/** Text of a longer page beyond this length is not indexed. */
export const MAX_INDEXED_LENGTH = 1_000_000;

/** Full-width and half-width forms (U+FF00 to U+FFEF) are normalised. A NUL would end the text. */
const NEEDS_NORMALISING = new RegExp(`[\\0${VOWEL_POINT_RANGES}${UNSPACED_SCRIPTS}\\uff00-\\uffef]`, "u");
const VOWEL_POINTS = new RegExp(`[${VOWEL_POINT_RANGES}]`, "gu");
const UNSPACED_RUN = new RegExp(`[${UNSPACED_SCRIPTS}]+`, "gu");

/**
 * A text with spaces between its words. A run of a script without spaces becomes its overlapping pairs of characters, and its last
 * character alone: 東京都 is indexed as 東京 京都 都, so that 京都 is found as a word and 都 as a prefix.
 */
export function words(text: string): string {
  if (!NEEDS_NORMALISING.test(text)) return text;
  return limitMarks(text.replaceAll("\0", " ")).normalize("NFKC").replace(VOWEL_POINTS, "").replace(UNSPACED_RUN, overlappingPairs);
}

function overlappingPairs(run: string): string {
  const characters = Array.from(run);
  return ` ${characters.map((character, at) => character + (characters[at + 1] ?? "")).join(" ")} `;
}

const SINGLE_CHARACTER = new RegExp(`^[${UNSPACED_SCRIPTS}]$`, "u");

/** A search text in the form of the index. The last character of a run is a prefix of a pair if the text may continue there. */
export function queryWordsOf(text: string): { readonly words: string; readonly mayContinue: boolean } {
  const all = words(text).trimEnd().split(" ");
  const [before = "", last = ""] = all.slice(-2);
  if (!SINGLE_CHARACTER.test(all.at(-1)!)) return { words: all.join(" "), mayContinue: false };
  const isInPair = all.length > 1 && before.length > last.length && before.endsWith(last);
  return isInPair ? { words: all.slice(0, -1).join(" "), mayContinue: false } : { words: all.join(" "), mayContinue: true };
}
