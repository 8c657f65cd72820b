/** Headings and sections of a page, read from its Markdown, so that HTML, Markdown and plain text are handled alike from here on. */

import { isBoilerplate, isBoilerplateTitle } from "./boilerplate.ts";
import { FenceTracker } from "./fences.ts";
import { linesOf, passagesOf, splitLinks, visibleText } from "./passages.ts";

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

export interface Section {
  readonly id: string;
  /** Empty for the text before the first heading. */
  readonly heading: string;
  readonly level: number;
  /** Text up to the next heading of any level, so that no passage is in two sections. Without menus, breadcrumbs and notices. */
  readonly content: string;
  /** Enclosing headings, outermost first. */
  readonly path: readonly string[];
}

export interface Outline {
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

interface OutlinePart {
  readonly level: number;
  readonly raw: string;
  readonly lines: string[];
}

/** Id of the section before the first heading. */
const TOP_ID = "top";

export function outlineOf(markdown: string): Outline {
  const headings: Heading[] = [];
  const sections: Section[] = [];
  const ids = new Map([[TOP_ID, 1]]);
  /** The enclosing headings, outermost first. */
  const enclosing: Heading[] = [];
  let isSkipped = (_: OutlinePart) => false;
  const parts = partsOf(markdown);
  for (const part of isBanner(parts) ? parts.slice(1) : parts) {
    const text = headingText(part.raw);
    while (enclosing.length > 0 && enclosing.at(-1)!.level >= part.level) enclosing.pop();
    if (isSkipped(part)) continue;
    isSkipped = () => false;
    if (part.level > 0 && isBoilerplateTitle(text)) {
      isSkipped = ({ level }) => level > part.level;
      continue;
    }
    const content = contentOf(part);
    const path = enclosing.map(({ text }) => text);
    if (part.level === 0) {
      if (content !== "") sections.push({ id: TOP_ID, heading: "", level: 0, content, path });
      continue;
    }
    if (content === "" && isOnlyLink(part.raw)) continue;
    const heading = { level: part.level, text, id: idOf(text, ids) };
    headings.push(heading);
    enclosing.push(heading);
    if (content !== "") sections.push({ id: heading.id, heading: text, level: part.level, content, path });
  }
  return { headings, sections };
}

/** Splits the lines of a page at its headings. */
function partsOf(markdown: string): OutlinePart[] {
  const parts: OutlinePart[] = [{ level: 0, raw: "", lines: [] }];
  const fences = new FenceTracker();
  for (const line of linesOf(withoutFrontMatter(markdown))) {
    const { lines } = parts.at(-1)!;
    if (fences.readLine(line).isCode) lines.push(line);
    else if (line.length <= MAX_HEADING_LENGTH && /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line)) {
      const [signs] = /#{1,6}/.exec(line)!;
      parts.push({ level: signs.length, raw: withoutClosingMarks(line.trimStart().slice(signs.length).trim()), lines: [] });
    } else if (isUnderline(line, lines)) parts.push({ level: line.startsWith("=") ? 1 : 2, raw: lines.pop()!.trim(), lines: [] });
    else lines.push(line);
  }
  return parts;
}

/** A line or two above the title is an offer, a date or a kicker, not content. */
const MAX_BANNER_LENGTH = 160;

const isBanner = ([top, first]: readonly OutlinePart[]) =>
  first?.level === 1 && top!.lines.reduce((sum, line) => sum + line.length, 0) <= MAX_BANNER_LENGTH;

/** Skips front matter: metadata between two lines of hyphens. */
function withoutFrontMatter(markdown: string): string {
  const front = /^\uFEFF?---[ \t]*\r?\n/.exec(markdown);
  if (!front) return markdown;
  const end = markdown.indexOf("\n---", front[0].length - 1);
  return end < 0 ? markdown : markdown.slice(end + 4);
}

/** A setext underline needs a paragraph of one line above it; other lines of hyphens are separators. */
function isUnderline(line: string, lines: readonly string[]): boolean {
  if (!/^(?:={2,}|-{2,})$/.test(line.slice(0, 200).trimEnd())) return false;
  const [before = "", title = ""] = [lines.at(-2), lines.at(-1)];
  return title.trim() !== "" && title.length <= MAX_HEADING_LENGTH && before.trim() === "" && !/^\s*(?:[-*+>|]|\d{1,9}[.)]) ?/.test(title);
}

/** Removes closing number signs of an ATX heading. A loop, because a regular expression would be quadratic. */
function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end -= 1;
  return end === 0 || /\s/.test(text[end - 1]!) ? text.slice(0, end).trimEnd() : text;
}

/** Removes menus, and a label that only introduces one; links that a sentence announces stay. */
function contentOf({ lines }: OutlinePart): string {
  const passages = passagesOf(lines.join("\n"));
  const isRemoved: boolean[] = [];
  let isAnnounced = false;
  for (const [at, passage] of passages.entries()) {
    const isMenu = isBoilerplate(passage);
    // Items of a loose list are separate passages.
    isAnnounced = isMenu && hasNamedLinks(passage) && (isAnnounced || (isRemoved[at - 1] === false && announcesLinks(passages[at - 1]!)));
    isRemoved.push(isMenu && !isAnnounced);
  }
  const kept = passages.filter((passage, at) => !isRemoved[at] && !(isRemoved[at + 1] && isLeadIn(passage)));
  return kept.join("\n\n").trim();
}

const announcesLinks = (passage: string) => passage.length > MAX_LABEL_LENGTH && /[^\s*_]:$/.test(passage);
const hasNamedLinks = (passage: string) => splitLinks(passage).linkTexts.some((text) => /\p{L}/u.test(text));

/** A longer text is a sentence, not a label. */
const MAX_LABEL_LENGTH = 60;
const isLeadIn = (passage: string) => passage.length <= MAX_LABEL_LENGTH && /^(?:\*\*[^*\n]+\*\*:?|[^\n]+:)$/.test(passage);

const isOnlyLink = (raw: string) => {
  const { linkTexts, rest } = splitLinks(raw);
  return linkTexts.length > 0 && rest.trim() === "";
};

/** A longer heading is a paragraph in large type. */
const MAX_HEADING_LENGTH = 300;
const headingText = (raw: string) => visibleText(raw).replace(/\s+/g, " ").trim();

/** A heading id as usual for anchors: lower case and hyphens, numbered if a heading repeats. */
function idOf(text: string, ids: Map<string, number>): string {
  const base =
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "") || "section";
  let count = (ids.get(base) ?? 0) + 1;
  while (count > 1 && ids.has(`${base}-${count}`)) count += 1;
  const id = count === 1 ? base : `${base}-${count}`;
  ids.set(base, count);
  if (id !== base) ids.set(id, 1);
  return id;
}
