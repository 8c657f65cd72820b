/** Finds the rules that may apply to an element by what their selectors end with: an id, a class, or a name. */
import { hasRareAttributes } from "../attributes.ts";
import type { HtmlElement } from "../html-tree.ts";
import type { Bits } from "./ancestors.ts";
import { ANY, isNameLetter, type PageNames } from "./page-names.ts";
import type { Rule } from "./rules.ts";
import { splitOutside } from "./scan.ts";
import { asksForRare, type Match, matchesOne, type Parsed, parseSelector, specificityOf } from "./selectors.ts";

/** One selector of a rule. It is parsed when an element may match. */
export interface Entry {
  readonly rule: Rule;
  readonly selector: string;
  /** Where it is looked up. */
  readonly keys: readonly string[];
  parsed: Parsed | undefined;
  specificity: number;
  /** Whether the element itself must have a less frequent attribute. */
  isForRare: boolean;
  /** The names that must be around the element. */
  around: Bits | undefined;
}

const NONE: readonly Entry[] = [];

/** The selectors of rules in force that elements of the page may match. */
export function entriesIn(rules: readonly Rule[], page: PageNames): Entry[] {
  const entries: Entry[] = [];
  for (const rule of rules) {
    if (!rule.isInForce) continue;
    for (const selector of selectorsOf(rule.selectors)) {
      const keys = keysOf(selector);
      if (!keys.some((key) => page.has(key)) || !page.hasAllOf(selector)) continue;
      entries.push({ rule, selector, keys, parsed: undefined, specificity: 0, isForRare: false, around: undefined });
    }
  }
  return entries;
}

export class SelectorIndex {
  readonly #byKey = new Map<string, Entry[]>();
  readonly #byClasses = new Map<string, readonly Entry[]>();
  readonly #any: Entry[] = [];

  readonly #page: PageNames;

  constructor(entries: readonly Entry[], page: PageNames) {
    this.#page = page;
    for (const entry of entries) this.#add(entry);
  }

  #add(entry: Entry): void {
    for (const key of entry.keys) {
      const entries = key === ANY ? this.#any : this.#byKey.get(key);
      if (entries) entries.push(entry);
      else this.#byKey.set(key, [entry]);
    }
  }

  /** The rules that match. */
  of(element: HtmlElement, match: Match): Entry[] {
    const found: Entry[] = [];
    this.#find(element, (entry) => {
      const isNew = entry.keys.length === 1 || !found.includes(entry);
      if (isNew && fits(element, entry, match)) found.push(entry);
      return match.left < 0;
    });
    return found;
  }

  hasAny(element: HtmlElement, match: Match): boolean {
    return match.left >= 0 && this.#find(element, (entry) => fits(element, entry, match));
  }

  /** Whether one of the rules that may match is the one looked for. */
  #find({ name, attributes }: HtmlElement, isWanted: (entry: Entry) => boolean): boolean {
    if (this.#any.length > 0 && this.#any.some(isWanted)) return true;
    if (this.#byKey.size === 0) return false;
    if (this.#byKey.get(name)?.some(isWanted) === true) return true;
    if (attributes.class !== undefined && this.#ofClasses(attributes.class).some(isWanted)) return true;
    return attributes.id !== undefined && this.#byKey.get(`#${attributes.id}`)?.some(isWanted) === true;
  }

  #ofClasses(list: string): readonly Entry[] {
    let entries = this.#byClasses.get(list);
    if (!entries) {
      entries = this.#page.wordsOf(list).flatMap((one) => this.#byKey.get(`.${one}`) ?? NONE);
      if (entries.length === 0) entries = NONE;
      this.#byClasses.set(list, entries);
    }
    return entries;
  }
}

export const selectorsOf = (list: string): readonly string[] => {
  if (!list.includes(",")) return [list];
  return splitOutside(list, ",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
};

/** In comparisons. */
const COST_OF_PARSING = 30;

function fits(element: HtmlElement, entry: Entry, match: Match): boolean {
  if (match.left < 0) return false;
  match.left -= 1;
  if (entry.parsed === undefined) {
    match.left -= COST_OF_PARSING;
    entry.parsed = parseSelector(entry.selector);
    const [selector = []] = entry.parsed;
    entry.specificity = specificityOf(selector);
    entry.isForRare = asksForRare(selector);
    entry.around = entry.parsed.length === 1 ? match.ancestors.wantedBy(selector) : undefined;
  }
  if (entry.isForRare && !hasRareAttributes(element.attributes)) return false;
  if (entry.around !== undefined && !match.ancestors.have(element, entry.around)) return false;
  return matchesOne(element, entry.parsed, match);
}

const NO_KEYS: readonly string[] = [];
const PART = /(?:[\w-]|[^\x00-\x7f]|\\[^0-9a-f\n])+/;
const FIRST = new RegExp(`^([.#]?)(${PART.source})`);
const MAX_DEPTH = 5;

/** Where a selector is to be looked up; nowhere if it ends with a pseudo-element. */
export function keysOf(selector: string, depth = 0): readonly string[] {
  const plain = plainKeyOf(selector);
  if (plain !== undefined) return [plain];
  const last = lastCompound(selector);
  if (last.includes("::") || /:(?:before|after|first-line|first-letter)$/.test(last)) return NO_KEYS;
  if (/\\[0-9a-f]/i.test(last)) return [ANY];
  const choice = /^:(?:is|where)\(([\s\S]*)\)$/.exec(last)?.[1];
  if (choice !== undefined && depth < MAX_DEPTH && !/\)\s*:/.test(last)) {
    const keys = splitOutside(choice, ",").flatMap((one) => keysOf(one.trim(), depth + 1));
    return keys.length === 0 || keys.includes(ANY) ? [ANY] : [...new Set(keys)];
  }
  let key = ANY;
  let rest = last;
  let round = 0;
  while (rest !== "") {
    const found = round === 0 ? FIRST.exec(rest) : null;
    if (found) {
      const [whole, sign, name] = found;
      const plain = name!.replace(/\\/g, "");
      if (sign === "#") return [`#${plain}`];
      if (sign === "." || key === ANY) key = sign === "." ? `.${plain}` : plain.toLowerCase();
      rest = rest.slice(whole.length);
      continue;
    }
    const skipped = round === 0 ? /^::?[\w-]+/.exec(rest)?.[0].length : undefined;
    if (rest[0] === "(" || rest[0] === "[") round += 1;
    if (rest[0] === ")" || rest[0] === "]") round -= 1;
    rest = rest.slice(skipped ?? 1);
  }
  return [key];
}

const DOT = 46;
const HASH = 35;
const isCombinator = (code: number): boolean => code <= 32 || code === 62 || code === 43 || code === 126;

/** Of selectors that end with a class, an id or a name alone. */
function plainKeyOf(selector: string): string | undefined {
  let start = selector.length;
  while (start > 0 && isNameLetter(selector.charCodeAt(start - 1))) start -= 1;
  if (start === selector.length || selector.includes("\\")) return undefined;
  if (start === 0) return selector.toLowerCase();
  const before = selector.charCodeAt(start - 1);
  if (before === DOT || before === HASH) return selector.slice(start - 1);
  return isCombinator(before) ? selector.slice(start).toLowerCase() : undefined;
}

/** The part after the last combinator. */
function lastCompound(selector: string): string {
  if (!/[\s>+~]/.test(selector)) return selector;
  let start = 0;
  let round = 0;
  for (let at = 0; at < selector.length; at += 1) {
    const letter = selector[at]!;
    if (letter === "\\")
      at += /[0-9a-f]/i.test(selector[at + 1] ?? "") ? (/^[0-9a-f]{1,6}\s?/i.exec(selector.slice(at + 1, at + 8))?.[0].length ?? 1) : 1;
    else if (letter === '"' || letter === "'") {
      const end = selector.indexOf(letter, at + 1);
      at = end < 0 ? selector.length : end;
    } else if (letter === "(" || letter === "[") round += 1;
    else if (letter === ")" || letter === "]") round -= 1;
    else if (round === 0 && (letter <= " " || letter === ">" || letter === "+" || letter === "~")) start = at + 1;
  }
  return selector.slice(start);
}
