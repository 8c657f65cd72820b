/** What can be said of a text by its letters and words alone, wherever it stands. */
import { byText } from "../by-text.ts";
import { type Letters, lettersOf, wordsOfUnspaced } from "./letters.ts";
import { phrasesIn } from "./phrases.ts";

export interface Wording extends Letters {
  /** A bit for each kind of phrase. */
  readonly phrases: number;
  readonly endsSentence: boolean;
  /** Made when it is asked for: of texts that are not kept it never is. */
  hash: number | undefined;
}

export const wordingOf: (text: string) => Wording = byText((text) => {
  const { words, unspaced, commas, stops, digits, capitals } = lettersOf(text);
  return {
    words,
    unspaced,
    commas,
    stops,
    digits,
    capitals,
    phrases: phrasesIn(text),
    endsSentence: end.test(text.slice(-3)),
    hash: undefined,
  };
});

const end = /[.!?:。！？।۔]["'”’»)\]]?$/;

/** The words of blocks that follow each other, counted as those of one text. */
export function wordsIn(wordings: readonly Wording[]): number {
  let words = 0;
  let unspaced = 0;
  for (const wording of wordings) {
    words += wording.words - wordsOfUnspaced(wording.unspaced);
    unspaced += wording.unspaced;
  }
  return words + wordsOfUnspaced(unspaced);
}
