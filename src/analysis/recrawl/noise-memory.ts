import { hash } from "node:crypto";
import type { ChangedPlace } from "./changed-places.ts";

/** Statistics for one place on the pages of a template. */
export interface PlaceStats {
  /** Number of pages where it differed from the last run, and where it did not. */
  changed: number;
  stayed: number;
  /** Number of runs in which it differed. */
  runs: number;
  /** Number of second looks, moments after the first, at which it differed, and at which it did not. */
  moved: number;
  stable: number;
  /** Number of items seen there, and of those seen for the first time. */
  seen: number;
  fresh: number;
  longest: number;
  /** Number of items that replaced others there, and how many of those had been seen there before, on this page or another. */
  replacements: number;
  recurred: number;
  /** Forms of values, or numbers of blocks at once, each with its count. */
  readonly shapes: Map<string, number>;
  /** Items seen there, as hashes. */
  readonly pool: Set<number>;
  /** Some of the pages where it differed from the last run. */
  readonly pages: Set<number>;
}

const MAX_POOL_SIZE = 100;
/** Limit for places stored. */
const MAX_STORED_PLACES = 200;
/** Limit for places in memory: a real change has a place of its own, which is seen once. */
const MAX_PLACES = 3000;

/** Fewer pages or runs than this are no evidence: a single page that always changes may exist for that content. */
const MIN_PAGES = 3;
const MIN_RUNS = 2;
/**
 * Evidence for words: changed in this many runs without exception, with the same new text on several pages each time. Text written by
 * people does not behave so.
 */
const MIN_RUNS_FOR_WORDS = 3;
const MIN_PAGES_ALIKE = 5;

type Packed = [key: string, numbers: number[], shapes: [string, number][], pool: number[], pages: number[]];

/** What was seen of the places of a template, before a run or during it. */
interface PlaceKnowledge {
  /** Number of pages that differed from the last run, and of pages that were identical. */
  compared: number;
  same: number;
  readonly places: Map<string, PlaceStats>;
}

type PackedKnowledge = [compared: number, same: number, places: Packed[]];

/**
 * What was learned on the pages of one template about places that change. A run is judged by what was known before it, and so is its later
 * display: differences between runs that the last run found are stored separately. Second looks moments apart count at once.
 */
export class NoiseMemory {
  readonly #runId: number;
  readonly #before: PlaceKnowledge;
  readonly #learned: PlaceKnowledge;
  hasUnsaved = false;

  /** `runId`: the run to be judged. */
  constructor(text?: string, runId = Number.POSITIVE_INFINITY) {
    const [lastRun, before, learned]: [number, PackedKnowledge, PackedKnowledge] =
      text === undefined ? [runId, [0, 0, []], [0, 0, []]] : JSON.parse(text);
    [this.#before, this.#learned] = [unpackKnowledge(before), unpackKnowledge(learned)];
    this.#runId = Math.max(lastRun, runId);
    if (runId > lastRun) this.#add(this.#learned);
    if (runId > lastRun) this.#learned = unpackKnowledge([0, 0, []]);
  }

  /** Adds what an earlier run learned to what is known. */
  #add({ compared, same, places }: PlaceKnowledge): void {
    this.#before.compared += compared;
    this.#before.same += same;
    for (const [key, learned] of places) merge(entry(this.#before.places, key), learned);
  }

  /** Undefined if there is nothing worth storing. */
  toText(): string | undefined {
    const [before, learned] = [this.#before, this.#learned].map(packed) as [PackedKnowledge, PackedKnowledge];
    if (before[2].length + learned[2].length === 0) return undefined;
    const run = Number.isFinite(this.#runId) ? this.#runId : 0;
    return JSON.stringify([run, before, learned]);
  }

  get(key: string): PlaceStats | undefined {
    return this.#before.places.get(placeHash(key));
  }

  /**
   * Whether the place differed on nearly all pages in at least two earlier runs, and this run does not contradict that. Rotating words
   * differ between pages; a notice that was changed on all pages at once does not count.
   */
  alwaysChanges(key: string, kind: ChangedPlace["kind"]): boolean {
    const name = placeHash(key);
    const { changed, stayed, pool, pages, runs } = this.#before.places.get(name) ?? emptyStats;
    const now = this.#learned.places.get(name) ?? emptyStats;
    const share = kind === "value" ? 4 : 1;
    const isQuietNow = now.stayed * share > now.changed + 2 || this.#learned.same * 4 > this.#learned.compared + 2;
    if (runs < MIN_RUNS || pages.size < MIN_PAGES || isQuietNow || this.#before.same * 10 > this.#before.compared) return false;
    if (kind === "value") return stayed * 4 <= changed;
    const others = kind === "blocks" ? stayed : this.#before.compared - changed;
    return others <= changed && pool.size >= 3;
  }

  /** Whether it differed in every run so far on nearly all pages, with the same new content on many of them. */
  isShared(key: string): boolean {
    const { runs, changed, stayed, seen, fresh } = this.#before.places.get(placeHash(key)) ?? emptyStats;
    return runs >= MIN_RUNS_FOR_WORDS && stayed * 10 <= changed && fresh * MIN_PAGES_ALIKE <= seen;
  }

  recordUnchanged(): void {
    this.#learned.same += 1;
  }

  /** A page differs from the last run in `places`; `possible` are all places where it could differ. */
  recordChange(page: string, places: readonly ChangedPlace[], possible: ReadonlySet<string>): void {
    this.#learned.compared += 1;
    this.hasUnsaved = true;
    const { places: placeStats } = this.#learned;
    const keys = new Set<string>();
    for (const place of places) {
      for (const name of place.keys.map(placeHash)) {
        if (keys.has(name) || (placeStats.size >= MAX_PLACES && !placeStats.has(name))) continue;
        keys.add(name);
        const learned = entry(placeStats, name);
        learned.changed += 1;
        learned.pages.add(hashNumber(page));
        recordItems(learned, place, this.#before.places.get(name) ?? emptyStats);
      }
    }
    for (const name of [...possible].map(placeHash)) {
      if (!keys.has(name) && (this.#before.places.has(name) || placeStats.has(name))) entry(placeStats, name).stayed += 1;
    }
  }

  /** A look moments later showed different content here. */
  recordMove(place: ChangedPlace): void {
    for (const stats of this.#placeStats(place)) stats.moved += 1;
    this.recordNoise(place);
  }

  recordStable(place: ChangedPlace): void {
    for (const stats of this.#placeStats(place)) stats.stable += 1;
    this.hasUnsaved = true;
  }

  #placeStats({ keys }: ChangedPlace): PlaceStats[] {
    const { places } = this.#before;
    const isFull = places.size >= MAX_PLACES;
    return keys.flatMap((key) => (isFull ? (this.get(key) ?? []) : entry(places, placeHash(key))));
  }

  /** Records the content of a place known for noise. If the place moves under one of its keys, it counts as moving under all. */
  recordNoise(place: ChangedPlace): void {
    this.hasUnsaved = true;
    const placeStats = this.#placeStats(place);
    const moves = placeStats.some(({ moved }) => moved > 0);
    for (const stats of placeStats) {
      if (moves) stats.moved = Math.max(1, stats.moved);
      recordItems(stats, place);
    }
  }
}

/** `earlier`: what was known before this run. The same new text on many pages of this run must not count as recurring. */
function recordItems(stats: PlaceStats, { kind, before, now, form, isMoney }: ChangedPlace, earlier: PlaceStats = stats): void {
  count(stats.shapes, form, 1);
  if (kind === "value" && !isMoney) return;
  for (const item of before) countItem(stats, item);
  for (const item of now) {
    const number = hashNumber(item);
    stats.replacements += 1;
    if (earlier.pool.has(number)) stats.recurred += 1;
    countItem(stats, item);
  }
}

function countItem(stats: PlaceStats, item: string): void {
  stats.longest = Math.max(stats.longest, item.length);
  countHash(stats, hashNumber(item));
}

function countHash(stats: PlaceStats, number: number): void {
  stats.seen += 1;
  if (stats.pool.has(number)) return;
  stats.fresh += 1;
  if (stats.pool.size < MAX_POOL_SIZE) stats.pool.add(number);
}

/** Where second looks have shown what belongs there, differences between runs add no content. */
function merge(known: PlaceStats, learned: PlaceStats): void {
  known.changed += learned.changed;
  known.runs += learned.changed > 0 ? 1 : 0;
  known.stayed += learned.stayed;
  known.replacements += learned.replacements;
  known.recurred += learned.recurred;
  for (const [shape, times] of learned.shapes) count(known.shapes, shape, times);
  for (const page of learned.pages) if (known.pages.size < MIN_PAGES) known.pages.add(page);
  if (known.moved > 0) return;
  known.longest = Math.max(known.longest, learned.longest);
  for (const number of learned.pool) countHash(known, number);
  known.seen += learned.seen - learned.pool.size;
}

export const hashNumber = (text: string): number => Number.parseInt(hash("sha256", text, "hex").slice(0, 12), 16);

const placeHash = (key: string) => hashNumber(key).toString(36);

function packed({ compared, same, places }: PlaceKnowledge): PackedKnowledge {
  const worth = ({ moved, changed }: PlaceStats) => moved * 1000 + changed;
  const useful = [...places].filter(([, { moved, stable, pages }]) => moved > 0 || stable > 0 || pages.size > 1);
  const best = useful.sort(([, a], [, b]) => worth(b) - worth(a)).slice(0, MAX_STORED_PLACES);
  const rows = best.map(
    ([key, { shapes, pool, pages, ...numbers }]): Packed => [key, Object.values(numbers), [...shapes], [...pool], [...pages]],
  );
  return [compared, same, rows];
}

const unpackKnowledge = ([compared, same, places]: PackedKnowledge): PlaceKnowledge => ({
  compared,
  same,
  places: new Map(places.map(([key, ...row]) => [key, unpack(...row)])),
});

const unpack = (numbers: number[], shapes: [string, number][], pool: number[], pages: number[]): PlaceStats => {
  const [changed = 0, stayed = 0, moved = 0, stable = 0, seen = 0, fresh = 0, longest = 0, replacements = 0, recurred = 0, runs = 0] =
    numbers;
  return {
    changed,
    stayed,
    moved,
    stable,
    seen,
    fresh,
    longest,
    replacements,
    recurred,
    runs,
    shapes: new Map(shapes),
    pool: new Set(pool),
    pages: new Set(pages),
  };
};

const emptyStats = unpack([], [], [], []);

function entry(placeStats: Map<string, PlaceStats>, name: string): PlaceStats {
  const known = placeStats.get(name) ?? unpack([], [], [], []);
  placeStats.set(name, known);
  return known;
}

const count = (counts: Map<string, number>, entry: string, times: number) => counts.set(entry, (counts.get(entry) ?? 0) + times);
