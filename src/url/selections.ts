import { hash64 } from "./hash.ts";
import { apartOf, partsOf } from "./parts.ts";
import { recently } from "./recently.ts";

const MOST_HEARD = 50_000;
const MOST_ROOTS = 1000;
/** URLs that add a filter to others in any order; this many prove that a program combines filters. */
const PROOF = 4;

/** The filters of a URL below its root: the first folder of its path. */
interface Selection {
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
export class Selections {
  #heard = new Map<number, number>();
  #older = new Map<number, number>();
  readonly #proofs = new Map<string, number>();

  /** Call once for each URL, when a page first names it. */
  hear(url: string, parent: string): void {
    if (!hasFilters(url)) return;
    const selection = selectionOf(url);
    if (!selection || selection.filters.length < 2) return;
    const from = selectionOf(parent);
    if (from?.root !== selection.root || !isAddition(from.sum, selection)) return;
    // A page without a filter of its own that names pairs may be a plain index.
    const isProof = from.filters.length > 0 && (this.#isOtherOrder(selection) || this.#isWithout(selection, from.sum));
    if (isProof) this.#prove(selection.root);
    this.#heard.set(selection.sum, selection.order);
    if (this.#heard.size < MOST_HEARD / 2) return;
    this.#older = this.#heard;
    this.#heard = new Map();
  }

  /** The root of a URL's filters, once that root is proven to have filters. */
  rootOf(url: string): string | undefined {
    if (this.#proofs.size === 0) return undefined;
    const root = selectionOf(url)?.root;
    return root !== undefined && (this.#proofs.get(root) ?? 0) >= PROOF ? root : undefined;
  }

  snapshot(): string[] {
    return [...this.#proofs].filter(([, proofs]) => proofs >= PROOF).map(([root]) => root);
  }

  restore(roots: readonly string[]): void {
    for (const root of roots) this.#proofs.set(root, PROOF);
  }

  #isOtherOrder({ sum, order }: Selection): boolean {
    const known = this.#heard.get(sum) ?? this.#older.get(sum);
    return known !== undefined && known !== order;
  }

  /** Whether two other ways to leave a filter out are known, besides the page that named the URL. */
  #isWithout({ filters, sum }: Selection, from: number): boolean {
    let ways = 0;
    for (const rest of withoutOne(filters, sum)) {
      if (rest !== from && (this.#heard.has(rest) || this.#older.has(rest))) ways += 1;
    }
    return filters.length >= 3 && ways >= 2;
  }

  #prove(root: string): void {
    if (this.#proofs.size < MOST_ROOTS || this.#proofs.has(root)) this.#proofs.set(root, (this.#proofs.get(root) ?? 0) + 1);
  }
}

const isAddition = (from: number, { filters, sum }: Selection) => withoutOne(filters, sum).includes(from);

/** The sums without one filter, or without two adjacent ones. */
function withoutOne(filters: readonly number[], sum: number): number[] {
  const sums: number[] = [];
  for (const [at, filter] of filters.entries()) {
    sums.push((sum - filter) >>> 0);
    if (at + 1 < filters.length) sums.push((sum - filter - filters[at + 1]!) >>> 0);
  }
  return sums;
}

const BETWEEN_VALUES = /[,:;|~]|%(?:2C|3A|3B|7C|7E)/i;
const MOST_FILTERS = 16;

const selectionOf = recently((url): Selection | undefined => {
  const parts = apartOf(url);
  if (!parts) return undefined;
  const [folder = "", ...segments] = parts.segments;
  const names = [...segments.map(placed), ...parts.query.slice(1).split("&").filter(Boolean).flatMap(valuesOf)];
  if (names.length > MOST_FILTERS) return undefined;
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
const placed = (segment: string, at: number) => (/^\d+$/.test(segment) ? `${at}/${segment}` : segment);

/** `colour=red`; for a list of values or a numbered parameter only the values. */
function valuesOf(param: string): string[] {
  const value = param.slice(param.indexOf("=") + 1);
  const values = value.split(BETWEEN_VALUES);
  return values.length > 1 || /^[^=]*\d/.test(param) ? values : [param];
}
