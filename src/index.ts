/**
 * The library: an async iterable that also resolves to a result.
 *
 *   for await (const page of crawl("https://example.org", { maxDepth: 3 })) console.log(page.change, page.url);
 */

export { extract, extractWithSources, type PlainMetadata } from "./analysis/extract/index.ts";
export type {
  Change,
  Found,
  MetaCandidate,
  Page,
  PageMetadata,
  PageVerdict,
  Reason,
  StopReason,
  StructuredData,
  StructuredItem,
  Topic,
  TopLink,
  Verdict,
} from "./core/records.ts";
export { StuckError } from "./core/stuck.ts";
export { VERSION } from "./core/version.ts";
export type { ConfigFileInput, ConfigInput, OptionsInput, SiteInput } from "./engine/config/index.ts";
export { defineConfig, SetupError } from "./engine/config/index.ts";
export type {
  CrawlEvent,
  DescribingReport,
  FillingProgress,
  MetadataReport,
  RunResult,
  ScoringProgress,
  ScoringReport,
} from "./engine/crawl/index.ts";
export type { LinkNews } from "./features/changes/changed-links.ts";
export type { ChangeFeed, PageNews, RunMark } from "./features/changes/changes.ts";
export type { DiffLink, FieldChange, PageDiff, VersionMark } from "./features/changes/page-diff.ts";
export type { ContextChanges, ContextNews } from "./features/context/context.ts";
export type {
  ContextDocument,
  FailedLinkDocument,
  Heading,
  LinkedPageDocument,
  PageDocument,
  PartDocument,
  SectionDocument,
  SectionName,
} from "./features/context/context-forms.ts";
export { type Enriched, type EnrichOptions, enrich, enrichEach } from "./features/enrich/enrich.ts";
export type { MetadataField, ShownField, ShownMetadata } from "./features/enrich/page-metadata.ts";
export type { Explanation } from "./features/explain/explain.ts";
export { type FetchedPage, type FetchPageOptions, fetchPage } from "./features/fetch-page/fetch-page.ts";
export { type MapOptions, type MappedUrl, map, type SiteMap } from "./features/map/map.ts";
export type { SearchResult, SearchResults } from "./features/search/search.ts";
export * from "./interfaces/library/index.ts";
export { StorageError } from "./store/index.ts";
