/** Matches selectors against the tree of a page. css-what parses them; the matching is bounded, which that of css-select is not. */
import { type AttributeSelector, type PseudoSelector, parse, type Selector } from "css-what";
import type { HtmlElement } from "../html-tree.ts";
import type { Ancestors } from "./ancestors.ts";
import { isNth, type Places } from "./places.ts";

/** The parsed alternatives of a selector list. */
export type Parsed = readonly (readonly Selector[])[];

const MAX_LENGTH = 4000;
const remembered = new Map<string, Parsed>();
const MAX_REMEMBERED = 100_000;
const NOTHING: Parsed = [];

/** Empty if it is invalid. */
export function parseSelector(text: string): Parsed {
  let parsed = remembered.get(text);
  if (parsed === undefined) {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    try {
      parsed = text.length > MAX_LENGTH ? NOTHING : parse(text);
    } catch {
      parsed = NOTHING;
    }
    remembered.set(text, parsed);
  }
  return parsed;
}

/** Comparisons left for a page, so that no page can take long. */
export interface Match {
  readonly places: Places;
  readonly ancestors: Ancestors;
  left: number;
}

const traversals = new Set(["descendant", "child", "sibling", "adjacent", "parent", "column-combinator"]);

export const matches = (element: HtmlElement, parsed: Parsed, match: Match): boolean =>
  parsed.some((selector) => matchesTo(element, selector, selector.length - 1, match) === FITS);

/** As `matches`; nearly all selectors are not lists. */
export const matchesOne = (element: HtmlElement, parsed: Parsed, match: Match): boolean =>
  parsed.length === 1 ? matchesTo(element, parsed[0]!, parsed[0]!.length - 1, match) === FITS : matches(element, parsed, match);

const frequent = new Set(["class", "id", "href", "rel", "role", "itemprop", "property", "title"]);

/** Whether only elements with one of the less frequent attributes match. */
export function asksForRare(selector: readonly Selector[]): boolean {
  for (let at = selector.length - 1; at >= 0 && !traversals.has(selector[at]!.type); at -= 1) {
    const token = selector[at]!;
    if (token.type === "attribute" && !frequent.has(token.name.toLowerCase())) return true;
  }
  return false;
}

/** How a match failed says which other elements need not be tried, so that a selector is not tried in all ways. */
const FITS = 0;
const FAILS_HERE = 1;
const FAILS_FOR_SIBLINGS = 2;
const FAILS_FOR_ALL = 3;
type Outcome = typeof FITS | typeof FAILS_HERE | typeof FAILS_FOR_SIBLINGS | typeof FAILS_FOR_ALL;

/** Matches the tokens up to `last`, from the right. */
function matchesTo(element: HtmlElement, selector: readonly Selector[], last: number, match: Match): Outcome {
  let at = last;
  for (; at >= 0 && !traversals.has(selector[at]!.type); at -= 1) {
    match.left -= 1;
    if (match.left < 0) return FAILS_FOR_ALL;
    if (!isOne(element, selector[at]!, match)) return FAILS_HERE;
  }
  if (at < 0) return FITS;
  const { type } = selector[at]!;
  if (type === "descendant") {
    for (let above = element.parent; above; above = above.parent) {
      const outcome = matchesTo(above, selector, at - 1, match);
      if (outcome === FITS || outcome === FAILS_FOR_ALL) return outcome;
    }
    return FAILS_FOR_ALL;
  }
  if (type === "child") {
    if (!element.parent) return FAILS_FOR_ALL;
    const outcome = matchesTo(element.parent, selector, at - 1, match);
    return outcome === FITS || outcome === FAILS_FOR_ALL ? outcome : FAILS_FOR_SIBLINGS;
  }
  if (type !== "adjacent" && type !== "sibling") return FAILS_FOR_ALL;
  const siblings = match.places.siblingsOf(element);
  const place = match.places.indexOf(element);
  const least = type === "adjacent" ? Math.max(0, place - 1) : 0;
  for (let before = place - 1; before >= least; before -= 1) {
    const outcome = matchesTo(siblings[before]!, selector, at - 1, match);
    if (outcome !== FAILS_HERE || type === "adjacent") return outcome;
  }
  return FAILS_FOR_SIBLINGS;
}

function isOne(element: HtmlElement, token: Selector, match: Match): boolean {
  switch (token.type) {
    case "universal":
      return true;
    case "tag":
      return element.name === token.name.toLowerCase();
    case "attribute":
      if (token.action === "element" && token.name === "class") return hasWord(element.attributes.class, token.value);
      return hasAttribute(element, token);
    case "pseudo":
      return isPseudo(element, token, match);
    default:
      return false;
  }
}

/** Without a copy, because nearly all comparisons are with a class. */
function hasWord(list: string | undefined, word: string): boolean {
  if (list === undefined || word === "") return false;
  for (let at = list.indexOf(word); at >= 0; at = list.indexOf(word, at + 1)) {
    const after = at + word.length;
    if ((at === 0 || list.charCodeAt(at - 1) <= 32) && (after === list.length || list.charCodeAt(after) <= 32)) return true;
  }
  return false;
}

function hasAttribute({ attributes, name: tag }: HtmlElement, { name, action, value, ignoreCase }: AttributeSelector): boolean {
  // Attributes that the tree does not keep are taken for missing.
  const raw = (attributes as Readonly<Record<string, string | undefined>>)[name.toLowerCase()];
  if (raw === undefined) return false;
  const isFolded = ignoreCase === true || (ignoreCase !== false && tag !== "" && /^(?:type|lang|rel|media|hidden|dir)$/.test(name));
  const given = isFolded ? raw.toLowerCase() : raw;
  const wanted = isFolded ? value.toLowerCase() : value;
  switch (action) {
    case "exists":
      return true;
    case "equals":
      return given === wanted;
    case "element":
      return hasWord(given, wanted);
    case "start":
      return wanted !== "" && given.startsWith(wanted);
    case "end":
      return wanted !== "" && given.endsWith(wanted);
    case "any":
      return wanted !== "" && given.includes(wanted);
    case "hyphen":
      return given === wanted || given.startsWith(`${wanted}-`);
    default:
      return false;
  }
}

/** In comparisons. */
const COST_OF_PLACE = 8;

/** States that an element enters only by an action of the user. */
function isPseudo(element: HtmlElement, { name, data }: PseudoSelector, match: Match): boolean {
  const nested = Array.isArray(data) ? data : undefined;
  const text = typeof data === "string" ? data : "";
  if (/^(?:is|where|matches|-webkit-any|-moz-any|any)$/.test(name)) return matches(element, nested ?? parseSelector(text), match);
  if (name === "not") return nested !== undefined && !matches(element, nested, match);
  if (name === "has") return nested?.some((selector) => hasWithin(element, selector, match)) === true;
  if (name.includes("child") || name.includes("of-type")) {
    match.left -= COST_OF_PLACE;
    return isNth(element, name, text, match.places);
  }
  if (name === "root") return element.parent === undefined || element.name === "html";
  if (name === "scope") return element.parent === undefined;
  if (name === "empty") return element.children.every((child) => child === "");
  if (name === "link" || name === "any-link") return element.name === "a" && element.attributes.href !== undefined;
  if (name === "lang") return langOf(element)?.startsWith(text.replace(/["']/g, "").toLowerCase()) === true;
  if (name === "dir") return text.trim() === "ltr";
  return name === "defined" || name === "enabled" || name === "read-only";
}

function langOf(element: HtmlElement): string | undefined {
  for (let at: HtmlElement | undefined = element; at; at = at.parent)
    if (at.attributes.lang !== undefined) return at.attributes.lang.toLowerCase();
  return undefined;
}

/** `:has()`: some element below, or a sibling after it. */
function hasWithin(element: HtmlElement, selector: readonly Selector[], match: Match): boolean {
  const [first] = selector;
  const isRelative = first !== undefined && traversals.has(first.type);
  const rest = isRelative ? selector.slice(1) : selector;
  if (first?.type === "adjacent" || first?.type === "sibling") {
    const after = match.places.siblingsOf(element).slice(match.places.indexOf(element) + 1);
    return (first.type === "adjacent" ? after.slice(0, 1) : after).some((one) => matchesTo(one, rest, rest.length - 1, match) === FITS);
  }
  const isChild = first?.type === "child";
  const visit = (parent: HtmlElement): boolean =>
    parent.children.some(
      (child) =>
        typeof child === "object" &&
        match.left > 0 &&
        (matchesTo(child, rest, rest.length - 1, match) === FITS || (!isChild && visit(child))),
    );
  return visit(element);
}

/** Ids, then classes, attributes and states, then names (Selectors §17), as one number. */
export function specificityOf(selector: readonly Selector[]): number {
  let sum = 0;
  for (const token of selector) {
    if (token.type === "attribute") sum += token.name === "id" && token.action === "equals" ? 1_000_000 : 1000;
    else if (token.type === "tag" || token.type === "pseudo-element") sum += 1;
    else if (token.type === "pseudo") {
      if (token.name === "where") continue;
      if (Array.isArray(token.data)) sum += Math.max(0, ...token.data.map(specificityOf));
      else sum += 1000;
    }
  }
  return sum;
}
