import type { HtmlElement, HtmlNode } from "../html-tree.ts";
import { type InlineOptions, inline, isGutter, textOf } from "./markdown-inline.ts";

interface Row {
  readonly cells: readonly HtmlElement[];
  readonly isHeader: boolean;
  /** The section of the table; a cell with rowspan does not extend beyond it. */
  readonly part: HtmlElement;
}

/** A GitHub table, after its caption. Undefined for layout tables, whose cells are read one after another. */
export function tableOf(table: HtmlElement, options: InlineOptions): string[] | undefined {
  const rows = rowsIn(table, false);
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  if (isLayout(table, rows, width)) return undefined;
  const captions = table.children.filter((child) => typeof child === "object" && child.name === "caption") as HtmlElement[];
  const written = rows.map(({ cells }) => cells.map((cell) => cellOf(cell.children, options)));
  const texts = gridOf(rows, written, width);
  const caption = captions.map((each) => inline(each.children, options));
  if (options.isPlain) return [...caption, texts.map((cells) => cells.join("\t")).join("\n")];
  const titles = titlesIn(rows);
  const heads = headsIn(rows, titles);
  const columns = texts.reduce((most, cells) => Math.max(most, cells.length), 0);
  const header = Array.from({ length: columns }, (_, at) => headOf(texts.slice(titles, heads).map((cells) => cells[at] ?? "")));
  const lines = [header, header.map(() => "---"), ...texts.slice(heads)].map((cells) => `| ${cells.join(" | ")} |`);
  return [...caption, ...texts.slice(0, titles).map((cells) => cells[0]!), lines.join("\n")];
}

/** Tables whose cells contain headings or code of several lines: neither can be written in a Markdown cell. */
function isLayout(table: HtmlElement, rows: readonly Row[], width: number): boolean {
  if (table.hasTable || width < 2 || /^(presentation|none)$/.test(table.attributes.role ?? "")) return true;
  return rows.some(({ cells }) => cells.some(({ hasBlock, children }) => hasBlock && holdsParts(children)));
}

const holdsParts = (nodes: readonly HtmlNode[]): boolean =>
  nodes.some((node) => typeof node === "object" && (isPart(node) || (node.hasBlock && holdsParts(node.children))));

const isPart = ({ name, children }: HtmlElement): boolean =>
  /^h[1-6]$/.test(name) || (name === "pre" && /\S\s*\n\s*\S/.test(textOf(children)));

/** A cell is one line: paragraphs and list items in it are separated by `<br>`. */
function cellOf(children: readonly HtmlNode[], options: InlineOptions): string {
  const lines: string[] = [];
  let run: HtmlNode[] = [];
  let mark = "";
  const end = () => {
    const text = inline(run, { ...options, isOneLine: true, isCell: true });
    run = [];
    if (text === "") return;
    lines.push(mark + text);
    mark = "";
  };
  const read = (nodes: readonly HtmlNode[]): void => {
    for (const node of nodes) {
      if (typeof node === "string" || !(node.name === "br" || node.isBlock)) {
        run.push(node);
        continue;
      }
      end();
      mark = node.name === "li" ? "- " : mark;
      if (node.name === "pre") run.push({ ...node, name: "code", isBlock: false, hasBlock: false });
      else read(node.children);
      end();
    }
  };
  read(children);
  end();
  return lines.join(options.isPlain ? " " : "<br>");
}

/** The elements with code, for a table that contains only code and its line numbers. */
export function codeInTable(table: HtmlElement): HtmlElement[] | undefined {
  if (table.hasTable) return undefined;
  const rows = rowsIn(table, false);
  const isCode = ({ cells: [numbers, code, ...more] }: Row) => code && more.length === 0 && isGutter(numbers!) && isNumbers(numbers!);
  if (rows.length === 0 || !rows.every(isCode)) return undefined;
  return rows.flatMap(({ cells }) => {
    const pres = presIn(cells[1]!);
    return pres.length > 0 ? pres : cells[1]!;
  });
}

const isNumbers = ({ children }: HtmlElement) => /^[\s\d]*$/.test(textOf(children));

const presIn = ({ children }: HtmlElement): HtmlElement[] =>
  children.flatMap((child) => (typeof child === "string" ? [] : child.name === "pre" ? child : presIn(child)));

function rowsIn(element: HtmlElement, isHead: boolean): Row[] {
  return element.children.flatMap((child): Row[] => {
    if (typeof child === "string") return [];
    if (child.name !== "tr") return /^(thead|tbody|tfoot)$/.test(child.name) ? rowsIn(child, child.name === "thead") : [];
    const cells = child.children.filter((cell) => typeof cell === "object" && (cell.name === "td" || cell.name === "th")) as HtmlElement[];
    if (cells.length === 0) return [];
    return [{ cells, isHeader: isHead || cells.every(({ name }) => name === "th"), part: element }];
  });
}

/** The number of single header cells above the row of column headers: they are titles of the table. */
function titlesIn(rows: readonly Row[]): number {
  const isTitle = (row: Row, at: number) => row.isHeader && row.cells.length === 1 && rows[at + 1]?.isHeader;
  return rows.findIndex((row, at) => !isTitle(row, at));
}

const MAX_HEADS = 6;

/** The end of the header rows. A further row follows only if cells of the previous one span rows or columns. */
function headsIn(rows: readonly Row[], first: number): number {
  if (!rows[first]?.isHeader) return first;
  const isNext = (row: Row | undefined, before: Row) => row?.isHeader && row.part === before.part && before.cells.some(isSpanning);
  let end = first + 1;
  while (end < first + MAX_HEADS && isNext(rows[end], rows[end - 1]!)) end += 1;
  return end;
}

const headOf = (texts: readonly string[]) => texts.filter((text, at) => text !== "" && text !== texts[at - 1]).join(" ");

/** Limit on the text in repeated cells, as a multiple of the table's own text. */
const MAX_REPEATED = 8;
/** If the repeated text would be longer in one row, it is written once and the other cells stay empty. */
const MAX_REPEATED_LENGTH = 200;
/** Characters between two cells. */
const BESIDE = 3;

/**
 * Arranges the cells in a grid as a browser does (WHATWG HTML §4.9.12.1). A spanning cell is repeated in each place, so
 * that every value stays under its heading.
 */
function gridOf(rows: readonly Row[], texts: readonly string[][], width: number): string[][] {
  let left = MAX_REPEATED * texts.flat().reduce((sum, text) => sum + text.length + BESIDE, 0);
  const begun = new Set<number>();
  let above: { readonly text: string; readonly rows: number }[] = [];
  const lines = rows.map(({ cells, part }, at) => {
    if (part !== rows[at - 1]?.part || left < 0) above = [];
    const line: string[] = [];
    const below: typeof above = [];
    const isAlone = cells.length === 1 && above.length === 0;
    const put = (text: string, rows: number) => {
      if (rows > 1) below[line.length] = { text, rows: rows - 1 };
      left -= text.length + BESIDE;
      line.push(text);
    };
    for (let next = 0; next < cells.length || line.length < above.length; ) {
      const held = above[line.length];
      if (held || next === cells.length) {
        put(held?.text ?? "", held?.rows ?? 1);
        continue;
      }
      const text = texts[at]![next]!;
      // A cell alone in its row is a heading or an explanation, and is written once.
      const { across, down } = left < 0 ? { across: 1, down: 1 } : spanOf(cells[next]!, width);
      const again = isAlone || across * text.length > MAX_REPEATED_LENGTH ? "" : text;
      begun.add(line.length);
      if (down > 1) below[line.length] = { text: again, rows: down - 1 };
      line.push(text);
      next += 1;
      for (let more = across - 1; more > 0 && !above[line.length]; more -= 1) put(again, down);
    }
    above = below;
    return line;
  });
  // Columns in which no cell starts only repeat the previous column.
  return lines.map((line) => line.filter((_, column) => begun.has(column)));
}

function spanOf({ attributes }: HtmlElement, width: number): { across: number; down: number } {
  const across = Math.min(Number.parseInt(attributes.colspan ?? "1", 10) || 1, width, 1000);
  const rows = Number.parseInt(attributes.rowspan ?? "1", 10);
  // A rowspan of 0 extends over all following rows.
  const down = rows === 0 ? 65_534 : Math.min(rows || 1, 65_534);
  return { across, down };
}

const isSpanning = (cell: HtmlElement) => {
  const { across, down } = spanOf(cell, 2);
  return across > 1 || down > 1;
};
