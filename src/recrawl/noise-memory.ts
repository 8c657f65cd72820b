import { hash } from "node:crypto";
import type { Place } from "./places.ts";

/** Statistics for one place on the pages of a template. */
export interface Sighting {
  /** Number of pages where it differed from the last run, and where it did not. */
  changed: number;
  stayed: number;
  /** Number of runs in which it differed. */
  runs: number;
  /** Number of second looks, moments after the first, at which it differed, and at which it did not. */
  moved: number;
  stood: number;
  /** Number of items seen there, and of those seen for the first time. */
  seen: number;
  fresh: number;
  longest: number;
  /** Number of items that replaced others there, and how many of those had been seen there before, on this page or another. */
  came: number;
  again: number;
  /** Forms of values, or numbers of blocks at once, each with its count. */
  readonly shapes: Map<string, number>;
  /** Items seen there, as hashes. */
  readonly pool: Set<number>;
  /** Some of the pages where it differed from the last run. */
  readonly pages: Set<number>;
}

const MOST_IN_POOL = 100;
/** Limit for places stored. */
const MOST_PLACES = 200;
/** Limit for places in memory: a real change has a place of its own, which is seen once. */
const MOST_HELD = 3000;

/** Fewer pages or runs than this are no evidence: a single page that always changes may exist for that content. */
const FEWEST_PAGES = 3;
const FEWEST_RUNS = 2;
/**
 * Evidence for words: changed in this many runs without exception, with the same new text on several pages each time. Text written by
 * people does not behave so.
 */
const RUNS_OF_WORDS = 3;
const PAGES_ALIKE = 5;

type Packed = [key: string, numbers: number[], shapes: [string, number][], pool: number[], pages: number[]];

/** What was seen of the places of a template, before a run or during it. */
interface Known {
  /** Number of pages that differed from the last run, and of pages that were identical. */
  compared: number;
  same: number;
  readonly places: Map<string, Sighting>;
}

type PackedKnown = [compared: number, same: number, places: Packed[]];

/**
 * What was learned on the pages of one template about places that change. A run is judged by what was known before it, and so is its later
 * display: differences between runs that the last run found are stored separately. Second looks moments apart count at once.
 */
export class NoiseMemory {
  readonly #runId: number;
  readonly #before: Known;
  readonly #learned: Known;
  isTouched = false;

  /** `runId`: the run to be judged. */
  constructor(text?: string, runId = Number.POSITIVE_INFINITY) {
    const [lastRun, before, learned]: [number, PackedKnown, PackedKnown] =
      text === undefined ? [runId, [0, 0, []], [0, 0, []]] : JSON.parse(text);
    [this.#before, this.#learned] = [knownFrom(before), knownFrom(learned)];
    this.#runId = Math.max(lastRun, runId);
    if (runId > lastRun) this.#add(this.#learned);
    if (runId > lastRun) this.#learned = knownFrom([0, 0, []]);
  }

  /** Adds what an earlier run learned to what is known. */
  #add({ compared, same, places }: Known): void {
    this.#before.compared += compared;
    this.#before.same += same;
    for (const [key, learned] of places) merge(of(this.#before.places, key), learned);
  }

  /** Undefined if there is nothing worth storing. */
  toText(): string | undefined {
    const [before, learned] = [this.#before, this.#learned].map(packed) as [PackedKnown, PackedKnown];
    if (before[2].length + learned[2].length === 0) return undefined;
    const run = Number.isFinite(this.#runId) ? this.#runId : 0;
    return JSON.stringify([run, before, learned]);
  }

  get(key: string): Sighting | undefined {
    return this.#before.places.get(nameOf(key));
  }

  /**
   * Whether the place differed on nearly all pages in at least two earlier runs, and this run does not contradict that. Rotating words
   * differ between pages; a notice that was changed on all pages at once does not count.
   */
  changesAlways(key: string, kind: Place["kind"]): boolean {
    const name = nameOf(key);
    const { changed, stayed, pool, pages, runs } = this.#before.places.get(name) ?? nothing;
    const now = this.#learned.places.get(name) ?? nothing;
    const share = kind === "value" ? 4 : 1;
    const isQuietNow = now.stayed * share > now.changed + 2 || this.#learned.same * 4 > this.#learned.compared + 2;
    if (runs < FEWEST_RUNS || pages.size < FEWEST_PAGES || isQuietNow || this.#before.same * 10 > this.#before.compared) return false;
    if (kind === "value") return stayed * 4 <= changed;
    const others = kind === "blocks" ? stayed : this.#before.compared - changed;
    return others <= changed && pool.size >= 3;
  }

  /** Whether it differed in every run so far on nearly all pages, with the same new content on many of them. */
  isShared(key: string): boolean {
    const { runs, changed, stayed, seen, fresh } = this.#before.places.get(nameOf(key)) ?? nothing;
    return runs >= RUNS_OF_WORDS && stayed * 10 <= changed && fresh * PAGES_ALIKE <= seen;
  }

  sawSame(): void {
    this.#learned.same += 1;
  }

  /** A page differs from the last run in `places`; `possible` are all places where it could differ. */
  sawChange(page: string, places: readonly Place[], possible: ReadonlySet<string>): void {
    this.#learned.compared += 1;
    this.isTouched = true;
    const { places: sightings } = this.#learned;
    const keys = new Set<string>();
    for (const place of places) {
      for (const name of place.keys.map(nameOf)) {
        if (keys.has(name) || (sightings.size >= MOST_HELD && !sightings.has(name))) continue;
        keys.add(name);
        const learned = of(sightings, name);
        learned.changed += 1;
        learned.pages.add(numberOf(page));
        note(learned, place, this.#before.places.get(name) ?? nothing);
      }
    }
    for (const name of [...possible].map(nameOf)) {
      if (!keys.has(name) && (this.#before.places.has(name) || sightings.has(name))) of(sightings, name).stayed += 1;
    }
  }

  /** A look moments later showed different content here. */
  sawMove(place: Place): void {
    for (const sighting of this.#sightings(place)) sighting.moved += 1;
    this.keep(place);
  }

  sawStand(place: Place): void {
    for (const sighting of this.#sightings(place)) sighting.stood += 1;
    this.isTouched = true;
  }

  #sightings({ keys }: Place): Sighting[] {
    const { places } = this.#before;
    const isFull = places.size >= MOST_HELD;
    return keys.flatMap((key) => (isFull ? (this.get(key) ?? []) : of(places, nameOf(key))));
  }

  /** Records the content of a place known for noise. If the place moves under one of its keys, it counts as moving under all. */
  keep(place: Place): void {
    this.isTouched = true;
    const sightings = this.#sightings(place);
    const moves = sightings.some(({ moved }) => moved > 0);
    for (const sighting of sightings) {
      if (moves) sighting.moved = Math.max(1, sighting.moved);
      note(sighting, place);
    }
  }
}

/** `earlier`: what was known before this run. The same new text on many pages of this run must not count as recurring. */
function note(sighting: Sighting, { kind, before, now, form, isMoney }: Place, earlier: Sighting = sighting): void {
  count(sighting.shapes, form, 1);
  if (kind === "value" && !isMoney) return;
  for (const item of before) see(sighting, item);
  for (const item of now) {
    const number = numberOf(item);
    sighting.came += 1;
    if (earlier.pool.has(number)) sighting.again += 1;
    see(sighting, item);
  }
}

function see(sighting: Sighting, item: string): void {
  sighting.longest = Math.max(sighting.longest, item.length);
  seeNumber(sighting, numberOf(item));
}

function seeNumber(sighting: Sighting, number: number): void {
  sighting.seen += 1;
  if (sighting.pool.has(number)) return;
  sighting.fresh += 1;
  if (sighting.pool.size < MOST_IN_POOL) sighting.pool.add(number);
}

/** Where second looks have shown what belongs there, differences between runs add no content. */
function merge(known: Sighting, learned: Sighting): void {
  known.changed += learned.changed;
  known.runs += learned.changed > 0 ? 1 : 0;
  known.stayed += learned.stayed;
  known.came += learned.came;
  known.again += learned.again;
  for (const [shape, times] of learned.shapes) count(known.shapes, shape, times);
  for (const page of learned.pages) if (known.pages.size < FEWEST_PAGES) known.pages.add(page);
  if (known.moved > 0) return;
  known.longest = Math.max(known.longest, learned.longest);
  for (const number of learned.pool) seeNumber(known, number);
  known.seen += learned.seen - learned.pool.size;
}

export const numberOf = (text: string): number => Number.parseInt(hash("sha256", text, "hex").slice(0, 12), 16);

const nameOf = (key: string) => numberOf(key).toString(36);

function packed({ compared, same, places }: Known): PackedKnown {
  const worth = ({ moved, changed }: Sighting) => moved * 1000 + changed;
  const useful = [...places].filter(([, { moved, stood, pages }]) => moved > 0 || stood > 0 || pages.size > 1);
  const best = useful.sort(([, a], [, b]) => worth(b) - worth(a)).slice(0, MOST_PLACES);
  const rows = best.map(
    ([key, { shapes, pool, pages, ...numbers }]): Packed => [key, Object.values(numbers), [...shapes], [...pool], [...pages]],
  );
  return [compared, same, rows];
}

const knownFrom = ([compared, same, places]: PackedKnown): Known => ({
  compared,
  same,
  places: new Map(places.map(([key, ...row]) => [key, unpack(...row)])),
});

const unpack = (numbers: number[], shapes: [string, number][], pool: number[], pages: number[]): Sighting => {
  const [changed = 0, stayed = 0, moved = 0, stood = 0, seen = 0, fresh = 0, longest = 0, came = 0, again = 0, runs = 0] = numbers;
  return {
    changed,
    stayed,
    moved,
    stood,
    seen,
    fresh,
    longest,
    came,
    again,
    runs,
    shapes: new Map(shapes),
    pool: new Set(pool),
    pages: new Set(pages),
  };
};

const nothing = unpack([], [], [], []);

function of(sightings: Map<string, Sighting>, name: string): Sighting {
  const known = sightings.get(name) ?? unpack([], [], [], []);
  sightings.set(name, known);
  return known;
}

const count = (counts: Map<string, number>, of: string, times: number) => counts.set(of, (counts.get(of) ?? 0) + times);
