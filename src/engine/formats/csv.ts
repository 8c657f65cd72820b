import { escapeControls } from "./escape-controls.ts";

/** Beginnings that a spreadsheet may read as a formula (OWASP, CSV injection), including full-width signs, and after blanks and quotes. */
const FORMULA = /^[\s\p{Cf}\0"'“”]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
/** If a spreadsheet splits at semicolons, tabs or line ends, a cell begins after each of them. */
const INNER_FORMULA = /([;\t\r\n](?:[^\S\t\r\n]|["'])*)(?=[=+\-@＝＋－＠])/g;

/** What a cell says, before it is quoted. */
export function cellText(given: string): string {
  const text = escapeControls(given);
  return (FORMULA.test(text) ? `'${text}` : text).replace(INNER_FORMULA, "$1'");
}

/** A cell that looks like a formula gets a quote mark in front, so that spreadsheets read it as text. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const safe = cellText(typeof value === "object" ? JSON.stringify(value) : String(value));
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvHeader = (columns: readonly string[]): string => `${columns.map(cell).join(",")}\r\n`;

/** RFC 4180. The columns are those of the first record; without records, the header has the `usual` ones. */
export async function* csv(
  records: AsyncIterable<Record<string, unknown>>,
  withHeader = true,
  defaultColumns: readonly string[] = [],
): AsyncGenerator<string> {
  let columns: readonly string[] | undefined;
  for await (const record of records) {
    if (!columns) {
      columns = Object.keys(record);
      if (withHeader) yield csvHeader(columns);
    }
    yield `${columns.map((column) => cell(record[column])).join(",")}\r\n`;
  }
  if (!columns && withHeader && defaultColumns.length > 0) yield csvHeader(defaultColumns);
}
