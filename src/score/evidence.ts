import type { Glossary } from "./glossary.ts";
import type { Entry } from "./name-index.ts";
import { isSame } from "./variation.ts";

/** What a text says about each subject. */
export interface Evidence {
  /** The best name of it that stands there, 0–1. */
  readonly names: readonly number[];
  /** What the text is about, as far as its words mean the same: the mean of the three nearest. */
  readonly themes: readonly number[];
  /** How many of its words mean something to us. */
  readonly known: number;
}

/** Below every likeness. */
const LEAST = -2;
/** One word may be there by chance, and long texts have many. */
const NEAREST = 3;

/** Used over and over: a text is gathered in one go. */
let scratch = new Float64Array(0);

export function gather(words: readonly string[], glossary: Glossary): Evidence {
  const count = glossary.subjects;
  const names = zeros(count);
  if (scratch.length < NEAREST * count) scratch = new Float64Array(NEAREST * count);
  const nearest = scratch.fill(LEAST);
  let known = 0;
  for (let at = 0; at < words.length; at++) {
    const { names: named, means, phrases } = glossary.look(words[at]!);
    if (named) for (const { subject, worth } of named) if (worth > names[subject]!) names[subject] = worth;
    if (phrases)
      for (const phrase of phrases)
        if (phrase.worth > names[phrase.subject]! && stands(phrase, words, at)) names[phrase.subject] = phrase.worth;
    if (!means) continue;
    known++;
    for (let subject = 0; subject < count; subject++) {
      const value = means[subject]!;
      if (value > nearest[subject]!) keep(nearest, subject, count, value);
    }
  }
  return { names, themes: themesOf(nearest, count, Math.min(known, NEAREST)), known };
}

/** Three rows: the lowest of the three first. */
function keep(nearest: Float64Array, subject: number, count: number, value: number): void {
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

function themesOf(nearest: Float64Array, count: number, kept: number): number[] {
  const themes = zeros(count);
  for (let row = NEAREST - kept; row < NEAREST; row++)
    for (let subject = 0; subject < count; subject++) themes[subject] = themes[subject]! + nearest[row * count + subject]! / kept;
  return themes;
}

/** How often a text names each subject, each name for what it is worth. */
export function countNames(words: readonly string[], glossary: Glossary): number[] {
  const counts = zeros(glossary.subjects);
  for (let at = 0; at < words.length; at++) {
    const { names, phrases } = glossary.look(words[at]!);
    for (const { subject, worth } of names ?? []) counts[subject] = counts[subject]! + worth;
    for (const phrase of phrases ?? []) if (stands(phrase, words, at)) counts[phrase.subject] = counts[phrase.subject]! + phrase.worth;
  }
  return counts;
}

function stands({ term }: Entry, words: readonly string[], at: number): boolean {
  if (at + term.length > words.length) return false;
  for (let step = 1; step < term.length; step++) if (!isSame(words[at + step]!, term[step]!)) return false;
  return true;
}

/** No typed array: there are thousands of them, and small plain ones are cheaper to make and to forget. */
const zeros = (count: number): number[] => new Array<number>(count).fill(0);
