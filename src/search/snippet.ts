import type { Query, Term } from "./query.ts";
import { type Units, unitsOf } from "./units.ts";

/** A part of a text, in one line. */
export interface Snippet {
  readonly text: string;
  /** Positions of the matches in `text`: start, and end (exclusive). */
  readonly matches: readonly (readonly [from: number, to: number])[];
}

/** Length of a snippet, and of the part of a long text that is searched for it. */
const WIDTH = 220;
const LOOKED_THROUGH = 200_000;

interface Match {
  readonly from: number;
  readonly to: number;
  readonly term: number;
}

/** The part of a text with most of the query's words close together; its beginning if there are none. */
export function snippetOf(text: string, { wanted }: Query): Snippet {
  const start = text.slice(0, LOOKED_THROUGH);
  const units = unitsOf(start);
  const matches = matchesIn(units, wanted);
  const best = densest(matches);
  const { from, to } = windowAround(start, units, best);
  return cutOut(text, from, to, matches);
}

function matchesIn(units: Units, terms: readonly Term[]): Match[] {
  const phrases = terms.map(({ text, isBeginning }) => ({ words: unitsOf(text).words, isBeginning }));
  const found: Match[] = [];
  units.words.forEach((_, at) => {
    phrases.forEach(({ words, isBeginning }, term) => {
      if (standsAt(units, at, words, isBeginning)) found.push({ from: units.starts[at]!, to: units.ends[at + words.length - 1]!, term });
    });
  });
  return found;
}

function standsAt({ words }: Units, at: number, phrase: readonly string[], isBeginning: boolean): boolean {
  const last = phrase.length - 1;
  for (let next = 0; next <= last; next++) {
    const word = words[at + next];
    if (word !== phrase[next] && !(isBeginning && next === last && word?.startsWith(phrase[next]!))) return false;
  }
  return last >= 0;
}

/** The first stretch with the most different terms, and among those with the most matches. */
function densest(matches: readonly Match[]): { from: number; to: number } {
  const counts = new Map<number, number>();
  let [best, bestWorth, left] = [{ from: 0, to: 0 }, 0, 0];
  for (const [at, { to, term }] of matches.entries()) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    for (; left < at && to - matches[left]!.from > WIDTH; left++) {
      const { term: gone } = matches[left]!;
      if (counts.get(gone) === 1) counts.delete(gone);
      else counts.set(gone, counts.get(gone)! - 1);
    }
    const worth = counts.size * WIDTH + (at - left);
    if (worth > bestWorth) [best, bestWorth] = [{ from: matches[left]!.from, to }, worth];
  }
  return best;
}

/** Places a third of the spare width before the match, and begins at a line or word. */
function windowAround(text: string, { starts, ends }: Units, { from, to }: { from: number; to: number }): { from: number; to: number } {
  const earliest = Math.max(0, from - Math.floor(Math.max(0, WIDTH - (to - from)) / 3));
  const line = text.indexOf("\n", Math.max(0, earliest - 1));
  const begin = earliest === 0 ? 0 : line >= 0 && line < from ? line + 1 : starts[firstAbove(starts, earliest - 1)]!;
  if (begin + WIDTH >= text.length) return { from: begin, to: text.length };
  const last = firstAbove(ends, begin + WIDTH) - 1;
  return { from: begin, to: Math.max(to, last < 0 || ends[last]! <= begin ? begin + WIDTH : ends[last]!) };
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

function cutOut(text: string, from: number, to: number, matches: readonly Match[]): Snippet {
  const places: [number, number][] = [];
  let shown = from > 0 && text[from - 1] !== "\n" ? "…" : "";
  let done = from;
  const add = (until: number) => {
    const part = text.slice(done, until).replace(/\s+/g, " ");
    shown += shown === "" || shown.endsWith(" ") ? part.trimStart() : part;
    done = until;
  };
  for (const match of matches) {
    if (match.from < done || match.to > to) continue;
    add(match.from);
    const start = shown.length;
    add(match.to);
    places.push([start, shown.length]);
  }
  add(to);
  return { text: `${shown.trimEnd()}${to < text.length ? "…" : ""}`, matches: places };
}
