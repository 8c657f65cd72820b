import type { Glossary, WordInfo, WordList } from "./glossary.ts";
import type { Entry } from "./name-index.ts";
import { isSame } from "./variation.ts";

/** Smaller than any likeness. */
const BELOW_ANY_LIKENESS = -2;
/** Number of nearest words that are averaged: one word may be close by chance, and long texts have many. */
const NEAREST_WORDS = 3;
/** Words in links of every page of a site: they name their target as clearly as two other words. */
const SITE_LINK_WORDS = new Set(
  "home homepage contact contacts about imprint impressum login logout search sitemap help privacy menu start back top kontakt startseite accueil inicio".split(
    " ",
  ),
);
/** Words of a link that say nothing about its target. */
const FILLER_WORDS = new Set(
  "download pdf doc docx xls xlsx csv file document documents more detail details read here click view open full see this that next show link page website learn continue information info version print the a an of and for to in on english deutsch mehr weiter lesen herunterladen hier ici plus lire suite voir télécharger aquí más leer descargar ver".split(
    " ",
  ),
);

/**
 * What texts say about each subject: one row of numbers per text, in one array. A page has hundreds of texts, and an object for each would
 * cost more to create and collect than its numbers.
 */
export class EvidenceTable {
  readonly #subjects: number;
  readonly #width: number;
  #numbers: Float64Array;
  /** The three nearest words of each subject, the lowest first; reused for each text. */
  readonly #nearest: Float64Array;

  constructor({ subjects }: Pick<Glossary, "subjects">) {
    this.#subjects = subjects;
    this.#width = 2 * subjects + 1;
    this.#numbers = new Float64Array(this.#width * 16);
    this.#nearest = new Float64Array(NEAREST_WORDS * subjects);
  }

  /** The best name of the subject in that text, 0–1. */
  name(row: number, subject: number): number {
    return this.#numbers[row * this.#width + subject]!;
  }

  /** How close the text is to the subject in meaning: the mean of its three nearest words. */
  theme(row: number, subject: number): number {
    return this.#numbers[row * this.#width + this.#subjects + subject]!;
  }

  /** Number of words that describe the target, instead of only pointing at it as "Download" does. */
  own(row: number): number {
    return this.#numbers[row * this.#width + 2 * this.#subjects]!;
  }

  /** Writes a row from the words of a text. */
  writeRow({ list, count }: WordList, row: number): void {
    const start = row * this.#width;
    this.#grow(start + this.#width);
    const numbers = this.#numbers.fill(0, start, start + this.#width);
    let [known, own] = [0, 0];
    for (let at = 0; at < count; at++) {
      const { names, likenesses, phrases, word } = list[at]!;
      if (!FILLER_WORDS.has(word)) own += SITE_LINK_WORDS.has(word) ? 2 : 1;
      if (names) for (const { subject, worth } of names) if (worth > numbers[start + subject]!) numbers[start + subject] = worth;
      if (phrases)
        for (const phrase of phrases)
          if (phrase.worth > numbers[start + phrase.subject]! && phraseMatchesAt(phrase, list, at, count))
            numbers[start + phrase.subject] = phrase.worth;
      if (!likenesses) continue;
      if (known++ === 0) this.#nearest.fill(BELOW_ANY_LIKENESS);
      this.#updateNearest(likenesses);
    }
    if (known > 0) this.#writeMeans(start + this.#subjects, Math.min(known, NEAREST_WORDS));
    numbers[start + 2 * this.#subjects] = own;
  }

  #grow(end: number): void {
    if (end <= this.#numbers.length) return;
    const larger = new Float64Array(2 * end);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  #updateNearest(likenesses: readonly number[]): void {
    const [count, nearest] = [this.#subjects, this.#nearest];
    for (let subject = 0; subject < count; subject++) {
      const value = likenesses[subject]!;
      if (value > nearest[subject]!) insertNearest(nearest, subject, count, value);
    }
  }

  #writeMeans(start: number, kept: number): void {
    const [count, nearest, numbers] = [this.#subjects, this.#nearest, this.#numbers];
    for (let row = NEAREST_WORDS - kept; row < NEAREST_WORDS; row++)
      for (let subject = 0; subject < count; subject++)
        numbers[start + subject] = numbers[start + subject]! + nearest[row * count + subject]! / kept;
  }
}

function insertNearest(nearest: Float64Array, subject: number, count: number, value: number): void {
  const [second, first] = [subject + count, subject + 2 * count];
  if (value <= nearest[second]!) {
    nearest[subject] = value;
    return;
  }
  nearest[subject] = nearest[second]!;
  if (value <= nearest[first]!) {
    nearest[second] = value;
    return;
  }
  nearest[second] = nearest[first]!;
  nearest[first] = value;
}

/** How often a text names each subject, weighted by the worth of each name. */
export function countNames({ list, count }: WordList, subjects: number): number[] {
  const counts = new Array<number>(subjects).fill(0);
  for (let at = 0; at < count; at++) {
    const { names, phrases } = list[at]!;
    if (names) for (const { subject, worth } of names) counts[subject] = counts[subject]! + worth;
    if (phrases)
      for (const phrase of phrases)
        if (phraseMatchesAt(phrase, list, at, count)) counts[phrase.subject] = counts[phrase.subject]! + phrase.worth;
  }
  return counts;
}

function phraseMatchesAt({ term }: Entry, words: readonly WordInfo[], at: number, count: number): boolean {
  if (at + term.length > count) return false;
  for (let step = 1; step < term.length; step++) if (!isSame(words[at + step]!.word, term[step]!)) return false;
  return true;
}
