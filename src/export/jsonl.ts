import { inertJson } from "./inert.ts";

/** One record a line. Line separators that JavaScript knows and JSON does not are escaped as well, so that no reader splits a record. */
export const jsonLine = (record: unknown): string => `${inertJson(JSON.stringify(record))}\n`;

export async function* jsonl(records: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const record of records) yield jsonLine(record);
}
