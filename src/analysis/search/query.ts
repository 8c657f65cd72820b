import { queryWordsOf } from "./index-words.ts";
import { LETTER_CLASSES } from "./unspaced.ts";

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
const MAX_CHARACTERS = 1000;
const MAX_TERMS = 64;

const QUOTES = '"“”„‟«»';
const QUERY_PART = new RegExp(`(-?)(?:[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]?|([^\\s${QUOTES}]+))(\\*?)`, "gu");
const TRAILING_MARKS = new RegExp(`[^${LETTER_CLASSES}]+$`, "u");
const HAS_LETTER = new RegExp(`[${LETTER_CLASSES}]`, "u");

/** Parses words, "phrases", -exclusions and prefix*; everything else counts as words. Undefined if the query is too large. */
export function readQuery(typed: string): Query | undefined {
  if (typed.length > MAX_CHARACTERS) return undefined;
  const [wanted, unwanted]: [Term[], Term[]] = [[], []];
  for (const [, minus, phrase, word, star] of typed.matchAll(QUERY_PART)) {
    const typedTerm = (phrase ?? word!).trim();
    const text = typedTerm.slice(typedTerm.search(HAS_LETTER)).replace(TRAILING_MARKS, "");
    if (!HAS_LETTER.test(text)) continue;
    const { words, mayContinue } = queryWordsOf(text);
    (minus ? unwanted : wanted).push({ text, words, isBeginning: mayContinue || star === "*" || typedTerm.endsWith("*") });
  }
  return wanted.length + unwanted.length > MAX_TERMS ? undefined : { wanted, unwanted };
}
