import type { Concept, Term } from "./concepts.ts";
import { isSame } from "./variation.ts";
import { type Direction, type Vectors, weightedDirection } from "./vectors.ts";

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

const SYNONYM_WORTH = 0.8;
const RELATED_WORTH = 0.5;
/** Worth of the concept's first name for a keyword that is only related to the concept. */
const BROADER_WORTH = 0.4;

export function subjectOf(term: Term, concepts: readonly Concept[], vectors: Vectors | undefined): Subject {
  const names = namesOf(term, concepts);
  return { term, names, direction: vectors && subjectDirection(term, names, vectors) };
}

const isSameTerm = (a: Term, b: Term): boolean => a.length === b.length && a.every((word, at) => isSame(word, b[at]!));

function namesOf(term: Term, concepts: readonly Concept[]): Name[] {
  const names = new Map<string, Name>();
  const add = (other: Term, worth: number): void => {
    const key = other.join(" ");
    // A part of the keyword is not a name of the whole keyword.
    if (!other.every((word) => term.some((own) => isSame(word, own))) && (names.get(key)?.worth ?? 0) < worth)
      names.set(key, { term: other, worth });
  };
  for (const { synonyms, related } of concepts) {
    if (synonyms.some((other) => isSameTerm(other, term))) {
      for (const other of synonyms) add(other, SYNONYM_WORTH);
      for (const other of related) add(other, RELATED_WORTH);
    } else if (related.some((other) => isSameTerm(other, term))) add(synonyms[0]!, BROADER_WORTH);
  }
  return [...names.values()];
}

/**
 * The direction of a subject: the keyword counts as much as all synonyms together, and those twice as much as all related terms. The
 * synonyms select the meant sense of an ambiguous word.
 */
function subjectDirection(term: Term, names: readonly Name[], vectors: Vectors): Direction | undefined {
  const own = directionOf(term, vectors);
  const others = (worth: number) => names.filter((name) => name.worth === worth).flatMap((name) => directionOf(name.term, vectors) ?? []);
  const [synonyms, related] = [others(SYNONYM_WORTH), others(RELATED_WORTH)];
  return weightedDirection([
    ...(own ? [[own, 1] as const] : []),
    ...synonyms.map((direction) => [direction, 1 / synonyms.length] as const),
    ...related.map((direction) => [direction, 0.5 / related.length] as const),
  ]);
}

function directionOf(term: Term, vectors: Vectors): Direction | undefined {
  const indexes = term.map((word) => vectors.find(word));
  if (indexes.some((index) => index === undefined)) return undefined;
  return weightedDirection(indexes.map((index) => [vectors.directionAt(index!), 1]));
}
