/** Headings and sections of a page, read from its Markdown, so that HTML, Markdown and plain text are handled alike from here on. */
import { Fences } from "./fences.ts";
import { isFurniture, isFurnitureTitle } from "./furniture.ts";
import { linesOf, linksApart, passagesOf, readable } from "./passages.ts";

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

interface Found {
  readonly level: number;
  readonly raw: string;
  readonly lines: string[];
}

/** Id of the section before the first heading. */
const TOP = "top";

export function outlineOf(markdown: string): Outline {
  const headings: Heading[] = [];
  const sections: Section[] = [];
  const ids = new Map([[TOP, 1]]);
  /** The enclosing headings, outermost first. */
  const above: Heading[] = [];
  let isSkipped = (_: Found) => false;
  const parts = partsOf(markdown);
  for (const part of isBanner(parts) ? parts.slice(1) : parts) {
    const text = headingText(part.raw);
    while (above.length > 0 && above.at(-1)!.level >= part.level) above.pop();
    if (isSkipped(part)) continue;
    isSkipped = () => false;
    if (part.level > 0 && isFurnitureTitle(text)) {
      isSkipped = ({ level }) => level > part.level;
      continue;
    }
    const content = contentOf(part);
    const path = above.map(({ text }) => text);
    if (part.level === 0) {
      if (content !== "") sections.push({ id: TOP, heading: "", level: 0, content, path });
      continue;
    }
    if (content === "" && isOnlyLink(part.raw)) continue;
    const heading = { level: part.level, text, id: idOf(text, ids) };
    headings.push(heading);
    above.push(heading);
    if (content !== "") sections.push({ id: heading.id, heading: text, level: part.level, content, path });
  }
  return { headings, sections };
}

/** Splits the lines of a page at its headings. */
function partsOf(markdown: string): Found[] {
  const parts: Found[] = [{ level: 0, raw: "", lines: [] }];
  const fences = new Fences();
  for (const line of linesOf(bodyOf(markdown))) {
    const { lines } = parts.at(-1)!;
    if (fences.take(line).isCode) lines.push(line);
    else if (line.length <= LONGEST && /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line)) {
      const [signs] = /#{1,6}/.exec(line)!;
      parts.push({ level: signs.length, raw: withoutClosing(line.trimStart().slice(signs.length).trim()), lines: [] });
    } else if (isUnderline(line, lines)) parts.push({ level: line.startsWith("=") ? 1 : 2, raw: lines.pop()!.trim(), lines: [] });
    else lines.push(line);
  }
  return parts;
}

/** A line or two above the title is an offer, a date or a kicker, not content. */
const LONGEST_BANNER = 160;

const isBanner = ([top, first]: readonly Found[]) =>
  first?.level === 1 && top!.lines.reduce((sum, line) => sum + line.length, 0) <= LONGEST_BANNER;

/** Skips front matter: metadata between two lines of hyphens. */
function bodyOf(markdown: string): string {
  const front = /^\uFEFF?---[ \t]*\r?\n/.exec(markdown);
  if (!front) return markdown;
  const end = markdown.indexOf("\n---", front[0].length - 1);
  return end < 0 ? markdown : markdown.slice(end + 4);
}

/** A setext underline needs a paragraph of one line above it; other lines of hyphens are separators. */
function isUnderline(line: string, lines: readonly string[]): boolean {
  if (!/^(?:={2,}|-{2,})$/.test(line.slice(0, 200).trimEnd())) return false;
  const [before = "", title = ""] = [lines.at(-2), lines.at(-1)];
  return title.trim() !== "" && title.length <= LONGEST && before.trim() === "" && !/^\s*(?:[-*+>|]|\d{1,9}[.)]) ?/.test(title);
}

/** Removes closing number signs of an ATX heading. A loop, because a regular expression would be quadratic. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end -= 1;
  return end === 0 || /\s/.test(text[end - 1]!) ? text.slice(0, end).trimEnd() : text;
}

/** Removes menus, and a label that only introduces one; links that a sentence announces stay. */
function contentOf({ lines }: Found): string {
  const passages = passagesOf(lines.join("\n"));
  const isGone: boolean[] = [];
  let isAnnounced = false;
  for (const [at, passage] of passages.entries()) {
    const isMenu = isFurniture(passage);
    // Items of a loose list are separate passages.
    isAnnounced = isMenu && namesLinks(passage) && (isAnnounced || (isGone[at - 1] === false && announces(passages[at - 1]!)));
    isGone.push(isMenu && !isAnnounced);
  }
  const kept = passages.filter((passage, at) => !isGone[at] && !(isGone[at + 1] && leadsOver(passage)));
  return kept.join("\n\n").trim();
}

const announces = (passage: string) => passage.length > LEAD && /[^\s*_]:$/.test(passage);
const namesLinks = (passage: string) => linksApart(passage).linked.some((text) => /\p{L}/u.test(text));

/** A longer text is a sentence, not a label. */
const LEAD = 60;
const leadsOver = (passage: string) => passage.length <= LEAD && /^(?:\*\*[^*\n]+\*\*:?|[^\n]+:)$/.test(passage);

const isOnlyLink = (raw: string) => {
  const { linked, rest } = linksApart(raw);
  return linked.length > 0 && rest.trim() === "";
};

/** A longer heading is a paragraph in large type. */
const LONGEST = 300;
const headingText = (raw: string) => readable(raw).replace(/\s+/g, " ").trim();

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
