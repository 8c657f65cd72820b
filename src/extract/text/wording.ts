/** What can be said of a text by its letters and words alone, wherever it stands. */
import { byText } from "../by-text.ts";
import { type Letters, lettersOf, wordsOfUnspaced } from "./letters.ts";
import { phrasesIn } from "./phrases.ts";

export interface Wording extends Letters {
  /** A bit for each kind of phrase. */
  readonly phrases: number;
  readonly endsSentence: boolean;
}

export const wordingOf: (text: string) => Wording = byText((text) => {
  const { words, unspaced, commas, stops, digits, capitals } = lettersOf(text);
  return { words, unspaced, commas, stops, digits, capitals, phrases: phrasesIn(text), endsSentence: end.test(text.slice(-3)) };
});

const end = /[.!?:。！？।۔]["'”’»)\]]?$/;

/** The words of blocks that follow each other, counted as those of one text. */
export function wordsIn(blocks: readonly string[]): number {
  let words = 0;
  let unspaced = 0;
  for (const block of blocks) {
    const wording = wordingOf(block);
    words += wording.words - wordsOfUnspaced(wording.unspaced);
    unspaced += wording.unspaced;
  }
  return words + wordsOfUnspaced(unspaced);
}
