import type { Entry, NameIndex } from "./name-index.ts";
import { isSame, variation } from "./variation.ts";
import type { Vectors } from "./vectors.ts";

/** A subject that a word names, and how well, 0–1; 1 is the keyword itself. */
export interface Naming {
  readonly subject: number;
  worth: number;
}

/** Factor for an inflected form of a name. */
const FORM = 0.9;
/** Factors for a name that is part of a word: a long name is hardly there by chance. */
const PIECE = { short: 0.65, long: 0.9 };
const LONG = 8;
/**
 * Shortest name that counts as part of a word, and shortest rest of the word; shorter ones match too many words. Outside Latin script one
 * character carries more meaning.
 */
const LEAST_PIECE = { ours: 5, others: 2 };
const LEAST_REST = { ours: 3, others: 1 };
const OURS_END = 0x250;
/** A word with nearly the same meaning counts like an unlisted name: from the first likeness on, fully from the second. */
const [HARDLY, NEARLY, AS_NAME] = [0.45, 0.75, 0.6];

export interface WordMeant {
  readonly word: string;
  /** Its index among the vectors. */
  readonly place: number | undefined;
  readonly likenesses: readonly number[] | undefined;
}

/** The subjects that a word names; undefined for most words. */
export function namingsOf(meant: WordMeant, index: NameIndex, vectors: Vectors | undefined): Naming[] | undefined {
  const { word, place, likenesses } = meant;
  let namings: Naming[] | undefined;
  const add = (subject: number, worth: number): void => {
    if (worth <= 0) return;
    const known = namings?.find((naming) => naming.subject === subject);
    if (known) known.worth = Math.max(known.worth, worth);
    else {
      namings ??= [];
      namings.push({ subject, worth });
    }
  };
  for (const entry of index.beginningLike(word))
    if (entry.term.length === 1) add(entry.subject, entry.worth * likeOf(meant, entry, vectors));
  if (place === undefined) {
    for (const { subject, term, worth } of index.endingLike(word))
      if (word.endsWith(term[0]!)) add(subject, worth * pieceOf(word, term[0]!));
  }
  if (likenesses) {
    for (let subject = 0; subject < likenesses.length; subject++) {
      const likeness = likenesses[subject]!;
      if (likeness > HARDLY) add(subject, AS_NAME * Math.min(1, (likeness - HARDLY) / (NEARLY - HARDLY)));
    }
  }
  return namings;
}

function likeOf({ word, place }: WordMeant, { term }: Entry, vectors: Vectors | undefined): number {
  const name = term[0]!;
  if (isSame(word, name)) return 1;
  const form = FORM * variation(word, name);
  if (place === undefined) return Math.max(form, word.startsWith(name) ? pieceOf(word, name) : 0);
  const there = form > 0 ? vectors!.find(name) : undefined;
  if (there === undefined) return form;
  // Forms with a common stem may differ in meaning: a documentary is no documentation.
  const likeness = vectors!.likeness(place, vectors!.directionAt(there));
  return form * Math.min(1, Math.max(0.2, 2 * likeness - 0.2));
}

/** An unknown long word may be a compound, as in German or in host names. */
function pieceOf(word: string, name: string): number {
  const script = word.charCodeAt(0) < OURS_END ? "ours" : "others";
  if (name.length < LEAST_PIECE[script] || word.length - name.length < LEAST_REST[script]) return 0;
  return name.length < LONG ? PIECE.short : PIECE.long;
}
