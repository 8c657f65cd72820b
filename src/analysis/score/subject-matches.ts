import type { Entry, NameIndex } from "./name-index.ts";
import { isSame, variationOf } from "./variation.ts";
import type { Vectors } from "./vectors.ts";

/** A subject that a word names, and how well, 0–1; 1 is the keyword itself. */
export interface SubjectMatch {
  readonly subject: number;
  worth: number;
}

/** Factor for an inflected form of a name. */
const FORM_FACTOR = 0.9;
/** Factors for a name that is part of a word: a long name is hardly there by chance. */
const PIECE_FACTORS = { short: 0.65, long: 0.9 };
const MIN_LONG_NAME = 8;
/**
 * Shortest name that counts as part of a word, and shortest rest of the word; shorter ones match too many words. Outside Latin script one
 * character carries more meaning.
 */
const MIN_PIECE = { ours: 5, others: 2 };
const MIN_REST = { ours: 3, others: 1 };
const LATIN_END = 0x250;
/** A word with nearly the same meaning counts like an unlisted name: from the first likeness on, fully from the second. */
const [MIN_LIKENESS, FULL_LIKENESS, LIKENESS_FACTOR] = [0.45, 0.75, 0.6];

export interface WordMeaning {
  readonly word: string;
  /** Its index among the vectors. */
  readonly vectorIndex: number | undefined;
  readonly likenesses: readonly number[] | undefined;
}

/** The subjects that a word names; undefined for most words. */
export function subjectMatchesOf(meaning: WordMeaning, index: NameIndex, vectors: Vectors | undefined): SubjectMatch[] | undefined {
  const { word, vectorIndex, likenesses } = meaning;
  let matches: SubjectMatch[] | undefined;
  const add = (subject: number, worth: number): void => {
    if (worth <= 0) return;
    const known = matches?.find((match) => match.subject === subject);
    if (known) known.worth = Math.max(known.worth, worth);
    else {
      matches ??= [];
      matches.push({ subject, worth });
    }
  };
  for (const entry of index.withSameStart(word))
    if (entry.term.length === 1) add(entry.subject, entry.worth * nameMatchOf(meaning, entry, vectors));
  if (vectorIndex === undefined) {
    for (const { subject, term, worth } of index.withSameEnd(word))
      if (word.endsWith(term[0]!)) add(subject, worth * partMatchOf(word, term[0]!));
  }
  if (likenesses) {
    for (let subject = 0; subject < likenesses.length; subject++) {
      const likeness = likenesses[subject]!;
      if (likeness > MIN_LIKENESS) add(subject, LIKENESS_FACTOR * Math.min(1, (likeness - MIN_LIKENESS) / (FULL_LIKENESS - MIN_LIKENESS)));
    }
  }
  return matches;
}

function nameMatchOf({ word, vectorIndex }: WordMeaning, { term }: Entry, vectors: Vectors | undefined): number {
  const name = term[0]!;
  if (isSame(word, name)) return 1;
  const form = FORM_FACTOR * variationOf(word, name);
  if (vectorIndex === undefined) return Math.max(form, word.startsWith(name) ? partMatchOf(word, name) : 0);
  const nameVectorIndex = form > 0 ? vectors!.find(name) : undefined;
  if (nameVectorIndex === undefined) return form;
  // Forms with a common stem may differ in meaning: a documentary is no documentation.
  const likeness = vectors!.likeness(vectorIndex, vectors!.directionAt(nameVectorIndex));
  return form * Math.min(1, Math.max(0.2, 2 * likeness - 0.2));
}

/** An unknown long word may be a compound, as in German or in host names. */
function partMatchOf(word: string, name: string): number {
  const script = word.charCodeAt(0) < LATIN_END ? "ours" : "others";
  if (name.length < MIN_PIECE[script] || word.length - name.length < MIN_REST[script]) return 0;
  return name.length < MIN_LONG_NAME ? PIECE_FACTORS.short : PIECE_FACTORS.long;
}
