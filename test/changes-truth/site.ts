import type { PageAnswer } from "../site/index.ts";

/** One request for a page: what may differ without anybody having edited anything is drawn from it. */
export interface Look {
  readonly path: string;
  /** Weeks since the first run, from 1. */
  readonly run: number;
  /** The day of the run: a week for each. */
  readonly day: Date;
  /** Counts all requests the site has ever answered. */
  readonly request: number;
  /** Numbers that differ at every request, in every run, and never for a page. */
  readonly roll: (below: number) => number;
  readonly weekly: (below: number) => number;
  readonly own: (below: number) => number;
}

/** Something people did to a site before a run. */
export interface Edit {
  readonly what: string;
  /** Pages that must be told. */
  readonly on: readonly string[];
  /** Pages that may be told as well, such as lists that show a headline which was reworded. */
  readonly also?: readonly string[];
  /** Words that what is told of one of the pages must hold. */
  readonly says?: string;
  /** Only the head of the page changed. */
  readonly isHead?: true;
}

export interface TruthSite {
  readonly name: string;
  readonly noises: readonly string[];
  page(look: Look): PageAnswer | undefined;
  /** Edits the site before a run, and says what was done. */
  edit(run: number): readonly Edit[];
}

/** Numbers from a seed, the same each time. */
export function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
  };
}

const sumOf = (text: string): number => [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7);

const WEEK = 7 * 86_400_000;

export function lookAt(path: string, run: number, request: number, seed: number): Look {
  const own = sumOf(path) + seed;
  return {
    path,
    run,
    day: new Date(Date.UTC(2026, 2, 2, 9, request % 60, request % 53) + (run - 1) * WEEK),
    request,
    roll: dice(request * 104_729 + own),
    weekly: dice(run * 7919 + own),
    own: dice(own),
  };
}

export const pick = <T>(items: readonly T[], draw: (below: number) => number): T => items[draw(items.length)]!;

export function several<T>(items: readonly T[], count: number, draw: (below: number) => number): T[] {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(draw(left.length), 1)[0]!);
}

const WORDS =
  "river bridge council garden school road winter summer budget plan meeting market harvest stone mill path water light record story library museum station hill forest harbour tower square lane bakery".split(
    " ",
  );
const VERBS = "opens closes renews keeps repairs shows plans builds visits invites supports reviews explains changes welcomes".split(" ");

/** A sentence somebody could have written. */
export function sentence(draw: (below: number) => number): string {
  const word = () => pick(WORDS, draw);
  const middle = [`with the ${word()} of the ${word()}`, `before the ${word()} and the ${word()}`, `near the old ${word()}`][draw(3)];
  return `The ${word()} ${pick(VERBS, draw)} the ${word()} ${middle} for the people of the ${word()}.`;
}

export const paragraphs = (count: number, draw: (below: number) => number): string[] =>
  Array.from({ length: count }, () => Array.from({ length: 2 + draw(3) }, () => sentence(draw)).join(" "));

export const NAMES =
  "Anna Berger,Boris Klein,Clara Voss,Dmitri Orlow,Elena Rossi,Franz Huber,Greta Lind,Hugo Martin,Irma Novak,Jonas Weber,Katya Iwanowa,Luis Ortega,Mara Stein,Nils Holm,Olga Petrova,Paul Durand,Rosa Conti,Sven Berg".split(
    ",",
  );
