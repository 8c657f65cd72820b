import { wordsLookedFor } from "./index-words.ts";
import { LETTER } from "./unspaced.ts";

/** A word, or several that stand next to each other. */
export interface Term {
  /** As it was typed. */
  readonly text: string;
  /** In the words of the index. */
  readonly words: string;
  /** Whether the last word may go on. */
  readonly isBeginning: boolean;
}

export interface Query {
  /** All of these. */
  readonly wanted: readonly Term[];
  /** None of these. */
  readonly unwanted: readonly Term[];
}

/** Longer queries are not typed by people; and the index has its limits. */
const MOST_CHARACTERS = 1000;
const MOST_TERMS = 64;

const QUOTE = '"“”„‟«»';
const PART = new RegExp(`(-?)(?:[${QUOTE}]([^${QUOTE}]*)[${QUOTE}]?|([^\\s${QUOTE}]+))(\\*?)`, "gu");
const HAS_LETTER = new RegExp(`[${LETTER}]`, "u");

/** Words, "phrases", -without and begin*: whatever else is typed is taken for words. Undefined where it is too much to look for. */
export function readQuery(typed: string): Query | undefined {
  if (typed.length > MOST_CHARACTERS) return undefined;
  const [wanted, unwanted]: [Term[], Term[]] = [[], []];
  for (const [, minus, phrase, word, star] of typed.matchAll(PART)) {
    const text = (phrase ?? word!).replaceAll("\0", " ").trim();
    if (!HAS_LETTER.test(text)) continue;
    const { words, goesOn } = wordsLookedFor(text.replace(/\*+$/, ""));
    (minus ? unwanted : wanted).push({ text, words, isBeginning: goesOn || star === "*" || text.endsWith("*") });
  }
  return wanted.length + unwanted.length > MOST_TERMS ? undefined : { wanted, unwanted };
}
