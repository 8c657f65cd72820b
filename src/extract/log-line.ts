import type { Metadata } from "../records.ts";

/** The names of the fields in the log line, in its order. */
const named = [
  ["title", "title"],
  ["description", "description"],
  ["image", "image"],
  ["author", "author"],
  ["date", "publishedAt"],
  ["content", "text"],
  ["topics", "topics"],
] as const;

type Told = Pick<Metadata, (typeof named)[number][1]>;

/** Where the values of a page came from, on one line. The sources are our words, the address is not: who prints it makes it safe. */
export function extractionLine(url: string, metadata: Told): string {
  const found = named.filter(([, field]) => metadata[field].value !== null);
  return `[${url}] Extracted from: ${found.map(([name, field]) => `${name}:${metadata[field].source}`).join(", ") || "nothing"}`;
}
