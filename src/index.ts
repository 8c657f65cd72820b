/**
 * The library: an async iterable that also resolves to a result.
 *
 *   for await (const page of crawl("https://example.org", { maxDepth: 3 })) console.log(page.change, page.url);
 */
export type { ConfigFileInput, ConfigInput, OptionsInput, SiteInput } from "./config/index.ts";
export { defineConfig, SetupError } from "./config/index.ts";
export type {
  CrawlEvent,
  DescribingReport,
  FillingProgress,
  MetadataReport,
  RunResult,
  ScoringProgress,
  ScoringReport,
} from "./crawl/index.ts";
export { extract, extractWithSources, type PlainMetadata } from "./extract/index.ts";
export * from "./library/index.ts";
export type { LinkNews } from "./operations/changed-links.ts";
export type { ChangeFeed, PageNews, RunMark } from "./operations/changes.ts";
export type { ContextChanges, ContextNews } from "./operations/context.ts";
export type {
  ContextDocument,
  FailedLinkDocument,
  Heading,
  LinkedPageDocument,
  PageDocument,
  PartDocument,
  SectionDocument,
  SectionName,
} from "./operations/context-forms.ts";
export { type Enriched, type EnrichOptions, enrich, enrichEach } from "./operations/enrich.ts";
export type { Explanation } from "./operations/explain.ts";
export { type FetchedPage, type FetchPageOptions, fetchPage } from "./operations/fetch-page.ts";
export { type MapOptions, type MappedUrl, map, type SiteMap } from "./operations/map.ts";
export type { DiffLink, FieldChange, PageDiff, VersionMark } from "./operations/page-diff.ts";
export type { MetadataField, ShownField, ShownMetadata } from "./operations/page-metadata.ts";
export type { SearchResult, SearchResults } from "./operations/search.ts";
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
} from "./records.ts";
export { StorageError } from "./store/index.ts";
export { StuckError } from "./stuck.ts";
export { VERSION } from "./version.ts";
