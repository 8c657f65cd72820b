/** The first page that had some part in its URL. */
export interface Bearer {
  readonly url: string;
  readonly simhash: string;
}

/** The parts of a URL, for each the first page that had it (undefined for a new part), and a name shared by URLs mixed from those parts. */
export interface Worded {
  readonly words: readonly string[];
  readonly bearers: readonly (Bearer | undefined)[];
  readonly family: string;
}

type Find = (url: string) => Worded;

/** Copies of pages of one family. */
interface Group {
  found: number;
  generations: number;
  readonly latest: boolean[];
  isTrap: boolean;
}

interface Copy {
  readonly group: string;
  /** Length of the chain of copies that led there. */
  readonly generation: number;
}

/** Plain data, for a resumed run. */
export interface CopiesMemory {
  readonly groups: readonly (readonly [name: string, group: Group])[];
  readonly copies: readonly (readonly [url: string, copy: Copy])[];
}

/** Number of bits, of 64, in which two texts differ. */
export type Distance = (a: string, b: string) => number;

const MOST_COPIES = 50_000;
/** Copies stored for a resumed run. */
const MOST_KEPT = 1000;
const MOST_GROUPS = 1000;
const MOST_GROUPS_KEPT = 50;
/** Texts that share eight of ten three-word shingles; unrelated texts differ in about 32 bits. */
const ALIKE = 12;
/** The original must be nearer than any other page by this many bits: where all pages look alike, similarity proves nothing. */
const APART = 5;
const ALARM = 8;
const PROOF = 24;
const WINDOW = 24;
const SHARE = 0.8;
/** A page in three languages, or of two stores, is no trap; a copy that names a copy that names a copy is one. */
const GENERATIONS = 3;

/**
 * Finds pages that are nearly equal to another page whose URL differs in one part; a counter or a greeting may differ. Real sites can have
 * many of those. Once copies are named by copies of copies, URLs that only copies name are not visited.
 */
export class Copies {
  readonly #distance: Distance;
  readonly #find: Find;
  readonly #copies = new Map<string, Copy>();
  readonly #groups = new Map<string, Group>();
  #verdicts = 0;
  /** The latest page that was no copy, for comparison. */
  #stranger = "";

  constructor(distance: Distance, find: Find) {
    this.#distance = distance;
    this.#find = find;
  }

  /** Number of groups of copies that are quarantined. */
  get verdicts(): number {
    return this.#verdicts;
  }

  /** Whether a URL first named by this page may be visited. */
  admit(parent: string | undefined): boolean {
    const copy = parent === undefined ? undefined : this.#copies.get(parent);
    return copy === undefined || !this.#groups.get(copy.group)?.isTrap;
  }

  /** Returns true if this page is a copy and further copies it names should be visited next. Always false for a page without a simhash. */
  learn({ url, simhash }: Bearer, parent: string | undefined): boolean {
    return simhash !== "" && this.#compare({ url, simhash, ...this.#find(url) }, parent);
  }

  #compare(page: Bearer & Worded, parent: string | undefined): boolean {
    const known = page.bearers.filter((bearer) => bearer !== undefined);
    const news = page.bearers.length - known.length;
    // Pages with too little text, or evicted ones, have no simhash to compare.
    const told = known.filter(({ simhash }) => simhash !== "");
    if (page.bearers.length < 2 || news > 1 || told.length === 0) return false;
    const original = this.#originalOf(page, told);
    // Copies belong to the group of their original.
    const group = original ? this.#find(original.url).family : page.family;
    // One new part beside known ones starts a copy; the share of copies is measured where no part is new.
    if (news === 0) this.#count(group, original !== undefined);
    if (!original) {
      this.#stranger = page.simhash;
      return false;
    }
    const generation = parent === undefined ? 0 : this.#generation(page, original, parent);
    if (this.#copies.size < MOST_COPIES) this.#copies.set(page.url, { group, generation });
    return this.#judge(this.#groupOf(group), generation);
  }

  snapshot(): CopiesMemory {
    const groups = [...this.#groups].filter(([, { found }]) => found > 0).slice(-MOST_GROUPS_KEPT);
    return { groups, copies: [...this.#copies].slice(-MOST_KEPT) };
  }

  restore({ groups, copies }: CopiesMemory): void {
    for (const [name, group] of groups) this.#groups.set(name, { ...group, latest: [...group.latest] });
    for (const [url, copy] of copies) this.#copies.set(url, copy);
  }

  #originalOf({ simhash }: Bearer, bearers: readonly Bearer[]): Bearer | undefined {
    const near = [...new Set(bearers)]
      .map((bearer) => ({ bearer, distance: this.#distance(simhash, bearer.simhash) }))
      .sort((a, b) => a.distance - b.distance);
    const [nearest, next] = near;
    if (!nearest || nearest.distance > ALIKE) return undefined;
    const other = Math.min(next?.distance ?? 64, this.#distance(simhash, this.#stranger));
    return other >= nearest.distance + APART ? nearest.bearer : undefined;
  }

  /** The parts that differ from the original identify the copy; if the parent has them too, the page belongs to its parent's copy. */
  #generation({ words }: Worded, original: Bearer, parent: string): number {
    const [shared, above] = [original.url, parent].map((url) => new Set(this.#find(url).words));
    const isOfParents = words.filter((word) => !shared!.has(word)).every((word) => above!.has(word));
    return (this.#copies.get(parent)?.generation ?? 0) + (isOfParents ? 0 : 1);
  }

  #groupOf(name: string): Group {
    const group = this.#groups.get(name) ?? { found: 0, generations: 0, latest: [], isTrap: false };
    if (this.#groups.size < MOST_GROUPS) this.#groups.set(name, group);
    return group;
  }

  #count(name: string, isCopy: boolean): void {
    const group = this.#groupOf(name);
    group.found += isCopy ? 1 : 0;
    group.latest.push(isCopy);
    if (group.latest.length > WINDOW) group.latest.shift();
  }

  /** Returns true if further copies should be visited early. */
  #judge(group: Group, generation: number): boolean {
    group.generations = Math.max(group.generations, generation);
    const isMostly = group.latest.filter(Boolean).length >= SHARE * group.latest.length;
    if (!group.isTrap && isMostly && group.found >= PROOF && group.generations >= GENERATIONS) {
      group.isTrap = true;
      this.#verdicts += 1;
    }
    return group.found >= ALARM && !group.isTrap;
  }
}
