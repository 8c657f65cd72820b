import { hash64 } from "./hash.ts";
import { apartOf, partsOf } from "./parts.ts";
import { recently } from "./recently.ts";

const MOST_HEARD = 50_000;
const MOST_ROOTS = 1000;
/** So many URLs that add a filter to others, in whatever order, are made by a program. */
const PROOF = 4;

/** What a URL selects below its root: the first folder of its path, or the whole path if it has no more. */
interface Selection {
  readonly root: string;
  /** One per filter that could be set; a pair of segments may be one too. */
  readonly filters: readonly number[];
  /** The same for the same filters in any order, and another for each order. */
  readonly sum: number;
  readonly order: number;
}

/**
 * Tells filters from folders. In a tree of real pages `/a/b/c` lies below `/a/b`; where there are filters, one can be left out or put
 * elsewhere: `/a/c` and `/b/c` are known too, or `/b/a/c` is. Only URLs that add something to the page that named them are looked at.
 */
export class Selections {
  #heard = new Map<number, number>();
  #older = new Map<number, number>();
  readonly #proofs = new Map<string, number>();

  /** To be told once of every URL that a page was the first to name. */
  hear(url: string, parent: string): void {
    if (!hasFilters(url)) return;
    const selection = selectionOf(url);
    if (!selection || selection.filters.length < 2) return;
    const from = selectionOf(parent);
    if (from?.root !== selection.root || !isAddition(from.sum, selection)) return;
    // What names pairs without a filter of its own may be a table of all there is.
    const isProof = from.filters.length > 0 && (this.#isOtherOrder(selection) || this.#isWithout(selection, from.sum));
    if (isProof) this.#prove(selection.root);
    this.#heard.set(selection.sum, selection.order);
    if (this.#heard.size < MOST_HEARD / 2) return;
    this.#older = this.#heard;
    this.#heard = new Map();
  }

  /** The root below which this URL selects, once that is known for a set of filters. */
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

  /** Two ways to leave a filter out, besides that of the page which named it. */
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

/** The sums of what is left when a filter, or two beside each other, are taken out. */
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

/** Below its first folder, a path without a query needs two segments more: most URLs of a site have fewer. */
function hasFilters(url: string): boolean {
  const parts = partsOf(url);
  if (parts?.query !== "") return true;
  let slashes = 0;
  for (let at = parts.path.indexOf("/"); at >= 0; at = parts.path.indexOf("/", at + 1)) slashes += 1;
  return slashes > 2;
}

/** Numbers mean something only where they stand: section 3, page 17 is not section 17, page 3. */
const placed = (segment: string, at: number) => (/^\d+$/.test(segment) ? `${at}/${segment}` : segment);

/** `colour=red`; of a list of values, or of a numbered parameter, the values alone. */
function valuesOf(param: string): string[] {
  const value = param.slice(param.indexOf("=") + 1);
  const values = value.split(BETWEEN_VALUES);
  return values.length > 1 || /^[^=]*\d/.test(param) ? values : [param];
}
