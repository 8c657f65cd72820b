/** Records as a GitHub Markdown table. Remote text is escaped, so that it has no effect as markup. */
export async function* markdownTable(
  records: AsyncIterable<Record<string, unknown>>,
  defaultColumns: readonly string[] = [],
): AsyncGenerator<string> {
  const head = (names: readonly string[]) => `${line(names)}${line(names.map(() => "---"))}`;
  let columns: readonly string[] | undefined;
  for await (const record of records) {
    if (!columns) {
      columns = Object.keys(record);
      yield head(columns);
    }
    yield line(columns.map((column) => cell(record[column])));
  }
  if (!columns && defaultColumns.length > 0) yield head(defaultColumns);
}

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\\`*_{}[\]()#+!|~<>&]/g, "\\$&")
    .trim();
}
