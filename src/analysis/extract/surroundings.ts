/**
 * Positions on a page: its lines of text, and the elements that may name a person or a date, each with its offset for
 * the distance from the headline.
 */
import { type HtmlElement, type HtmlNode, isBlank, tidy } from "../parse/index.ts";
import { placeClasses } from "./class-signs.ts";
import { simplified } from "./comparison-key.ts";
import { cachedPerPage, type PageView } from "./page-view.ts";
import { PatternSet } from "./pattern-set.ts";

/** Roles that an element or an ancestor has by its name, class or id. */
export const marks = {
  edge: placeClasses.bits.edge, // navigation, footer: belongs to the site, not to the page
  aside: placeClasses.bits.aside, // beside the main content, or leads to other pages
  comment: placeClasses.bits.comment,
  dated: placeClasses.bits.dated,
  updated: placeClasses.bits.updated,
  byline: placeClasses.bits.byline,
  biography: placeClasses.bits.biography,
  change: 1 << 29, // its text gives only the date of the last change
} as const;

/** Not shown as text. */
const INVISIBLE = 1 << 30;
const invisibleTags = ["script", "style", "title", "template", "svg", "math", "noscript", "select", "datalist", "head"];

const byName: ReadonlyMap<string, number> = new Map([
  ["nav", marks.edge],
  ["footer", marks.edge],
  ["aside", marks.aside],
  ["time", marks.dated],
  ...invisibleTags.map((name) => [name, INVISIBLE] as const),
]);

export interface Line {
  readonly text: string;
  /** Characters of text before it on the page. */
  readonly at: number;
  readonly marks: number;
  readonly hasDigit: boolean;
  /** The part of the line that is marked as the date of the last change. */
  readonly change: string;
  /** The block element that contains it. */
  readonly block: HtmlElement;
}

export interface Spot {
  readonly element: HtmlElement;
  readonly at: number;
  readonly marks: number;
  /** The marks of the element itself, without those of its ancestors. */
  readonly own: number;
}

export interface Surroundings {
  readonly lines: readonly Line[];
  /** Elements that may name a person or a date. */
  readonly spots: readonly Spot[];
  readonly headline: { readonly start: number; readonly end: number; readonly article: HtmlElement | undefined } | undefined;
  /** Characters of text on the page. */
  readonly length: number;
}

const MAX_LINE_LENGTH = 400;
const MAX_HEADINGS = 60;

/** Cached, because author, dates and description use it. */
export const surroundingsOf = cachedPerPage((page): Surroundings => new TextWalk(page).surroundings());

class TextWalk {
  readonly #page: PageView;
  readonly #heading: HtmlElement | undefined;
  /** Ancestors of the headline. They contain the whole content, so their classes do not distinguish its parts. */
  readonly #aroundHeading: ReadonlySet<HtmlElement>;
  readonly #lines: Line[] = [];
  readonly #spots: Spot[] = [];
  #headline: Surroundings["headline"];
  #at = 0;
  #line = "";
  /** Length in the source, including all white space. */
  #lineLength = 0;
  #lineAt = 0;
  #lineMarks = 0;
  #lineChange = "";

  constructor(page: PageView) {
    this.#page = page;
    this.#heading = headingOf(page);
    this.#aroundHeading = new Set(ancestors(this.#heading));
  }

  surroundings(): Surroundings {
    this.#visit(this.#page.root, 0, this.#page.root);
    this.#endLine(this.#page.root);
    return { lines: this.#lines, spots: this.#spots, headline: this.#headline, length: this.#at };
  }

  #visit(node: HtmlElement, ancestorMarks: number, block: HtmlElement): void {
    const nameMarks = byName.get(node.name) ?? 0;
    if (nameMarks === INVISIBLE) return;
    const own = node.hasBlock && this.#aroundHeading.has(node) ? 0 : nameMarks | marksOf(node.attributes);
    const all = ancestorMarks | own | (isChangeDate(node, own) ? marks.change : 0);
    const breaksLine = node.isBlock || node.name === "br";
    if (breaksLine) this.#endLine(block);
    if (isCandidate(node, own)) this.#spots.push({ element: node, at: this.#at, marks: all, own });
    const start = this.#at;
    const inner = node.isBlock ? node : block;
    for (const child of node.children) {
      if (typeof child === "string") this.#read(child, all);
      else this.#visit(child, all, inner);
    }
    if (breaksLine) this.#endLine(inner);
    if (node === this.#heading) this.#headline = { start, end: this.#at, article: enclosingArticle(node) };
  }

  #read(text: string, ancestorMarks: number): void {
    const isFull = this.#lineLength >= MAX_LINE_LENGTH;
    this.#lineLength += text.length;
    if (isBlank(text)) {
      if (this.#line !== "" && !isFull) this.#line += " ";
      return;
    }
    if (this.#line === "") this.#lineAt = this.#at;
    if (!isFull) this.#line += text;
    this.#at += text.length;
    this.#lineMarks |= ancestorMarks;
    if ((ancestorMarks & marks.change) !== 0 && this.#lineChange.length < MAX_LINE_LENGTH) this.#lineChange += text;
  }

  #endLine(block: HtmlElement): void {
    if (this.#lineLength === 0) return;
    const text = tidy(this.#line);
    const change = this.#lineChange === "" ? "" : tidy(this.#lineChange);
    if (text !== "") this.#lines.push({ text, at: this.#lineAt, marks: this.#lineMarks, hasDigit: /\d/.test(text), change, block });
    this.#line = "";
    this.#lineLength = 0;
    this.#lineMarks = 0;
    this.#lineChange = "";
  }
}

function marksOf({ class: classes, id, itemprop }: HtmlElement["attributes"]): number {
  const isReview = itemprop !== undefined && /^reviews?$/i.test(itemprop);
  return placeClasses.matchesOf(classes) | placeClasses.matchesOf(id) | (isReview ? marks.comment : 0);
}

/** An element marked as both published and updated gives the date of publication. */
const isChangeDate = ({ attributes, hasBlock }: HtmlElement, own: number) =>
  !hasBlock &&
  ((attributes.itemprop !== undefined && /\bdateModified\b/i.test(attributes.itemprop)) ||
    ((own & marks.updated) !== 0 && !/publi/i.test(attributes.class ?? "")));

/** The heading that repeats the page's title, else the first h1. */
function headingOf(page: PageView): HtmlElement | undefined {
  const titles = [page.metas.get("og:title")?.[0], titleOf(page)]
    .map((title) => simplified(title ?? ""))
    .filter((title) => title.length > 8);
  const headings = page.elements.filter(({ name }) => name === "h1" || name === "h2").slice(0, MAX_HEADINGS);
  const inside = headings.filter(
    (heading) => !ancestors(heading).some(({ name }) => name === "nav" || name === "footer" || name === "aside"),
  );
  const repeated = inside.find((heading) => {
    const text = simplified(briefText(heading));
    return text.length > 8 && titles.some((title) => title.includes(text) || text.includes(title));
  });
  return repeated ?? inside.find(({ name }) => name === "h1") ?? headings.find(({ name }) => name === "h1");
}

function ancestors(element: HtmlElement | undefined): HtmlElement[] {
  const found: HtmlElement[] = [];
  for (let at = element?.parent; at !== undefined; at = at.parent) found.push(at);
  return found;
}

const titleOf = ({ elements }: PageView) => String(elements.find(({ name }) => name === "title")?.children[0] ?? "").slice(0, 500);

export function enclosingArticle(element: HtmlElement): HtmlElement | undefined {
  let at: HtmlElement | undefined = element;
  while (at !== undefined && at.name !== "article") at = at.parent;
  return at;
}

function isCandidate({ name, attributes }: HtmlElement, own: number): boolean {
  if (name === "time" || attributes.itemprop !== undefined || attributes.property !== undefined) return name !== "meta";
  if ((own & (marks.byline | marks.dated | marks.updated)) !== 0) return true;
  return name === "a" && (attributes.rel?.includes("author") || isPersonLink(attributes.href)) === true;
}

/** Links to pages about authors. */
export const isPersonLink = (href: string | undefined): boolean =>
  href !== undefined && personLinks.matching(href.length > 300 ? href.slice(0, 300) : href) !== 0;

const personLinks = new PatternSet([
  /[/?&](?:authors?|auteurs?|autor(?:en|es|i)?|autore|writers?|contributors?|people|person|profiles?|users?|members?|staff|team|journalists?|columnists?|redakteure?|by|byline|bio)[/=]./i,
]);

/** The position of a line or element as one word. */
export function placeOf({ at, marks: all }: Line | Spot, element: HtmlElement, { headline }: Surroundings): string {
  if ((all & marks.comment) !== 0) return "comment";
  if ((all & marks.edge) !== 0) return "edge";
  if (headline === undefined) return (all & marks.aside) !== 0 ? "aside" : "body";
  const isBefore = at < headline.start;
  const distance = isBefore ? headline.start - at : at - headline.end;
  if (distance < (isBefore ? 200 : 500)) return "near";
  if ((all & marks.aside) !== 0) return "aside";
  if (isBefore) return "body";
  const article = enclosingArticle(element);
  if (article !== undefined && article !== headline.article) return "aside";
  return distance < 2000 ? "body" : "far";
}

const MAX_BRIEF_LENGTH = 400;
const MAX_NODES = 300;

/** The text of a small element on one line, or the beginning of a large one. The limits keep calls for nested elements cheap. */
export function briefText(element: HtmlElement): string {
  const parts: string[] = [];
  let letters = 0;
  let nodes = 0;
  const collect = (node: HtmlNode) => {
    nodes += 1;
    if (letters > MAX_BRIEF_LENGTH || nodes > MAX_NODES) return;
    if (typeof node === "string") {
      const text = node.length > MAX_BRIEF_LENGTH * 4 ? node.slice(0, MAX_BRIEF_LENGTH * 4) : node;
      parts.push(text);
      letters += text.trim().length;
      return;
    }
    if (byName.get(node.name) === INVISIBLE) return;
    const breaksLine = node.isBlock || node.name === "br";
    if (breaksLine) parts.push(" ");
    for (const child of node.children) if (letters <= MAX_BRIEF_LENGTH && nodes <= MAX_NODES) collect(child);
    if (breaksLine) parts.push(" ");
  };
  collect(element);
  return tidy(parts.join(""));
}
