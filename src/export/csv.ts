/** A cell that a spreadsheet would take for a formula is told apart with a quote mark in front (OWASP, CSV injection). */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180. The columns are those of the first record. */
export async function* csv(records: AsyncIterable<Record<string, unknown>>, withHeader = true): AsyncGenerator<string> {
  let columns: string[] | undefined;
  for await (const record of records) {
    if (!columns) {
      columns = Object.keys(record);
      if (withHeader) yield `${columns.map(cell).join(",")}\r\n`;
    }
    yield `${columns.map((column) => cell(record[column])).join(",")}\r\n`;
  }
}
