import { type Entry, indexNames } from "./name-index.ts";
import type { Subject } from "./subject.ts";
import { type SubjectMatch, subjectMatchesOf } from "./subject-matches.ts";
import { URL_FILLER_WORD } from "./url-words.ts";
import { isSame } from "./variation.ts";
import type { Vectors } from "./vectors.ts";
import { WordTable } from "./word-table.ts";
import { forEachWord, type WordListener } from "./words.ts";

/** What a word says about the subjects. Most words name none, and very frequent words say nothing. */
export interface WordInfo {
  readonly word: string;
  /** Whether in a URL it only says how the page is served. */
  readonly isUrlFiller: boolean;
  readonly names: readonly SubjectMatch[] | undefined;
  /** Likeness of meaning, −1–1 for each subject, weighted down for common words. */
  readonly likenesses: readonly number[] | undefined;
  /** Names of several words that begin with it. */
  readonly phrases: readonly Entry[] | undefined;
}

/** Looks up words for the subjects of one scorer; each word is analysed once. */
export interface Glossary {
  readonly subjects: number;
  /** The words of a text in order. Returns the same array each time, valid until the next call. */
  lookUp(text: string): WordList;
  /** The same for a plain path, without words that say how a page is served. */
  lookUpPath(path: string): WordList;
}

export interface WordList {
  readonly list: readonly WordInfo[];
  /** Number of entries that belong to this text. */
  readonly count: number;
}

/** Ranks by frequency: words before the first have no meaning of their own; from the second on a word has full weight. */
const [FIRST_MEANINGFUL_RANK, FULL_WEIGHT_RANK] = [60, 10_000];

export function openGlossary(subjects: readonly Subject[], vectors: Vectors | undefined): Glossary {
  const table = new WordTable(analyseWord);
  const index = indexNames(subjects);
  const wordList = { list: [] as WordInfo[], count: 0 };
  const add = (wordInfo: WordInfo): void => {
    wordList.list[wordList.count++] = wordInfo;
  };
  const inText: WordListener = {
    plain: (lower, start, end, hash) => add(table.at(lower, start, end, hash)),
    folded: (word) => add(table.of(word)),
  };
  const inPath: WordListener = {
    plain(lower, start, end, hash) {
      const wordInfo = table.at(lower, start, end, hash);
      if (!wordInfo.isUrlFiller) add(wordInfo);
    },
    folded: inText.folded,
  };
  const lookUp = (text: string, listener: WordListener): WordList => {
    wordList.count = 0;
    forEachWord(text, listener);
    return wordList;
  };
  return {
    subjects: subjects.length,
    lookUp: (text) => lookUp(text, inText),
    lookUpPath: (path) => lookUp(path, inPath),
  };

  function analyseWord(word: string): WordInfo {
    const vectorIndex = vectors?.find(word);
    const likenesses = likenessesOf(word, vectorIndex);
    const names = subjectMatchesOf({ word, vectorIndex, likenesses }, index, vectors);
    const phrases = phrasesFrom(word, index.withSameStart(word));
    const isUrlFiller = URL_FILLER_WORD.test(word);
    if (!likenesses) return { word, isUrlFiller, names, likenesses: undefined, phrases };
    const weight = Math.min(1, Math.log(1 + vectorIndex!) / Math.log(FULL_WEIGHT_RANK)) ** 2;
    for (let subject = 0; subject < likenesses.length; subject++) likenesses[subject] = weight * likenesses[subject]!;
    return { word, isUrlFiller, names, likenesses: likenesses, phrases };
  }

  function likenessesOf(word: string, vectorIndex: number | undefined): number[] | undefined {
    if (vectorIndex === undefined || vectorIndex < FIRST_MEANINGFUL_RANK || word.length < 3) return undefined;
    const likenesses: number[] = [];
    for (const { direction } of subjects) likenesses.push(direction ? vectors!.likeness(vectorIndex, direction) : 0);
    return likenesses;
  }
}

function phrasesFrom(word: string, like: readonly Entry[]): Entry[] | undefined {
  let phrases: Entry[] | undefined;
  for (const entry of like) {
    if (entry.term.length === 1 || !isSame(entry.term[0]!, word)) continue;
    phrases ??= [];
    phrases.push(entry);
  }
  return phrases;
}
