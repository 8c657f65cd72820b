import type { Name, Subject } from "./subject.ts";

/** A name of a subject. */
export interface Entry extends Name {
  readonly subject: number;
}

export interface NameIndex {
  /** Those that may be the word or a form of it, or a phrase that begins with it. */
  beginningLike(word: string): readonly Entry[];
  /** Those of one word that the word begins or ends with. */
  within(word: string): readonly Entry[];
}

/** Shorter words are in too many others. Scripts that are not ours say more with a character. */
const LEAST_PIECE = { ours: 5, others: 2 };
const LEAST_REST = { ours: 3, others: 1 };
const LONGEST = 40;
const NONE: readonly Entry[] = [];

/** A glossary is asked about every word there is, so that nothing may be tried one by one. */
export function indexNames(subjects: readonly Subject[]): NameIndex {
  const entries = subjects.flatMap(({ term, names }, subject): Entry[] => [
    { subject, term, worth: 1 },
    ...names.map((name) => ({ subject, ...name })),
  ]);
  const starts = grouped(entries, ({ term }) => startOf(term[0] ?? ""));
  const singles = grouped(entries, ({ term }) => (term.length === 1 ? term[0]! : ""));
  singles.delete("");
  return {
    beginningLike: (word) => starts.get(startOf(word)) ?? NONE,
    within: (word) => piecesOf(word).flatMap((piece) => singles.get(piece) ?? NONE),
  };
}

const startOf = (word: string): string => word.slice(0, 2);

function piecesOf(word: string): string[] {
  const script = word.charCodeAt(0) < 0x250 ? "ours" : "others";
  const pieces: string[] = [];
  for (let size = LEAST_PIECE[script]; size <= Math.min(LONGEST, word.length - LEAST_REST[script]); size++)
    pieces.push(word.slice(0, size), word.slice(-size));
  return pieces;
}

function grouped(entries: readonly Entry[], keyOf: (entry: Entry) => string): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}
