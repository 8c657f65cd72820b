/** One record a line. Line separators that JavaScript knows and JSON does not are escaped, so that no reader splits a record. */
export const jsonLine = (record: unknown): string =>
  `${JSON.stringify(record).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;

export async function* jsonl(records: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const record of records) yield jsonLine(record);
}
