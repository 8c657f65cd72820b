import type { Metadata } from "../../core/records.ts";

/** The names of the fields in the log line, in its order. */
const loggedFields = [
  ["title", "title"],
  ["description", "description"],
  ["image", "image"],
  ["author", "author"],
  ["date", "publishedAt"],
  ["content", "text"],
  ["topics", "topics"],
] as const;

type LoggedMetadata = Pick<Metadata, (typeof loggedFields)[number][1]>;

/** The sources of a page's values, on one line. The URL is untrusted: the caller must escape it before printing. */
export function extractionLine(url: string, metadata: LoggedMetadata): string {
  const found = loggedFields.filter(([, field]) => metadata[field].value !== null);
  return `[${url}] Extracted from: ${found.map(([name, field]) => `${name}:${metadata[field].source}`).join(", ") || "nothing"}`;
}
