import type { Entry, NameIndex } from "./name-index.ts";
import { isSame, variation } from "./variation.ts";
import type { Vectors } from "./vectors.ts";

/** A subject that a word names, and how well, 0–1: 1 is the word itself. */
export interface Naming {
  readonly subject: number;
  worth: number;
}

/** What a form of another name counts of it. */
const FORM = 0.9;
/** What a name counts that is a piece of a word: a long one is there by no chance. */
const PIECE = { short: 0.65, long: 0.9 };
const LONG = 8;
/** Shorter names are in too many words, and so are those that leave little over. Scripts that are not ours say more with a character. */
const LEAST_PIECE = { ours: 5, others: 2 };
const LEAST_REST = { ours: 3, others: 1 };
const OURS_END = 0x250;
/** A word that means nearly the same is as good as a name that nobody listed, from this likeness to that. */
const [HARDLY, NEARLY, AS_NAME] = [0.45, 0.75, 0.6];

export interface WordMeant {
  readonly word: string;
  /** Its place among the vectors. */
  readonly place: number | undefined;
  readonly likenesses: readonly number[] | undefined;
}

/** What a word names; undefined for most. */
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
  // Forms of one word may have gone apart: a documentary is no documentation.
  const likeness = vectors!.likeness(place, vectors!.directionAt(there));
  return form * Math.min(1, Math.max(0.2, 2 * likeness - 0.2));
}

/** A long word that nobody knows may be made of two, as German words and the names of hosts are. */
function pieceOf(word: string, name: string): number {
  const script = word.charCodeAt(0) < OURS_END ? "ours" : "others";
  if (name.length < LEAST_PIECE[script] || word.length - name.length < LEAST_REST[script]) return 0;
  return name.length < LONG ? PIECE.short : PIECE.long;
}
