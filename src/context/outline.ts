/** A page as headings and the sections under them, read off its Markdown: so HTML, Markdown and plain text are one thing from here on. */

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

export interface Section {
  readonly id: string;
  /** Empty for what stands above the first heading. */
  readonly heading: string;
  readonly level: number;
  /** What stands between its heading and the next one, of whatever rank: no passage is in two sections. */
  readonly content: string;
  /** The headings around it, from the outermost. */
  readonly path: readonly string[];
}

export interface Outline {
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

const headingLine = /^(#{1,6})[ \t]+(.*?)[ \t]*#*$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

export function outlineOf(markdown: string): Outline {
  const headings: Heading[] = [];
  const sections: Section[] = [];
  const ids = new Map<string, number>();
  let open: { heading: Heading | undefined; lines: string[] } = { heading: undefined, lines: [] };
  let fenced: string | undefined;
  for (const line of markdown.split("\n")) {
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined && (fenced === undefined || (mark[0] === fenced[0] && mark.length >= fenced.length)))
      fenced = fenced === undefined ? mark : undefined;
    const found = fenced === undefined && mark === undefined ? headingLine.exec(line) : null;
    if (!found) {
      open.lines.push(line);
      continue;
    }
    keep(open);
    const text = plain(found[2]!);
    const heading = { level: found[1]!.length, text, id: idOf(text, ids) };
    headings.push(heading);
    open = { heading, lines: [] };
  }
  keep(open);
  return { headings, sections };

  function keep({ heading, lines }: typeof open): void {
    const content = lines.join("\n").trim();
    if (content === "") return;
    const path = heading === undefined ? [] : ancestors(headings, heading);
    sections.push({ id: heading?.id ?? "top", heading: heading?.text ?? "", level: heading?.level ?? 0, content, path });
  }
}

function ancestors(headings: readonly Heading[], heading: Heading): string[] {
  const path: string[] = [];
  let { level } = heading;
  for (let at = headings.indexOf(heading) - 1; at >= 0 && level > 1; at -= 1) {
    const above = headings[at]!;
    if (above.level >= level) continue;
    path.unshift(above.text);
    level = above.level;
  }
  return path;
}

/** Without the signs of Markdown: a heading may be a link. */
const plain = (text: string) =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`]/g, "")
    .trim();

/** As people link to headings: small letters and hyphens, numbered where a page says the same twice. */
function idOf(text: string, ids: Map<string, number>): string {
  const base =
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "") || "section";
  const count = ids.get(base) ?? 0;
  ids.set(base, count + 1);
  return count === 0 ? base : `${base}-${count + 1}`;
}
