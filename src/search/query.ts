import { wordsLookedFor } from "./index-words.ts";
import { LETTER } from "./unspaced.ts";

/** A word, or several that stand next to each other. */
export interface Term {
  /** As it was typed, from its first letter to its last. */
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
const AFTER = new RegExp(`[^${LETTER}]+$`, "u");
const HAS_LETTER = new RegExp(`[${LETTER}]`, "u");

/** Words, "phrases", -without and begin*: whatever else is typed is taken for words. Undefined where it is too much to look for. */
export function readQuery(typed: string): Query | undefined {
  if (typed.length > MOST_CHARACTERS) return undefined;
  const [wanted, unwanted]: [Term[], Term[]] = [[], []];
  for (const [, minus, phrase, word, star] of typed.matchAll(PART)) {
    const typedSo = (phrase ?? word!).trim();
    const text = typedSo.slice(typedSo.search(HAS_LETTER)).replace(AFTER, "");
    if (!HAS_LETTER.test(text)) continue;
    const { words, goesOn } = wordsLookedFor(text);
    (minus ? unwanted : wanted).push({ text, words, isBeginning: goesOn || star === "*" || typedSo.endsWith("*") });
  }
  return wanted.length + unwanted.length > MOST_TERMS ? undefined : { wanted, unwanted };
}
