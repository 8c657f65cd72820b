/** A page that was the first to have some part in its URL. */
export interface Bearer {
  readonly url: string;
  readonly simhash: string;
}

/** A page with the parts of its URL, and for each part the first page that had it; none for a part that is new. */
export interface Worded extends Bearer {
  readonly words: readonly string[];
  readonly bearers: readonly (Bearer | undefined)[];
}

/** Plain data, for a resumed run. */
export interface CopiesMemory {
  readonly found: number;
  readonly generations: number;
  readonly latest: readonly boolean[];
  readonly copies: readonly (readonly [url: string, generation: number])[];
}

/** How many bits of 64 two texts differ in. */
export type Distance = (a: string, b: string) => number;

const MOST_COPIES = 50_000;
/** For a resumed run. */
const MOST_KEPT = 1000;
/** Texts that share eight of ten rows of three words; strangers differ in about 32. */
const ALIKE = 12;
/** Where all pages look alike, that one is like another says nothing. */
const APART = 5;
const ALARM = 8;
const PROOF = 24;
const WINDOW = 24;
const SHARE = 0.8;
/** A page in three languages, or of two stores, is no trap; a copy that names a copy that names a copy is one. */
const GENERATIONS = 3;

/**
 * Knows pages that are nearly the same as another under a URL that differs in one part: a counter or a greeting is new on each. There may be
 * many of those on a real site. Once copies were heard of in copies of copies, what only copies name is not worth a visit.
 */
export class Copies {
  readonly #distance: Distance;
  readonly #wordsOf: (url: string) => readonly string[];
  /** Each with how many copies of copies it took to get there. */
  readonly #generationOf = new Map<string, number>();
  readonly #latest: boolean[] = [];
  #found = 0;
  #generations = 0;
  /** The latest page that was no copy, for comparison. */
  #stranger = "";

  constructor(distance: Distance, wordsOf: (url: string) => readonly string[]) {
    this.#distance = distance;
    this.#wordsOf = wordsOf;
  }

  get isActive(): boolean {
    return this.#found >= PROOF && this.#generations >= GENERATIONS && this.#latest.filter(Boolean).length >= SHARE * this.#latest.length;
  }

  /** May a URL that this page was the first to name be visited? */
  admit(parent: string | undefined): boolean {
    return parent === undefined || !this.isActive || !this.#generationOf.has(parent);
  }

  /** Answers whether this page is a copy whose further copies should be visited next. */
  learn(page: Worded, parent: string | undefined): boolean {
    const known = page.bearers.filter((bearer) => bearer !== undefined);
    const news = page.bearers.length - known.length;
    // Of what says next to nothing, or was forgotten, nobody can tell.
    const told = known.filter(({ simhash }) => simhash !== "");
    if (page.bearers.length < 2 || news > 1 || told.length === 0 || page.simhash === "") return false;
    const original = this.#originalOf(page, told);
    // One new part beside known ones opens a copy; whether there are many is seen where nothing is new.
    if (news === 0) this.#count(original !== undefined);
    if (!original) {
      this.#stranger = page.simhash;
      return false;
    }
    const generation = parent === undefined ? 0 : this.#generation(page, original, parent);
    if (this.#generationOf.size < MOST_COPIES) this.#generationOf.set(page.url, generation);
    this.#generations = Math.max(this.#generations, generation);
    return this.#found >= ALARM && !this.isActive;
  }

  snapshot(): CopiesMemory {
    const copies = [...this.#generationOf].slice(-MOST_KEPT);
    return { found: this.#found, generations: this.#generations, latest: [...this.#latest], copies };
  }

  restore({ found, generations, latest, copies }: CopiesMemory): void {
    this.#found = found;
    this.#generations = generations;
    this.#latest.push(...latest);
    for (const [url, generation] of copies) this.#generationOf.set(url, generation);
  }

  #originalOf({ simhash }: Worded, bearers: readonly Bearer[]): Bearer | undefined {
    const near = [...new Set(bearers)]
      .map((bearer) => ({ bearer, distance: this.#distance(simhash, bearer.simhash) }))
      .sort((a, b) => a.distance - b.distance);
    const [nearest, next] = near;
    if (!nearest || nearest.distance > ALIKE) return undefined;
    const other = Math.min(next?.distance ?? 64, this.#distance(simhash, this.#stranger));
    return other >= nearest.distance + APART ? nearest.bearer : undefined;
  }

  /** What tells it from the original tells which copy it belongs to; that may be its parent's. */
  #generation({ words }: Worded, original: Bearer, parent: string): number {
    const [shared, above] = [new Set(this.#wordsOf(original.url)), new Set(this.#wordsOf(parent))];
    const isOfParents = words.filter((word) => !shared.has(word)).every((word) => above.has(word));
    return (this.#generationOf.get(parent) ?? 0) + (isOfParents ? 0 : 1);
  }

  #count(isCopy: boolean): void {
    this.#found += isCopy ? 1 : 0;
    this.#latest.push(isCopy);
    if (this.#latest.length > WINDOW) this.#latest.shift();
  }
}
