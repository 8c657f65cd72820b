import { inertText } from "./inert.ts";

/** What a spreadsheet may take for the beginning of a formula (OWASP, CSV injection), also as wide letters and behind blanks and quotes. */
const FORMULA = /^[\s\p{Cf}\0"'“”]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
/** Where semicolons, tabs or lines part cells, one begins after each of them. */
const INNER_FORMULA = /([;\t\r\n](?:[^\S\t\r\n]|["'])*)(?=[=+\-@＝＋－＠])/g;

/** A cell that a spreadsheet would take for a formula is told apart with a quote mark in front. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = inertText(typeof value === "object" ? JSON.stringify(value) : String(value));
  const safe = (FORMULA.test(text) ? `'${text}` : text).replace(INNER_FORMULA, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvHeader = (columns: readonly string[]): string => `${columns.map(cell).join(",")}\r\n`;

/** RFC 4180. The columns are those of the first record; where there is none, the `usual` ones are named. */
export async function* csv(
  records: AsyncIterable<Record<string, unknown>>,
  withHeader = true,
  usual: readonly string[] = [],
): AsyncGenerator<string> {
  let columns: readonly string[] | undefined;
  for await (const record of records) {
    if (!columns) {
      columns = Object.keys(record);
      if (withHeader) yield csvHeader(columns);
    }
    yield `${columns.map((column) => cell(record[column])).join(",")}\r\n`;
  }
  if (!columns && withHeader && usual.length > 0) yield csvHeader(usual);
}
