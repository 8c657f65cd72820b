import { hash64 } from "./hash.ts";
import { parsedUrlOf, partsOf } from "./parts.ts";
import { withRecentCache } from "./recent-cache.ts";

const MAX_FILTER_SETS = 50_000;
const MAX_ROOTS = 1000;
/** URLs that add a filter to others in any order; this many prove that a program combines filters. */
const MIN_PROOFS = 4;

/** The filters of a URL below its root: the first folder of its path. */
interface FilterSet {
  readonly root: string;
  /** One hash per filter; two adjacent segments may also form one filter. */
  readonly filters: readonly number[];
  /** `sum` is equal for the same filters in any order; `order` differs for each order. */
  readonly sum: number;
  readonly order: number;
}

/**
 * Tells filters from folders. In a tree of real pages `/a/b/c` lies below `/a/b`; filters can also be left out or reordered: `/a/c` and
 * `/b/c` are known too, or `/b/a/c` is. Only URLs that add something to the page that named them are examined.
 */
export class FilterDetector {
  #recentSets = new Map<number, number>();
  #olderSets = new Map<number, number>();
  readonly #proofs = new Map<string, number>();

  /** Call once for each URL, when a page first names it. */
  record(url: string, parent: string): void {
    if (!hasFilters(url)) return;
    const selection = filterSetOf(url);
    if (!selection || selection.filters.length < 2) return;
    const from = filterSetOf(parent);
    if (from?.root !== selection.root || !addsFilter(from.sum, selection)) return;
    // A page without a filter of its own that names pairs may be a plain index.
    const isProof = from.filters.length > 0 && (this.#isOtherOrder(selection) || this.#isKnownWithoutFilter(selection, from.sum));
    if (isProof) this.#countProof(selection.root);
    this.#recentSets.set(selection.sum, selection.order);
    if (this.#recentSets.size < MAX_FILTER_SETS / 2) return;
    this.#olderSets = this.#recentSets;
    this.#recentSets = new Map();
  }

  /** The root of a URL's filters, once that root is proven to have filters. */
  rootOf(url: string): string | undefined {
    if (this.#proofs.size === 0) return undefined;
    const root = filterSetOf(url)?.root;
    return root !== undefined && (this.#proofs.get(root) ?? 0) >= MIN_PROOFS ? root : undefined;
  }

  snapshot(): string[] {
    return [...this.#proofs].filter(([, proofs]) => proofs >= MIN_PROOFS).map(([root]) => root);
  }

  restore(roots: readonly string[]): void {
    for (const root of roots) this.#proofs.set(root, MIN_PROOFS);
  }

  #isOtherOrder({ sum, order }: FilterSet): boolean {
    const known = this.#recentSets.get(sum) ?? this.#olderSets.get(sum);
    return known !== undefined && known !== order;
  }

  /** Whether two other ways to leave a filter out are known, besides the page that named the URL. */
  #isKnownWithoutFilter({ filters, sum }: FilterSet, from: number): boolean {
    let knownVariants = 0;
    for (const rest of sumsWithoutOne(filters, sum)) {
      if (rest !== from && (this.#recentSets.has(rest) || this.#olderSets.has(rest))) knownVariants += 1;
    }
    return filters.length >= 3 && knownVariants >= 2;
  }

  #countProof(root: string): void {
    if (this.#proofs.size < MAX_ROOTS || this.#proofs.has(root)) this.#proofs.set(root, (this.#proofs.get(root) ?? 0) + 1);
  }
}

const addsFilter = (from: number, { filters, sum }: FilterSet) => sumsWithoutOne(filters, sum).includes(from);

/** The sums without one filter, or without two adjacent ones. */
function sumsWithoutOne(filters: readonly number[], sum: number): number[] {
  const sums: number[] = [];
  for (const [at, filter] of filters.entries()) {
    sums.push((sum - filter) >>> 0);
    if (at + 1 < filters.length) sums.push((sum - filter - filters[at + 1]!) >>> 0);
  }
  return sums;
}

const VALUE_SEPARATORS = /[,:;|~]|%(?:2C|3A|3B|7C|7E)/i;
const MAX_FILTERS = 16;

const filterSetOf = withRecentCache((url): FilterSet | undefined => {
  const parts = parsedUrlOf(url);
  if (!parts) return undefined;
  const [folder = "", ...segments] = parts.segments;
  const names = [...segments.map(withPosition), ...parts.query.slice(1).split("&").filter(Boolean).flatMap(valuesOf)];
  if (names.length > MAX_FILTERS) return undefined;
  const root = `${parts.host}/${folder}`;
  const filters = names.map((name) => hash64(name, SEED).lo);
  const sum = filters.reduce((total, filter) => (total + filter) >>> 0, hash64(root, SEED).lo);
  return { root, filters, sum, order: hash64(names.join("/"), SEED).lo };
});

const SEED = { hi: 7, lo: 8 };

/** Without a query, a path needs two segments below its first folder; most URLs of a site have fewer. */
function hasFilters(url: string): boolean {
  const parts = partsOf(url);
  if (parts?.query !== "") return true;
  let slashes = 0;
  for (let at = parts.path.indexOf("/"); at >= 0; at = parts.path.indexOf("/", at + 1)) slashes += 1;
  return slashes > 2;
}

/** Numbers count with their position: section 3, page 17 is not section 17, page 3. */
const withPosition = (segment: string, at: number) => (/^\d+$/.test(segment) ? `${at}/${segment}` : segment);

/** `colour=red`; for a list of values or a numbered parameter only the values. */
function valuesOf(param: string): string[] {
  const value = param.slice(param.indexOf("=") + 1);
  const values = value.split(VALUE_SEPARATORS);
  return values.length > 1 || /^[^=]*\d/.test(param) ? values : [param];
}
