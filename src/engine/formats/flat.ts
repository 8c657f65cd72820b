import type { Page } from "../../core/records.ts";

const columns: readonly [name: string, read: (page: Page) => unknown][] = [
  ["id", ({ id }) => id],
  ["url", ({ url }) => url],
  ["status", ({ status }) => status],
  ["contentType", ({ contentType }) => contentType],
  ["depth", ({ depth }) => depth],
  ["change", ({ change }) => change],
  ["title", ({ metadata }) => metadata.title?.value ?? null],
  ["titleSource", ({ metadata }) => metadata.title?.source ?? null],
  ["description", ({ metadata }) => metadata.description?.value ?? null],
  ["image", ({ metadata }) => metadata.image?.value ?? null],
  ["author", ({ metadata }) => metadata.author?.value.join("; ") ?? null],
  ["publishedAt", ({ metadata }) => metadata.publishedAt?.value ?? null],
  ["modifiedAt", ({ metadata }) => metadata.modifiedAt?.value ?? null],
  ["lang", ({ metadata }) => metadata.lang?.value ?? null],
  ["siteName", ({ metadata }) => metadata.siteName?.value ?? null],
  ["topics", ({ metadata }) => metadata.topics?.value.map(({ name }) => name).join("; ") ?? null],
  ["wordCount", ({ metadata }) => metadata.wordCount?.value ?? null],
  ["verdict", ({ verdict }) => verdict],
  ["fetchedAt", ({ fetchedAt }) => fetchedAt],
  ["durationMs", ({ durationMs }) => durationMs],
  ["bytes", ({ bytes }) => bytes],
  ["linkCount", ({ linkCount }) => linkCount],
  ["parentUrl", ({ parentUrl }) => parentUrl],
  ["discoveredVia", ({ discoveredVia }) => discoveredVia],
  ["duplicateOf", ({ duplicateOf }) => duplicateOf],
  ["canonicalUrl", ({ canonicalUrl }) => canonicalUrl],
  ["noindex", ({ noindex }) => noindex],
  ["note", ({ note }) => note],
  ["tags", ({ tags }) => tags.join("; ")],
  // The last column: `-o pages.csv` of a resumed run recognises its own file by it.
  ["crawlId", ({ crawlId }) => crawlId],
];

export const pageColumns: readonly string[] = columns.map(([name]) => name);

/** A page as a flat row for tables. */
export const flatPage = (page: Page): Record<string, unknown> => Object.fromEntries(columns.map(([name, read]) => [name, read(page)]));
