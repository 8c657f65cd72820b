import { hash } from "node:crypto";
import type { Place } from "./places.ts";

/** What is known of one place on the pages of a template. */
export interface Sighting {
  /** On how many pages it differed from the run before, and on how many it stood still. */
  changed: number;
  stayed: number;
  /** At how many second looks, moments after the first, it differed, and at how many it did not. */
  moved: number;
  stood: number;
  /** How many things were seen there, and how many of them for the first time. */
  seen: number;
  fresh: number;
  longest: number;
  /** How many things came there in the place of others, and how many of them had been seen there, on this page or another. */
  came: number;
  again: number;
  /** How values looked, or how many blocks there were at once, and how often. */
  readonly shapes: Map<string, number>;
  /** What was seen there, by a number. */
  readonly pool: Set<number>;
  /** A few of the pages where it differed from the run before. */
  readonly pages: Set<number>;
}

const MOST_IN_POOL = 100;
/** As many places are written down. */
const MOST_PLACES = 200;
/** And as many held: pages that really change have places of their own, each of which is seen once. */
const MOST_HELD = 3000;

/** What one page does for itself may be what it is there for. */
const FEWEST_PAGES = 3;

type Packed = [key: string, numbers: number[], shapes: [string, number][], pool: number[], pages: number[]];

/** What pages of one template have taught about the places that change on them. What this run teaches of runs is for the next. */
export class NoiseMemory {
  readonly #places: Map<string, Sighting>;
  readonly #learned = new Map<string, Sighting>();
  /** Pages that differed from the run before, and pages that were the same as a whole. */
  #compared: number;
  #same: number;
  /** The same, in this run alone. */
  readonly #now = { compared: 0, same: 0 };
  isTouched = false;

  constructor(text?: string) {
    const [compared, same, places] = text === undefined ? [0, 0, []] : (JSON.parse(text) as [number, number, Packed[]]);
    [this.#compared, this.#same] = [compared, same];
    this.#places = new Map(places.map(([key, ...packed]) => [key, unpack(...packed)]));
  }

  /** Undefined if there is nothing worth knowing. */
  toText(): string | undefined {
    for (const [key, learned] of this.#learned) merge(of(this.#places, key), learned);
    this.#learned.clear();
    const worth = ({ moved, changed }: Sighting) => moved * 1000 + changed;
    const useful = [...this.#places].filter(([, { moved, stood, pages }]) => moved > 0 || stood > 0 || pages.size > 1);
    const best = useful.sort(([, a], [, b]) => worth(b) - worth(a)).slice(0, MOST_PLACES);
    if (best.length === 0) return undefined;
    const places = best.map(
      ([key, { shapes, pool, pages, ...numbers }]): Packed => [key, Object.values(numbers), [...shapes], [...pool], [...pages]],
    );
    return JSON.stringify([this.#compared, this.#same, places]);
  }

  get(key: string): Sighting | undefined {
    return this.#places.get(nameOf(key));
  }

  /**
   * Whether a place differed on nearly all pages in earlier runs, and nothing in this one speaks against it. Words that take turns are not
   * the same on all pages: a notice that was changed everywhere at once is none of them.
   */
  changesAlways(key: string, kind: Place["kind"]): boolean {
    const name = nameOf(key);
    const { changed, stayed, pool, pages } = this.#places.get(name) ?? nothing;
    const now = this.#learned.get(name) ?? nothing;
    const share = kind === "value" ? 4 : 1;
    const isQuietNow = now.stayed * share > now.changed + 2 || this.#now.same * 4 > this.#now.compared + 2;
    if (pages.size < FEWEST_PAGES || isQuietNow || this.#same * 10 > this.#compared) return false;
    if (kind === "value") return stayed * 4 <= changed;
    const others = kind === "blocks" ? stayed : this.#compared - changed;
    return others <= changed && pool.size >= 3;
  }

  sawSame(): void {
    this.#same += 1;
    this.#now.same += 1;
  }

  /** A page differs from the run before in these places, and has these others where it could have. */
  sawChange(page: string, places: readonly Place[], possible: ReadonlySet<string>): void {
    this.#compared += 1;
    this.#now.compared += 1;
    this.isTouched = true;
    const keys = new Set<string>();
    for (const place of places) {
      for (const name of place.keys.map(nameOf)) {
        if (keys.has(name) || (this.#learned.size >= MOST_HELD && !this.#learned.has(name))) continue;
        keys.add(name);
        const learned = of(this.#learned, name);
        learned.changed += 1;
        learned.pages.add(numberOf(page));
        note(learned, place, this.#places.get(name));
      }
    }
    for (const name of [...possible].map(nameOf)) {
      if (!keys.has(name) && (this.#places.has(name) || this.#learned.has(name))) of(this.#learned, name).stayed += 1;
    }
  }

  /** A look moments later showed something else here. */
  sawMove(place: Place): void {
    for (const sighting of this.#sightings(place)) sighting.moved += 1;
    this.keep(place);
  }

  sawStand(place: Place): void {
    for (const sighting of this.#sightings(place)) sighting.stood += 1;
    this.isTouched = true;
  }

  #sightings({ keys }: Place): Sighting[] {
    const isFull = this.#places.size >= MOST_HELD;
    return keys.flatMap((key) => (isFull ? (this.get(key) ?? []) : of(this.#places, nameOf(key))));
  }

  /** What stands in a place that is known for noise. If it moves by one of its names, it does by all. */
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

function note(sighting: Sighting, { kind, before, now, form, isMoney }: Place, earlier: Sighting = nothing): void {
  count(sighting.shapes, form, 1);
  if (kind === "value" && !isMoney) return;
  for (const item of before) see(sighting, item);
  for (const item of now) {
    const number = numberOf(item);
    sighting.came += 1;
    if (sighting.pool.has(number) || earlier.pool.has(number)) sighting.again += 1;
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

/** Where looks have told what belongs there, what merely differed between runs does not. */
function merge(known: Sighting, learned: Sighting): void {
  known.changed += learned.changed;
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

const unpack = (numbers: number[], shapes: [string, number][], pool: number[], pages: number[]): Sighting => {
  const [changed = 0, stayed = 0, moved = 0, stood = 0, seen = 0, fresh = 0, longest = 0, came = 0, again = 0] = numbers;
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
