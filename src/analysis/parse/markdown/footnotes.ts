/** Footnotes: finds reference links and their notes, and rewrites both for Markdown's footnote syntax. */
import { limitMarks } from "../../../core/code-units.ts";
import { NO_ATTRIBUTES } from "../attributes.ts";
import type { HtmlElement, HtmlNode } from "../html-tree.ts";

export interface Footnote {
  readonly label: string;
  readonly note: HtmlElement;
  /** The element that contains only the number of the note. */
  readonly term: HtmlElement | undefined;
  readonly marks: readonly HtmlElement[];
}

interface Mark {
  readonly link: HtmlElement;
  readonly around: readonly HtmlElement[];
}

interface Target {
  readonly note: HtmlElement;
  readonly term: HtmlElement | undefined;
}

const SAYS_MARK = /(?:^|[\s_-])(?:footnote-?ref(?:erence)?|note-?ref|fn-?ref|doc-noteref|sdfootnoteanc)(?:$|[\s_-])/i;
const NUMBER = /^[[(]?\s*[\p{L}\p{N}*†‡]{1,4}\s*[\])]?$/u;
const noteNames = new Set(["li", "p", "div", "dd", "dt", "aside", "section"]);
/** Longer targets are parts of the text, not notes. */
const MAX_NOTE_LENGTH = 4000;
const MAX_DEPTH = 300;

export function footnotesIn(root: HtmlElement): Footnote[] {
  const marks: Mark[] = [];
  const targets = new Map<string, Target>();
  gather(root, [], marks, targets);
  const found = new Map<HtmlElement, { label: string; term: HtmlElement | undefined; marks: HtmlElement[] }>();
  const labels = new Set<string>();
  const waysBack = new Set<string>();
  for (const { link, around } of marks) {
    const fragment = fragmentOf(link);
    const { note, term } = targets.get(fragment) ?? {};
    if (waysBack.has(fragment)) continue;
    if (note === undefined || around.includes(note) || lengthOf(note) > MAX_NOTE_LENGTH || holdsSections(note)) continue;
    for (const { attributes } of [link, ...around.slice(-2)])
      for (const place of [attributes.id, attributes.name]) if (place) waysBack.add(place);
    const known = found.get(note);
    if (known) known.marks.push(link);
    else found.set(note, { label: freeLabel(link, labels), term, marks: [link] });
  }
  return [...found].map(([note, rest]) => ({ note, ...rest }));
}

function gather(element: HtmlElement, around: readonly HtmlElement[], marks: Mark[], targets: Map<string, Target>): void {
  if (around.length > MAX_DEPTH) return;
  const within = [...around, element];
  element.children.forEach((child) => {
    if (typeof child === "string") return;
    const { id, name } = child.attributes;
    const place = id ?? (child.name === "a" ? name : undefined);
    if (place && !targets.has(place)) {
      const target = targetOf([...within, child]);
      if (target) targets.set(place, target);
    }
    if (child.name === "a" && child.attributes.href?.startsWith("#") && isMark(child, within)) marks.push({ link: child, around: within });
    gather(child, within, marks, targets);
  });
}

function targetOf(within: readonly HtmlElement[]): Target | undefined {
  const at = within.findLastIndex((element) => noteNames.has(element.name) || isTableOfNote(element));
  const note = within[at];
  if (note?.name !== "dt") return note && { note, term: undefined };
  const beside = within[at - 1]!.children.filter((child) => typeof child === "object");
  const next = beside[beside.indexOf(note) + 1];
  return next?.name === "dd" ? { note: next, term: note } : undefined;
}

/** Some pages lay out a note as a table with its number in one cell and its text in the next. */
const isTableOfNote = (element: HtmlElement): boolean => element.name === "table" && noteInTable(element) !== undefined;

function noteInTable(table: HtmlElement): HtmlElement | undefined {
  if (table.hasTable) return undefined;
  const known = inTables.get(table);
  if (known !== undefined) return known.note;
  const rows = childrenOf(table).flatMap((child) => (child.name === "tbody" ? childrenOf(child) : child.name === "tr" ? [child] : []));
  const [number, note, ...more] = rows.length === 1 ? childrenOf(rows[0]!) : [];
  const isNote = number !== undefined && more.length === 0 && NUMBER.test(textIn(number).trim());
  inTables.set(table, { note: isNote ? note : undefined });
  return isNote ? note : undefined;
}

/** Cached, because a table may contain many possible targets. */
const inTables = new WeakMap<HtmlElement, { readonly note: HtmlElement | undefined }>();

const childrenOf = ({ children }: HtmlElement): HtmlElement[] => children.filter((child) => typeof child === "object");

/** An element with headings or notes of its own is a section, not a note. */
const holdsSections = ({ children }: HtmlElement): boolean =>
  children.some((child) => typeof child === "object" && (/^h[1-6]$/.test(child.name) || isTableOfNote(child) || holdsSections(child)));

function isMark(link: HtmlElement, around: readonly HtmlElement[]): boolean {
  const { attributes } = link;
  const words = textIn(link).trim();
  if (SAYS_MARK.test(`${attributes.class ?? ""} ${attributes.role ?? ""} ${attributes.rel ?? ""}`)) return words.length < 20;
  const isRaised =
    around.slice(-3).some(({ name }) => name === "sup") || link.children.some((child) => typeof child === "object" && child.name === "sup");
  return isRaised ? NUMBER.test(words) : /^[¹²³⁰-⁹]+$/.test(words);
}

const fragmentOf = ({ attributes }: HtmlElement): string => {
  const fragment = attributes.href!.slice(1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment; // not percent-encoded correctly: used as written
  }
};

function freeLabel(link: HtmlElement, taken: Set<string>): string {
  const said =
    limitMarks(textIn(link))
      .normalize("NFKC")
      .replace(/[^\p{L}\p{N}]/gu, "") || String(taken.size + 1);
  let label = said;
  for (let more = 2; taken.has(label); more += 1) label = `${said}-${more}`;
  taken.add(label);
  return label;
}

/** The tree with a `noteref` for each reference and a `note` for each note, both with their label as `id`, and without the links back. */
export function withFootnotes(root: HtmlElement): HtmlElement {
  const footnotes = footnotesIn(root);
  if (footnotes.length === 0) return root;
  const labelOf = new Map(footnotes.flatMap(({ label, marks }) => marks.map((mark) => [mark, label])));
  const noteOf = new Map(footnotes.map((one) => [one.note, one]));
  const terms = new Set(footnotes.map(({ term }) => term));
  return copy(root, false);

  function copy(element: HtmlElement, isInNote: boolean): HtmlElement {
    const children = element.children.flatMap((child): HtmlNode[] => {
      if (typeof child === "string") return [child];
      const label = labelOf.get(child);
      if (label !== undefined) return [{ ...child, name: "noteref", attributes: { id: label }, children: [] }];
      const note = noteOf.get(child);
      if (note) return [{ ...copy(noteInTable(child) ?? child, true), name: "note", attributes: { id: note.label }, isBlock: true }];
      if (terms.has(child) || (isInNote && isWayBack(child))) return [];
      const copied = copy(child, isInNote);
      return isInNote && copied.children.length < child.children.length && isOnlyMarks(copied) ? [] : [copied];
    });
    const holdsNotes = children.some((child) => typeof child === "object" && child.name === "note");
    if (holdsNotes && /^(?:[uo]l|dl)$/.test(element.name)) return { ...element, name: "div", attributes: NO_ATTRIBUTES, children };
    return { ...element, children: isBracketed(children) ? children.filter((child) => typeof child === "object") : children };
  }
}

/** Prevents [[1]] for a reference in brackets. */
const isBracketed = (children: readonly HtmlNode[]): boolean =>
  children.some((child) => typeof child === "object" && child.name === "noteref") &&
  children.every((child) => (typeof child === "string" ? /^[\s[\]()]*$/.test(child) : child.name === "noteref"));

const BACK = /back-?(?:ref|link)|(?:reverse|return)-?footnote|footnote-?(?:back|return)|fn-?back/i;

const isWayBack = (element: HtmlElement): boolean => {
  const { name, attributes } = element;
  if (BACK.test(`${attributes.class ?? ""} ${attributes.role ?? ""}`)) return true;
  if (name === "span" && /(?:^|\s)(?:label|fn-bracket)(?:$|\s)/.test(attributes.class ?? "")) return true;
  return (
    name === "a" &&
    attributes.href?.startsWith("#") === true &&
    /^[\s[\]()^.\p{N}⁰-⁹\p{So}\p{Sm}]*$|^\s*\p{L}\s*$/u.test(textIn(element).replace(/[\ufe0e\ufe0f]/g, ""))
  );
};

/** What is left of `(1, 2)` without its links. */
const isOnlyMarks = (element: HtmlElement): boolean => /^[\s(),;[\]]*$/.test(textIn(element));

/** A note's text without its own number at the start. */
export const withoutLabel = (text: string, label: string): string => {
  const rest = text.replace(/^(?:\\?\[\s*\\?\]|\\?[\^↑↩:.]|\s)+/, "");
  const number = /^\\?[[(]?([\p{L}\p{N}]{1,4})\\?[\])]?[.):]?\s+/u.exec(rest);
  return number?.[1] === label ? rest.slice(number[0].length) : rest;
};

const textIn = (element: HtmlElement): string =>
  element.children.map((child) => (typeof child === "string" ? child : textIn(child))).join("");
const lengthOf = (element: HtmlElement): number =>
  element.children.reduce((sum, child) => sum + (typeof child === "string" ? child.length : lengthOf(child)), 0);
