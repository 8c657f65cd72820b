/** What can be said of a text by its letters and words alone, wherever it stands. */
import { type Letters, lettersOf, wordsOfUnspaced } from "./letters.ts";
import { phrasesIn } from "./phrases.ts";

export interface Wording extends Letters {
  /** A bit for each kind of phrase. */
  readonly phrases: number;
  readonly endsSentence: boolean;
  /** Made when it is asked for: of texts that are not kept it never is. */
  hash: number | undefined;
}

export function wordingsOf(texts: readonly string[]): Wording[] {
  return lettersOf(texts).map(({ words, unspaced, commas, stops, digits, capitals }, at) => {
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

const end = /[.!?:。！？।۔]["'”’»)\]]?$/;

/** Most texts on a page end in a letter, and no sentence does. */
const endsSentence = (text: string): boolean => !isPlainLetter(text.charCodeAt(text.length - 1)) && end.test(text.slice(-3));

const isPlainLetter = (code: number) => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);

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
