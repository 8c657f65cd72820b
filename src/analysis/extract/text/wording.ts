/** Properties of a text that depend only on its letters and words. */
import { countLetters, type LetterCounts, wordsOfUnspaced } from "./letters.ts";
import { phrasesIn } from "./phrases.ts";

export interface Wording extends LetterCounts {
  /** A bitmask of the kinds of phrases. */
  readonly phrases: number;
  readonly endsSentence: boolean;
  /** Computed on demand: never for texts that are not kept. */
  hash: number | undefined;
}

export function wordingsOf(texts: readonly string[]): Wording[] {
  return countLetters(texts).map(({ words, unspaced, commas, stops, digits, capitals }, at) => {
    const text = texts[at]!;
    return {
      words,
      unspaced,
      commas,
      stops,
      digits,
      capitals,
      phrases: phrasesIn(text),
      endsSentence: endsSentence(text),
      hash: undefined,
    };
  });
}

const sentenceEnd = /[.!?:。！？।۔]["'”’»)\]]?$/;

/** Most texts on a page end with a letter, so the regular expression is skipped for them. */
const endsSentence = (text: string): boolean => !isPlainLetter(text.charCodeAt(text.length - 1)) && sentenceEnd.test(text.slice(-3));

const isPlainLetter = (code: number) => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);

/** The word count of consecutive blocks, as if they were one text. */
export function wordsIn(wordings: readonly Wording[]): number {
  let words = 0;
  let unspaced = 0;
  for (const wording of wordings) {
    words += wording.words - wordsOfUnspaced(wording.unspaced);
    unspaced += wording.unspaced;
  }
  return words + wordsOfUnspaced(unspaced);
}
