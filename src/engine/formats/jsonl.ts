import { escapeJsonControls } from "./escape-controls.ts";

/** One record per line. Line separators of JavaScript that JSON allows in strings are escaped too, so that no reader splits a record. */
export const jsonLine = (record: unknown): string => `${escapeJsonControls(JSON.stringify(record))}\n`;

export async function* jsonl(records: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const record of records) yield jsonLine(record);
}
