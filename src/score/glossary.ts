import { SERVING_WORD } from "./address.ts";
import { type Entry, indexNames } from "./name-index.ts";
import { type Naming, namingsOf } from "./naming.ts";
import type { Subject } from "./subject.ts";
import { isSame } from "./variation.ts";
import type { Vectors } from "./vectors.ts";
import { WordTable } from "./word-table.ts";
import { eachWord, type WordListener } from "./words.ts";

/** What a word says about the subjects. Most words name none, and very frequent words say nothing. */
export interface WordSight {
  readonly word: string;
  /** Whether in a URL it only says how the page is served. */
  readonly isServing: boolean;
  readonly names: readonly Naming[] | undefined;
  /** Likeness of meaning, −1–1 for each subject, weighted down for common words. */
  readonly means: readonly number[] | undefined;
  /** Names of several words that begin with it. */
  readonly phrases: readonly Entry[] | undefined;
}

/** Looks up words for the subjects of one scorer; each word is analysed once. */
export interface Glossary {
  readonly subjects: number;
  /** The words of a text in order. Returns the same array each time, valid until the next call. */
  look(text: string): Sights;
  /** The same for a plain path, without words that say how a page is served. */
  lookPath(path: string): Sights;
}

export interface Sights {
  readonly list: readonly WordSight[];
  /** Number of entries that belong to this text. */
  readonly count: number;
}

/** Ranks by frequency: words before the first have no meaning of their own; from the second on a word has full weight. */
const [SAYS_NOTHING, SAYS_ALL] = [60, 10_000];

export function openGlossary(subjects: readonly Subject[], vectors: Vectors | undefined): Glossary {
  const table = new WordTable(sightOf);
  const index = indexNames(subjects);
  const sights = { list: [] as WordSight[], count: 0 };
  const add = (sight: WordSight): void => {
    sights.list[sights.count++] = sight;
  };
  const inText: WordListener = {
    plain: (lower, start, end, hash) => add(table.at(lower, start, end, hash)),
    folded: (word) => add(table.of(word)),
  };
  const inPath: WordListener = {
    plain(lower, start, end, hash) {
      const sight = table.at(lower, start, end, hash);
      if (!sight.isServing) add(sight);
    },
    folded: inText.folded,
  };
  const look = (text: string, listener: WordListener): Sights => {
    sights.count = 0;
    eachWord(text, listener);
    return sights;
  };
  return {
    subjects: subjects.length,
    look: (text) => look(text, inText),
    lookPath: (path) => look(path, inPath),
  };

  function sightOf(word: string): WordSight {
    const place = vectors?.find(word);
    const likenesses = likenessesOf(word, place);
    const names = namingsOf({ word, place, likenesses }, index, vectors);
    const phrases = phrasesFrom(word, index.beginningLike(word));
    const isServing = SERVING_WORD.test(word);
    if (!likenesses) return { word, isServing, names, means: undefined, phrases };
    const weight = Math.min(1, Math.log(1 + place!) / Math.log(SAYS_ALL)) ** 2;
    for (let subject = 0; subject < likenesses.length; subject++) likenesses[subject] = weight * likenesses[subject]!;
    return { word, isServing, names, means: likenesses, phrases };
  }

  function likenessesOf(word: string, place: number | undefined): number[] | undefined {
    if (place === undefined || place < SAYS_NOTHING || word.length < 3) return undefined;
    const likenesses: number[] = [];
    for (const { direction } of subjects) likenesses.push(direction ? vectors!.likeness(place, direction) : 0);
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
