/** The first page that had some part in its URL. */
export interface PartOwner {
  readonly url: string;
  readonly simhash: string;
}

/** The parts of a URL, for each the first page that had it (undefined for a new part), and a name shared by URLs mixed from those parts. */
export interface UrlPartOwners {
  readonly words: readonly string[];
  readonly owners: readonly (PartOwner | undefined)[];
  readonly family: string;
}

type FindParts = (url: string) => UrlPartOwners;

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

const MAX_COPIES = 50_000;
/** Copies stored for a resumed run. */
const MAX_STORED_COPIES = 1000;
const MAX_GROUPS = 1000;
const MAX_STORED_GROUPS = 50;
/** Texts that share eight of ten three-word shingles; unrelated texts differ in about 32 bits. */
const MAX_DISTANCE = 12;
/** The original must be nearer than any other page by this many bits: where all pages look alike, similarity proves nothing. */
const MIN_DISTANCE_MARGIN = 5;
const MIN_COPIES_TO_SEARCH = 8;
const MIN_COPIES = 24;
const WINDOW_SIZE = 24;
const MIN_COPY_SHARE = 0.8;
/** A page in three languages, or of two stores, is no trap; a copy that names a copy that names a copy is one. */
const MIN_GENERATIONS = 3;

/**
 * Finds pages that are nearly equal to another page whose URL differs in one part; a counter or a greeting may differ. Real sites can have
 * many of those. Once copies are named by copies of copies, URLs that only copies name are not visited.
 */
export class Copies {
  readonly #distance: Distance;
  readonly #find: FindParts;
  readonly #copies = new Map<string, Copy>();
  readonly #groups = new Map<string, Group>();
  #verdicts = 0;
  /** The latest page that was no copy, for comparison. */
  #lastOriginal = "";

  constructor(distance: Distance, find: FindParts) {
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
  learn({ url, simhash }: PartOwner, parent: string | undefined): boolean {
    return simhash !== "" && this.#compare({ url, simhash, ...this.#find(url) }, parent);
  }

  #compare(page: PartOwner & UrlPartOwners, parent: string | undefined): boolean {
    const known = page.owners.filter((owner) => owner !== undefined);
    const newParts = page.owners.length - known.length;
    // Pages with too little text, or evicted ones, have no simhash to compare.
    const comparable = known.filter(({ simhash }) => simhash !== "");
    if (page.owners.length < 2 || newParts > 1 || comparable.length === 0) return false;
    const original = this.#originalOf(page, comparable);
    // Copies belong to the group of their original.
    const group = original ? this.#find(original.url).family : page.family;
    // One new part beside known ones starts a copy; the share of copies is measured where no part is new.
    if (newParts === 0) this.#count(group, original !== undefined);
    if (!original) {
      this.#lastOriginal = page.simhash;
      return false;
    }
    const generation = parent === undefined ? 0 : this.#generation(page, original, parent);
    if (this.#copies.size < MAX_COPIES) this.#copies.set(page.url, { group, generation });
    return this.#updateVerdict(this.#groupOf(group), generation);
  }

  snapshot(): CopiesMemory {
    const groups = [...this.#groups].filter(([, { found }]) => found > 0).slice(-MAX_STORED_GROUPS);
    return { groups, copies: [...this.#copies].slice(-MAX_STORED_COPIES) };
  }

  restore({ groups, copies }: CopiesMemory): void {
    for (const [name, group] of groups) this.#groups.set(name, { ...group, latest: [...group.latest] });
    for (const [url, copy] of copies) this.#copies.set(url, copy);
  }

  #originalOf({ simhash }: PartOwner, owners: readonly PartOwner[]): PartOwner | undefined {
    const byDistance = [...new Set(owners)]
      .map((owner) => ({ bearer: owner, distance: this.#distance(simhash, owner.simhash) }))
      .sort((a, b) => a.distance - b.distance);
    const [nearest, secondNearest] = byDistance;
    if (!nearest || nearest.distance > MAX_DISTANCE) return undefined;
    const nextDistance = Math.min(secondNearest?.distance ?? 64, this.#distance(simhash, this.#lastOriginal));
    return nextDistance >= nearest.distance + MIN_DISTANCE_MARGIN ? nearest.bearer : undefined;
  }

  /** The parts that differ from the original identify the copy; if the parent has them too, the page belongs to its parent's copy. */
  #generation({ words }: UrlPartOwners, original: PartOwner, parent: string): number {
    const [originalWords, parentWords] = [original.url, parent].map((url) => new Set(this.#find(url).words));
    const belongsToParent = words.filter((word) => !originalWords!.has(word)).every((word) => parentWords!.has(word));
    return (this.#copies.get(parent)?.generation ?? 0) + (belongsToParent ? 0 : 1);
  }

  #groupOf(name: string): Group {
    const group = this.#groups.get(name) ?? { found: 0, generations: 0, latest: [], isTrap: false };
    if (this.#groups.size < MAX_GROUPS) this.#groups.set(name, group);
    return group;
  }

  #count(name: string, isCopy: boolean): void {
    const group = this.#groupOf(name);
    group.found += isCopy ? 1 : 0;
    group.latest.push(isCopy);
    if (group.latest.length > WINDOW_SIZE) group.latest.shift();
  }

  /** Returns true if further copies should be visited early. */
  #updateVerdict(group: Group, generation: number): boolean {
    group.generations = Math.max(group.generations, generation);
    const areMostlyCopies = group.latest.filter(Boolean).length >= MIN_COPY_SHARE * group.latest.length;
    if (!group.isTrap && areMostlyCopies && group.found >= MIN_COPIES && group.generations >= MIN_GENERATIONS) {
      group.isTrap = true;
      this.#verdicts += 1;
    }
    return group.found >= MIN_COPIES_TO_SEARCH && !group.isTrap;
  }
}
