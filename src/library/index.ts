/**
 * The library: what a program holds of a crawl. A run is an async iterable of pages with a receipt; a crawler is options and plugins
 * for many runs; plugins speak through the hooks of the crawl, guarded, so that none of them can end a run by a mistake or be heard
 * where politeness is decided. What is stored is read with one call.
 */
export { type ContextOptions, context, type SiteContext } from "./context.ts";
export { type Crawler, type CrawlerInput, type CrawlInput, crawl, createCrawler } from "./crawler.ts";
export type { DataSchema, Draft, Gathered, NoData, SchemaVerdict } from "./data.ts";
export { type ExportFormat, type ExportInput, exportTo } from "./export-to.ts";
export { PluginError, type PluginReport } from "./hook-guard.ts";
export * from "./plugin.ts";
export type { CrawlResult, CrawlRun, RunEvent, RunEventOf } from "./run.ts";
export {
  type ChangesRange,
  changeFeed,
  changes,
  explain,
  type PagesRange,
  pages,
  type SearchInput,
  type StoredRange,
  search,
} from "./stored.ts";
