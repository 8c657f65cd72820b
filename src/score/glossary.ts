import { type Entry, indexNames } from "./name-index.ts";
import type { Subject } from "./subject.ts";
import { isSame, variation } from "./variation.ts";
import type { Vectors } from "./vectors.ts";

/** What a word says about the subjects. */
export interface WordSight {
  /** Those it names, each with how well, 0–1: 1 is the word itself. Few words name any. */
  readonly names: readonly Naming[];
  /** By what it means, -1–1 for each subject, less for words that stand everywhere; undefined for a word that nobody knows. */
  readonly means: Float32Array | undefined;
  /** Names of several words that begin with it. */
  readonly phrases: readonly Entry[];
}

export interface Naming {
  readonly subject: number;
  readonly worth: number;
}

/** All that words say about the subjects of one scorer, looked up once each. */
export interface Glossary {
  readonly subjects: number;
  look(word: string): WordSight;
}

const MOST_WORDS = 50_000;
const PIECE = 0.65;
/** What a form of another name counts of it. */
const FORM = 0.9;
/** From this rank on a word says all it can. */
const SAYS_ALL = 10_000;

export function openGlossary(subjects: readonly Subject[], vectors: Vectors | undefined): Glossary {
  const memo = new Map<string, WordSight>();
  const index = indexNames(subjects);
  return {
    subjects: subjects.length,
    look(word) {
      let sight = memo.get(word);
      if (sight) return sight;
      if (memo.size >= MOST_WORDS) memo.clear();
      const place = vectors?.find(word);
      sight = { names: namings(word, place), means: meaning(word, place), phrases: phrasesFrom(word) };
      memo.set(word, sight);
      return sight;
    },
  };

  function namings(word: string, place: number | undefined): Naming[] {
    const best = new Map<number, number>();
    const add = ({ subject, worth }: Entry, form: number): void => {
      if (form * worth > (best.get(subject) ?? 0)) best.set(subject, form * worth);
    };
    for (const entry of index.beginningLike(word)) {
      if (entry.term.length > 1) continue;
      add(entry, isSame(word, entry.term[0]!) ? 1 : FORM * formOf(word, entry.term[0]!, place));
    }
    // A long word that nobody knows may be made of two, as German words and the names of hosts are.
    if (place === undefined) for (const entry of index.within(word)) add(entry, PIECE);
    return Array.from(best, ([subject, worth]) => ({ subject, worth }));
  }

  function formOf(word: string, other: string, place: number | undefined): number {
    const form = variation(word, other);
    const there = form > 0 && place !== undefined ? vectors!.find(other) : undefined;
    if (place === undefined || there === undefined) return form;
    // Forms of one word may have gone apart: a documentary is no documentation.
    return form * Math.min(1, Math.max(0.3, 0.5 + vectors!.likeness(place, vectors!.directionAt(there))));
  }

  function meaning(word: string, place: number | undefined): Float32Array | undefined {
    if (place === undefined || word.length < 3) return undefined;
    const weight = Math.min(1, Math.log(1 + place) / Math.log(SAYS_ALL)) ** 2;
    const means = new Float32Array(subjects.length);
    for (const [subject, { direction }] of subjects.entries()) if (direction) means[subject] = weight * vectors!.likeness(place, direction);
    return means;
  }

  function phrasesFrom(word: string): Entry[] {
    return index.beginningLike(word).filter(({ term }) => term.length > 1 && isSame(term[0]!, word));
  }
}
