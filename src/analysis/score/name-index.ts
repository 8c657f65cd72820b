import type { Name, Subject } from "./subject.ts";

/** A name of a subject. */
export interface Entry extends Name {
  readonly subject: number;
}

export interface NameIndex {
  /** Names that begin with the same characters: the word, a form of it, or a phrase starting with it may be among them. */
  withSameStart(word: string): readonly Entry[];
  /** Names of one word that end with the same characters. */
  withSameEnd(word: string): readonly Entry[];
}

const NO_ENTRIES: readonly Entry[] = [];
const SHIFT = 2 ** 16;

/** A glossary asks about every word it meets, so only a few names may be compared with each. */
export function indexNames(subjects: readonly Subject[]): NameIndex {
  const entries = subjects
    .flatMap(({ term, names }, subject): Entry[] => [{ subject, term, worth: 1 }, ...names.map((name) => ({ subject, ...name }))])
    .filter(({ term }) => term.length > 0);
  const starts = groupBy(entries, ({ term }) => startOf(term[0]!));
  const ends = groupBy(
    entries.filter(({ term }) => term.length === 1),
    ({ term }) => endOf(term[0]!),
  );
  return {
    withSameStart: (word) => starts.get(startOf(word)) ?? NO_ENTRIES,
    withSameEnd: (word) => ends.get(endOf(word)) ?? NO_ENTRIES,
  };
}

/** Two characters as a number: a faster map key than a substring. */
const startOf = (word: string): number => word.charCodeAt(0) * SHIFT + (word.length > 1 ? word.charCodeAt(1) : 0);
const endOf = (word: string): number => word.charCodeAt(word.length - 1) * SHIFT + (word.length > 1 ? word.charCodeAt(word.length - 2) : 0);

function groupBy(entries: readonly Entry[], keyOf: (entry: Entry) => number): Map<number, Entry[]> {
  const groups = new Map<number, Entry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}
