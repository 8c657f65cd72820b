import { type Entry, indexNames } from "./name-index.ts";
import type { Subject } from "./subject.ts";
import { isSame, variation } from "./variation.ts";
import type { Vectors } from "./vectors.ts";

/** What a word says about the subjects. Most words say nothing by name, and those that stand everywhere nothing at all. */
export interface WordSight {
  /** Those it names, each with how well, 0–1: 1 is the word itself. */
  readonly names: readonly Naming[] | undefined;
  /** By what it means, -1–1 for each subject, the less the more common it is. */
  readonly means: readonly number[] | undefined;
  /** Names of several words that begin with it. */
  readonly phrases: readonly Entry[] | undefined;
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
/** What a name counts that is a piece of a word: a long one is there by no chance. */
const PIECE = { short: 0.65, long: 0.9 };
const LONG = 8;
/** What a form of another name counts of it. */
const FORM = 0.9;
/** The most frequent words mean nothing by themselves; from the other rank on a word says all it can. */
const [SAYS_NOTHING, SAYS_ALL] = [60, 10_000];
/** A word that means nearly the same is as good as a name that nobody listed, from this likeness to that. */
const [HARDLY, NEARLY, AS_NAME] = [0.45, 0.75, 0.6];

export function openGlossary(subjects: readonly Subject[], vectors: Vectors | undefined): Glossary {
  const memo = new Map<string, WordSight>();
  const index = indexNames(subjects);
  return {
    subjects: subjects.length,
    look(word) {
      const known = memo.get(word);
      if (known) return known;
      if (memo.size >= MOST_WORDS) memo.clear();
      const sight = sightOf(word);
      memo.set(word, sight);
      return sight;
    },
  };

  function sightOf(word: string): WordSight {
    const place = vectors?.find(word);
    const like = index.beginningLike(word);
    const likenesses = likenessesOf(word, place);
    const weight = Math.min(1, Math.log(1 + (place ?? 0)) / Math.log(SAYS_ALL)) ** 2;
    return {
      names: some(namings(word, place, like, likenesses)),
      means: likenesses?.map((likeness) => weight * likeness),
      phrases: some(like.filter(({ term }) => term.length > 1 && isSame(term[0]!, word))),
    };
  }

  function likenessesOf(word: string, place: number | undefined): number[] | undefined {
    if (place === undefined || place < SAYS_NOTHING || word.length < 3) return undefined;
    return subjects.map(({ direction }) => (direction ? vectors!.likeness(place, direction) : 0));
  }

  function namings(word: string, place: number | undefined, like: readonly Entry[], likenesses: readonly number[] | undefined): Naming[] {
    const best = new Map<number, number>();
    const add = (subject: number, worth: number): void => {
      if (worth > (best.get(subject) ?? 0)) best.set(subject, worth);
    };
    for (const { subject, term, worth } of like) {
      if (term.length > 1) continue;
      add(subject, worth * (isSame(word, term[0]!) ? 1 : FORM * formOf(word, term[0]!, place)));
    }
    // A long word that nobody knows may be made of two, as German words and the names of hosts are.
    if (place === undefined)
      for (const { subject, term, worth } of index.within(word)) add(subject, worth * (term[0]!.length < LONG ? PIECE.short : PIECE.long));
    for (const [subject, likeness] of (likenesses ?? []).entries())
      if (likeness > HARDLY) add(subject, AS_NAME * Math.min(1, (likeness - HARDLY) / (NEARLY - HARDLY)));
    return Array.from(best, ([subject, worth]) => ({ subject, worth }));
  }

  function formOf(word: string, other: string, place: number | undefined): number {
    const form = variation(word, other);
    const there = form > 0 && place !== undefined ? vectors!.find(other) : undefined;
    if (place === undefined || there === undefined) return form;
    // Forms of one word may have gone apart: a documentary is no documentation.
    const likeness = vectors!.likeness(place, vectors!.directionAt(there));
    return form * Math.min(1, Math.max(0.2, 2 * likeness - 0.2));
  }
}

const some = <Item>(items: readonly Item[]): readonly Item[] | undefined => (items.length > 0 ? items : undefined);
