/** Detects the language of a text: by script where only one language uses it, else by function words. */
import { PrefixFilter } from "../prefix-filter.ts";
import { functionWords } from "./function-words.ts";
import { sharedCodeUnitsOf } from "./letter-codes.ts";

export interface Detected {
  readonly lang: string;
  /** 0–1: the lead over the second language, lower if few words were recognised. */
  readonly confidence: number;
  /** The share of the votes for a language. */
  readonly shareOf: (lang: string) => number;
}

/** Characters that are enough to distinguish all languages; more only costs time. */
const SAMPLE_LENGTH = 1500;
/** With fewer recognised words, or a smaller share of them, the result is less certain: lists of products and formulas have hardly any. */
const FULL_CONFIDENCE_WORDS = 20;
const FULL_CONFIDENCE_SHARE = 0.15;

/**
 * Unicode ranges that, to a good approximation, only one language uses: from, to, language. Scripts with several
 * languages are left to the function words.
 */
const exclusiveRanges: readonly (readonly [from: number, to: number, lang: string])[] = [
  [0x0370, 0x03ff, "el"],
  [0x0531, 0x058f, "hy"],
  [0x0590, 0x05ff, "he"],
  [0x0980, 0x09ff, "bn"],
  [0x0a00, 0x0a7f, "pa"],
  [0x0a80, 0x0aff, "gu"],
  [0x0b00, 0x0b7f, "or"],
  [0x0b80, 0x0bff, "ta"],
  [0x0c00, 0x0c7f, "te"],
  [0x0c80, 0x0cff, "kn"],
  [0x0d00, 0x0d7f, "ml"],
  [0x0d80, 0x0dff, "si"],
  [0x0e00, 0x0e7f, "th"],
  [0x0e80, 0x0eff, "lo"],
  [0x0f00, 0x0fff, "bo"],
  [0x1000, 0x109f, "my"],
  [0x10a0, 0x10ff, "ka"],
  [0x1100, 0x11ff, "ko"],
  [0x1200, 0x137f, "am"],
  [0x1780, 0x17ff, "km"],
  [0x3040, 0x30ff, "ja"],
  [0x3400, 0x9fff, "zh"],
  [0xac00, 0xd7af, "ko"],
];
const FIRST_EXCLUSIVE = 0x0370;

/** Undefined if no word is recognised. */
export function detectLanguage(text: string): Detected | undefined {
  const votes = new Map<string, number>();
  const vote = (lang: string, weight: number) => votes.set(lang, (votes.get(lang) ?? 0) + weight);
  const sample = text.slice(0, SAMPLE_LENGTH).toLowerCase();
  const { words, count } = /[^\0-\x7f]/.test(sample) ? wordsIn(sample) : asciiWordsIn(sample);
  let recognised = 0;
  for (const word of words) {
    const known = languagesOf.get(word);
    if (known) for (const lang of known) vote(lang, 1 / known.length);
    else if (word.charCodeAt(0) >= FIRST_EXCLUSIVE) voteByLetters(word, vote);
    else continue;
    recognised += 1;
  }
  if (votes.size === 0) return undefined;
  return resultOf(votes, Math.min(1, recognised / FULL_CONFIDENCE_WORDS) * Math.min(1, recognised / count / FULL_CONFIDENCE_SHARE));
}

interface Words {
  readonly words: readonly string[];
  readonly count: number;
}

function wordsIn(sample: string): Words {
  const words = sample.match(/[\p{L}\p{M}]{2,}/gu) ?? [];
  return { words, count: words.length };
}

/** For text in plain letters: returns only words that may be known, but counts all. */
function asciiWordsIn(sample: string): Words {
  const words: string[] = [];
  const codes = sharedCodeUnitsOf(sample);
  let count = 0;
  for (let at = 0; at < sample.length; at += 1) {
    if (!isLowerCaseLetter(codes[at]!)) continue;
    const start = at;
    while (at < sample.length && isLowerCaseLetter(codes[at]!)) at += 1;
    if (at - start < 2) continue;
    count += 1;
    if (prefixFilter.mayContain(codes, start, at)) words.push(sample.slice(start, at));
  }
  return { words, count };
}

const isLowerCaseLetter = (code: number) => code >= 0x61 && code <= 0x7a;

/** Chinese, Japanese and Thai write without spaces, so votes are counted by letter, with two letters to a word. */
function voteByLetters(word: string, vote: (lang: string, weight: number) => void): void {
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    const range = code < FIRST_EXCLUSIVE ? undefined : exclusiveRanges.find(([from, to]) => code >= from && code <= to);
    if (range) vote(range[2], 0.5);
  }
}

function resultOf(votes: Map<string, number>, certainty: number): Detected {
  mergeJapanese(votes);
  const ranked = [...votes].sort((a, b) => b[1] - a[1]);
  const total = ranked.reduce((sum, [, weight]) => sum + weight, 0);
  const [lang, topVotes] = ranked[0]!;
  const secondVotes = ranked[1]?.[1] ?? 0;
  return { lang, confidence: certainty * (1 - secondVotes / topVotes), shareOf: (one) => (votes.get(one) ?? 0) / total };
}

/** Japanese is written in kana and Chinese characters; Chinese has no kana. */
function mergeJapanese(votes: Map<string, number>): void {
  const kana = votes.get("ja") ?? 0;
  const han = votes.get("zh") ?? 0;
  if (kana === 0 || han === 0) return;
  if (kana > han / 10) {
    votes.set("ja", kana + han);
    votes.delete("zh");
  } else votes.delete("ja");
}

const languagesOf = new Map<string, string[]>();
for (const [lang, words] of Object.entries(functionWords)) {
  for (const word of new Set(words.split(" ").filter(({ length }) => length > 1))) {
    const known = languagesOf.get(word);
    if (known) known.push(lang);
    else languagesOf.set(word, [lang]);
  }
}
const prefixFilter = new PrefixFilter(languagesOf.keys());
