import type { Page } from "../records.ts";

/** A page as one row: what a table can hold. */
export function flatPage(page: Page): Record<string, unknown> {
  const { title, description, language } = page.metadata;
  return {
    id: page.id,
    url: page.url,
    status: page.status,
    contentType: page.contentType,
    depth: page.depth,
    change: page.change,
    title: title?.value ?? null,
    titleSource: title?.source ?? null,
    description: description?.value ?? null,
    language: language?.value ?? null,
    fetchedAt: page.fetchedAt,
    durationMs: page.durationMs,
    bytes: page.bytes,
    linkCount: page.linkCount,
    parentUrl: page.parentUrl,
    discoveredVia: page.discoveredVia,
    duplicateOf: page.duplicateOf,
    canonicalUrl: page.canonicalUrl,
    noindex: page.noindex,
    crawlId: page.crawlId,
  };
}
