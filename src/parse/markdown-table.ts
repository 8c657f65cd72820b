import type { HtmlElement } from "./html-tree.ts";
import { type InlineOptions, inline } from "./markdown-inline.ts";

interface Row {
  readonly cells: readonly HtmlElement[];
  readonly isHeader: boolean;
}

/** A table as GitHub writes it, after its caption. Tables that only lay out a page answer undefined: their cells are read one after another. */
export function tableOf(table: HtmlElement, options: InlineOptions): string[] | undefined {
  const rows = rowsIn(table, false);
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const isLayout = table.hasTable || /^(presentation|none)$/.test(table.attributes.role ?? "") || width < 2;
  if (isLayout) return undefined;
  const captions = table.children.filter((child) => typeof child === "object" && child.name === "caption") as HtmlElement[];
  const texts = rows.map(({ cells }) => cells.map((cell) => inline(cell.children, { ...options, isOneLine: true, isCell: true })));
  const caption = captions.map((each) => inline(each.children, options));
  if (options.isPlain) return [...caption, texts.map((cells) => cells.join("\t")).join("\n")];
  const header = rows[0]?.isHeader ? texts.shift()! : [];
  const blank = Array.from({ length: width }, (_, at) => header[at] ?? "");
  const lines = [blank, blank.map(() => "---"), ...texts].map((cells) => `| ${cells.join(" | ")} |`);
  return [...caption, lines.join("\n")];
}

function rowsIn(element: HtmlElement, isHead: boolean): Row[] {
  return element.children.flatMap((child): Row[] => {
    if (typeof child === "string") return [];
    if (child.name !== "tr") return /^(thead|tbody|tfoot)$/.test(child.name) ? rowsIn(child, child.name === "thead") : [];
    const cells = child.children.filter((cell) => typeof cell === "object" && (cell.name === "td" || cell.name === "th")) as HtmlElement[];
    if (cells.length === 0) return [];
    return [{ cells, isHeader: isHead || cells.every(({ name }) => name === "th") }];
  });
}
