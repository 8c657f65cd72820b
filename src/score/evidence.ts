import type { Glossary } from "./glossary.ts";
import type { Entry } from "./name-index.ts";
import { isSame } from "./variation.ts";

/** What a text says about each subject. */
export interface Evidence {
  /** The best name of it that stands there, 0–1. */
  readonly names: readonly number[];
  /** What the text is about, as far as its words mean the same: the mean of the three nearest. */
  readonly themes: readonly number[];
}

export function gather(words: readonly string[], glossary: Glossary): Evidence {
  const count = glossary.subjects;
  const names = numbers(count, 0);
  // One word may be there by chance, and long texts have many: three are kept of each.
  const [first, second, third] = [numbers(count, LEAST), numbers(count, LEAST), numbers(count, LEAST)];
  let known = 0;
  for (let at = 0; at < words.length; at++) {
    const { names: named, means, phrases } = glossary.look(words[at]!);
    for (const { subject, worth } of named) if (worth > names[subject]!) names[subject] = worth;
    for (const phrase of phrases)
      if (phrase.worth > names[phrase.subject]! && stands(phrase, words, at)) names[phrase.subject] = phrase.worth;
    if (!means) continue;
    known++;
    for (let subject = 0; subject < count; subject++) {
      const value = means[subject]!;
      if (value <= third[subject]!) continue;
      if (value <= second[subject]!) third[subject] = value;
      else {
        third[subject] = second[subject]!;
        if (value <= first[subject]!) second[subject] = value;
        else {
          second[subject] = first[subject]!;
          first[subject] = value;
        }
      }
    }
  }
  if (known === 0) return { names, themes: numbers(count, 0) };
  const [withSecond, withThird, share] = [known > 1 ? 1 : 0, known > 2 ? 1 : 0, 1 / Math.min(known, 3)];
  return { names, themes: first.map((value, at) => (value + withSecond * second[at]! + withThird * third[at]!) * share) };
}

/** Below every likeness. */
const LEAST = -1.5;

const numbers = (count: number, value: number): number[] => new Array<number>(count).fill(value);

const stands = ({ term }: Entry, words: readonly string[], at: number): boolean =>
  at + term.length <= words.length && term.every((word, step) => isSame(words[at + step]!, word));

/** How often a text names each subject, each name for what it is worth. */
export function countNames(words: readonly string[], glossary: Glossary): number[] {
  const counts = numbers(glossary.subjects, 0);
  for (let at = 0; at < words.length; at++) {
    const { names, phrases } = glossary.look(words[at]!);
    for (const { subject, worth } of names) counts[subject] = counts[subject]! + worth;
    for (const phrase of phrases) if (stands(phrase, words, at)) counts[phrase.subject] = counts[phrase.subject]! + phrase.worth;
  }
  return counts;
}
