/**
 * The library API. A run is an async iterable of pages that also has a result; a crawler holds options and plugins for many runs.
 * Plugins use the hooks of the crawl through a guard, so that a plugin error cannot end a run, and no plugin can influence politeness.
 * Stored data is read with one call.
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
