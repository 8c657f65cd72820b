import type { Concept, Term } from "./concepts.ts";
import { isSame } from "./variation.ts";
import { type Direction, towards, type Vectors } from "./vectors.ts";

/** What links are matched with: a keyword, or one word of a keyword with several. */
export interface Subject {
  readonly term: Term;
  /** Its synonyms and related terms. */
  readonly names: readonly Name[];
  /** Its direction in the vector space; undefined if none of its words is known. */
  readonly direction: Direction | undefined;
}

export interface Name {
  readonly term: Term;
  /** How strongly the name indicates the subject, 0–1. */
  readonly worth: number;
}

const SAME = 0.8;
const NEAR = 0.5;
/** Worth of the concept's first name for a keyword that is only related to the concept. */
const PART_OF = 0.4;

export function subjectOf(term: Term, concepts: readonly Concept[], vectors: Vectors | undefined): Subject {
  const names = namesOf(term, concepts);
  return { term, names, direction: vectors && aim(term, names, vectors) };
}

const isTerm = (a: Term, b: Term): boolean => a.length === b.length && a.every((word, at) => isSame(word, b[at]!));

function namesOf(term: Term, concepts: readonly Concept[]): Name[] {
  const names = new Map<string, Name>();
  const add = (other: Term, worth: number): void => {
    const key = other.join(" ");
    // A part of the keyword is not a name of the whole keyword.
    if (!other.every((word) => term.some((own) => isSame(word, own))) && (names.get(key)?.worth ?? 0) < worth)
      names.set(key, { term: other, worth });
  };
  for (const { same, near } of concepts) {
    if (same.some((other) => isTerm(other, term))) {
      for (const other of same) add(other, SAME);
      for (const other of near) add(other, NEAR);
    } else if (near.some((other) => isTerm(other, term))) add(same[0]!, PART_OF);
  }
  return [...names.values()];
}

/**
 * The direction of a subject: the keyword counts as much as all synonyms together, and those twice as much as all related terms. The
 * synonyms select the meant sense of an ambiguous word.
 */
function aim(term: Term, names: readonly Name[], vectors: Vectors): Direction | undefined {
  const own = directionOf(term, vectors);
  const others = (worth: number) => names.filter((name) => name.worth === worth).flatMap((name) => directionOf(name.term, vectors) ?? []);
  const [same, near] = [others(SAME), others(NEAR)];
  return towards([
    ...(own ? [[own, 1] as const] : []),
    ...same.map((direction) => [direction, 1 / same.length] as const),
    ...near.map((direction) => [direction, 0.5 / near.length] as const),
  ]);
}

function directionOf(term: Term, vectors: Vectors): Direction | undefined {
  const places = term.map((word) => vectors.find(word));
  if (places.some((place) => place === undefined)) return undefined;
  return towards(places.map((place) => [vectors.directionAt(place!), 1]));
}
