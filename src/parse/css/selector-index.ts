/** Finds the rules that may apply to an element by what their selectors end with: an id, a class, or a name. */
import type { HtmlElement } from "../html-tree.ts";
import type { Rule } from "./rules.ts";
import { splitOutside } from "./scan.ts";
import { type Match, matches, parseSelector, specificityOf } from "./selectors.ts";

export interface Entry {
  readonly rule: Rule;
  /** Undefined until it is parsed. */
  specificity: number | undefined;
}

const ANY = "*";
const NONE: readonly Entry[] = [];

export class SelectorIndex {
  readonly #byKey = new Map<string, Entry[]>();
  readonly #byNames = new Map<string, readonly Entry[]>();

  constructor(rules: readonly Rule[]) {
    for (const rule of rules) {
      const entry: Entry = { rule, specificity: undefined };
      for (const key of keysOf(rule.selector)) {
        const entries = this.#byKey.get(key);
        if (entries) entries.push(entry);
        else this.#byKey.set(key, [entry]);
      }
    }
  }

  /** The rules that match. */
  of(element: HtmlElement, match: Match): Entry[] {
    const found = new Set<Entry>();
    for (const entry of this.#likely(element)) {
      if (match.left < 0) break;
      if (fits(element, entry, match)) found.add(entry);
    }
    return [...found];
  }

  hasAny(element: HtmlElement, match: Match): boolean {
    return match.left >= 0 && this.#likely(element).some((entry) => match.left >= 0 && fits(element, entry, match));
  }

  #likely(element: HtmlElement): readonly Entry[] {
    if (this.#byKey.size === 0) return NONE;
    const { name, attributes } = element;
    const written = attributes.class;
    const key = written === undefined ? name : `${name} ${written}`;
    let entries = this.#byNames.get(key);
    if (!entries) {
      const keys = new Set([ANY, name, ...(written?.trim().split(/\s+/) ?? []).map((one) => `.${one}`)]);
      entries = [...keys].flatMap((one) => this.#byKey.get(one) ?? NONE);
      if (entries.length === 0) entries = NONE;
      this.#byNames.set(key, entries);
    }
    const byId = attributes.id === undefined ? undefined : this.#byKey.get(`#${attributes.id}`);
    return byId ? [...entries, ...byId] : entries;
  }
}

/** In comparisons. */
const COST_OF_PARSING = 30;

function fits(element: HtmlElement, entry: Entry, match: Match): boolean {
  if (match.left < 0) return false;
  if (entry.specificity === undefined) match.left -= COST_OF_PARSING;
  else match.left -= 1;
  const parsed = parseSelector(entry.rule.selector);
  entry.specificity ??= parsed[0] ? specificityOf(parsed[0]) : 0;
  return matches(element, parsed, match);
}

const NO_KEYS: readonly string[] = [];
const PART = /(?:[\w-]|[^\x00-\x7f]|\\[^0-9a-f\n])+/;
const FIRST = new RegExp(`^([.#]?)(${PART.source})`);
const MOST_DEPTH = 5;
/** Ends with a class, an id or a name alone. */
const PLAIN = /^(?:[\w.#:-]+[ >])*(?:[.#][\w-]+|[a-z][a-z0-9]*)$/;

/** Where a selector is to be looked up; nowhere if it ends with a pseudo-element. */
function keysOf(selector: string, depth = 0): readonly string[] {
  if (PLAIN.test(selector)) return [selector.slice(1 + Math.max(selector.lastIndexOf(" "), selector.lastIndexOf(">")))];
  const last = lastCompound(selector);
  if (last.includes("::") || /:(?:before|after|first-line|first-letter)$/.test(last)) return NO_KEYS;
  if (/\\[0-9a-f]/i.test(last)) return [ANY];
  const choice = /^:(?:is|where)\(([\s\S]*)\)$/.exec(last)?.[1];
  if (choice !== undefined && depth < MOST_DEPTH && !/\)\s*:/.test(last)) {
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
