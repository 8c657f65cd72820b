import { wordsOf } from "./words.ts";

/** Words of one subject: terms in `same` are synonyms, terms in `near` are related. */
export interface Concept {
  readonly synonyms: readonly Term[];
  readonly related: readonly Term[];
}

/** A word or a phrase, case-folded and without accents. */
export type Term = readonly string[];

/** Reads the concept file: one concept a line, `same, same ~ near, near`. */
export function parseConcepts(text: string): Concept[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [synonyms = "", related = ""] = line.split("~");
      return { synonyms: termsOf(synonyms), related: termsOf(related) };
    });
}

const termsOf = (list: string): Term[] =>
  list
    .split(",")
    .map(wordsOf)
    .filter((term) => term.length > 0);
