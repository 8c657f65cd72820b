/** Word-level differences between two versions, line by line. */
import { hunksBetween } from "../../core/alignment.ts";

export interface Part {
  readonly text: string;
  readonly isChanged: boolean;
}

export type Line = readonly Part[];

export interface WordDiff {
  readonly removed: readonly Line[];
  readonly added: readonly Line[];
}

/** Texts with less in common than this are treated as different texts: marking almost every word would not help. */
const MIN_COMMON_SHARE = 0.25;

const words = new Intl.Segmenter(undefined, { granularity: "word" });
const tokensOf = (line: string): string[] => [...words.segment(line)].map(({ segment }) => segment);
const isBlank = (token: string) => token.trim() === "";

/** Lines are compared as one text: a sentence that moved to another line has not changed. */
export function wordDiff(removed: readonly string[], added: readonly string[]): WordDiff {
  const [before, now] = [removed.map(tokensOf), added.map(tokensOf)];
  const [a, b] = [before.flat(), now.flat()];
  const [otherA, otherB] = [new Set<number>(), new Set<number>()];
  for (const { from, to } of hunksBetween(a, b)) {
    for (let at = from[0]; at < from[1]; at++) otherA.add(at);
    for (let at = to[0]; at < to[1]; at++) otherB.add(at);
  }
  const isSimilar = commonShare(a, otherA) >= MIN_COMMON_SHARE && commonShare(b, otherB) >= MIN_COMMON_SHARE;
  return { removed: markParts(before, isSimilar ? otherA : new Set()), added: markParts(now, isSimilar ? otherB : new Set()) };
}

function commonShare(tokens: readonly string[], others: ReadonlySet<number>): number {
  const letters = (some: readonly string[]) => some.reduce((sum, token) => sum + token.trim().length, 0);
  const all = letters(tokens);
  return all === 0 ? 0 : letters(tokens.filter((_, at) => !others.has(at))) / all;
}

/** Joins adjacent differing words, including the blanks between them. */
function markParts(lines: readonly (readonly string[])[], others: ReadonlySet<number>): Line[] {
  let first = 0;
  return lines.map((tokens) => {
    const parts: Part[] = [];
    for (const [at, text] of tokens.entries()) {
      const place = first + at;
      const isBetween = isBlank(text) && others.has(place - 1) && others.has(place + 1) && at > 0 && at < tokens.length - 1;
      const isChanged = isBetween || (others.has(place) && !isBlank(text));
      const last = parts.at(-1);
      if (last?.isChanged === isChanged) parts[parts.length - 1] = { text: last.text + text, isChanged };
      else parts.push({ text, isChanged });
    }
    first += tokens.length;
    return parts;
  });
}
