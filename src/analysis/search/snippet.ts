import type { Query, Term } from "./query.ts";
import { type TokenOffsets, tokenOffsetsOf } from "./token-offsets.ts";

/** A part of a text, in one line. */
export interface Snippet {
  readonly text: string;
  /** Positions of the matches in `text`: start, and end (exclusive). */
  readonly matches: readonly (readonly [from: number, to: number])[];
}

/** Length of a snippet, and of the part of a long text that is searched for it. */
const MAX_WIDTH = 220;
const MAX_SEARCHED_LENGTH = 200_000;

interface Match {
  readonly from: number;
  readonly to: number;
  readonly term: number;
}

/** The part of a text with most of the query's words close together; its beginning if there are none. */
export function snippetOf(text: string, { wanted }: Query): Snippet {
  const start = text.slice(0, MAX_SEARCHED_LENGTH);
  const tokens = tokenOffsetsOf(start);
  const matches = matchesIn(tokens, wanted);
  const best = densestRange(matches);
  const { from, to } = windowAround(start, tokens, best);
  return cutSnippet(text, from, to, matches);
}

function matchesIn(tokens: TokenOffsets, terms: readonly Term[]): Match[] {
  const phrases = terms.map(({ text, isBeginning }) => ({ words: tokenOffsetsOf(text).words, isBeginning }));
  const found: Match[] = [];
  tokens.words.forEach((_, at) => {
    phrases.forEach(({ words, isBeginning }, term) => {
      if (phraseMatchesAt(tokens, at, words, isBeginning))
        found.push({ from: tokens.starts[at]!, to: tokens.ends[at + words.length - 1]!, term });
    });
  });
  return found;
}

function phraseMatchesAt({ words }: TokenOffsets, at: number, phrase: readonly string[], isBeginning: boolean): boolean {
  const last = phrase.length - 1;
  for (let next = 0; next <= last; next++) {
    const word = words[at + next];
    if (word !== phrase[next] && !(isBeginning && next === last && word?.startsWith(phrase[next]!))) return false;
  }
  return last >= 0;
}

/** The first stretch with the most different terms, and among those with the most matches. */
function densestRange(matches: readonly Match[]): { from: number; to: number } {
  const counts = new Map<number, number>();
  let [best, bestValue, left] = [{ from: 0, to: 0 }, 0, 0];
  for (const [at, { to, term }] of matches.entries()) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    for (; left < at && to - matches[left]!.from > MAX_WIDTH; left++) {
      const { term: leftTerm } = matches[left]!;
      if (counts.get(leftTerm) === 1) counts.delete(leftTerm);
      else counts.set(leftTerm, counts.get(leftTerm)! - 1);
    }
    const value = counts.size * MAX_WIDTH + (at - left);
    if (value > bestValue) [best, bestValue] = [{ from: matches[left]!.from, to }, value];
  }
  return best;
}

/** Places a third of the spare width before the match, and begins at a line or word. */
function windowAround(
  text: string,
  { starts, ends }: TokenOffsets,
  { from, to }: { from: number; to: number },
): { from: number; to: number } {
  const earliest = Math.max(0, from - Math.floor(Math.max(0, MAX_WIDTH - (to - from)) / 3));
  const line = text.indexOf("\n", Math.max(0, earliest - 1));
  const begin = earliest === 0 ? 0 : line >= 0 && line < from ? line + 1 : starts[firstAbove(starts, earliest - 1)]!;
  if (begin + MAX_WIDTH >= text.length) return { from: begin, to: text.length };
  const last = firstAbove(ends, begin + MAX_WIDTH) - 1;
  return { from: begin, to: Math.max(to, last < 0 || ends[last]! <= begin ? begin + MAX_WIDTH : ends[last]!) };
}

/** Binary search for the first number greater than the limit in an ascending list. */
function firstAbove(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

function cutSnippet(text: string, from: number, to: number, matches: readonly Match[]): Snippet {
  const ranges: [number, number][] = [];
  let output = from > 0 && text[from - 1] !== "\n" ? "…" : "";
  let position = from;
  const add = (until: number) => {
    const part = text.slice(position, until).replace(/\s+/g, " ");
    output += output === "" || output.endsWith(" ") ? part.trimStart() : part;
    position = until;
  };
  for (const match of matches) {
    if (match.from < position || match.to > to) continue;
    add(match.from);
    const start = output.length;
    add(match.to);
    ranges.push([start, output.length]);
  }
  add(to);
  return { text: `${output.trimEnd()}${to < text.length ? "…" : ""}`, matches: ranges };
}
