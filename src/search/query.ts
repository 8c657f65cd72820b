import { wordsLookedFor } from "./index-words.ts";
import { LETTER } from "./unspaced.ts";

/** A word or a phrase. */
export interface Term {
  /** As typed, from its first letter to its last. */
  readonly text: string;
  /** In the form of the index. */
  readonly words: string;
  /** Whether the last word may be a prefix. */
  readonly isBeginning: boolean;
}

export interface Query {
  /** A page must match all of these. */
  readonly wanted: readonly Term[];
  /** A page must match none of these. */
  readonly unwanted: readonly Term[];
}

/** Nobody types longer queries, and the index has limits. */
const MOST_CHARACTERS = 1000;
const MOST_TERMS = 64;

const QUOTE = '"“”„‟«»';
const PART = new RegExp(`(-?)(?:[${QUOTE}]([^${QUOTE}]*)[${QUOTE}]?|([^\\s${QUOTE}]+))(\\*?)`, "gu");
const AFTER = new RegExp(`[^${LETTER}]+$`, "u");
const HAS_LETTER = new RegExp(`[${LETTER}]`, "u");

/** Parses words, "phrases", -exclusions and prefix*; everything else counts as words. Undefined if the query is too large. */
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
