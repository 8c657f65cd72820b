import type { World } from "../../engine/app.ts";
import { type ConfigInput, resolveConfig } from "../../engine/config/index.ts";
import { LibraryRun } from "./crawl-run.ts";
import type { DataOf, MaybePlugin } from "./plugin.ts";
import { PluginHost } from "./plugin-host.ts";
import { listPlugins, pluginLayers } from "./plugin-list.ts";
import type { CrawlRun, RunEvent } from "./run.ts";

/** Options of the crawl as in a config file, and those of the library. */
export type CrawlInput = ConfigInput & {
  /** The data file; without one nothing is stored. */
  readonly db?: string | undefined;
  /** Start a new run even if there is an unfinished one. */
  readonly new?: boolean | undefined;
  /** Aborting finishes the requests in flight and stops the run. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** Clock and network for tests: see nuthatch/testing. */
  readonly world?: World | undefined;
};

export type CrawlerInput<Plugins extends readonly MaybePlugin[] = readonly MaybePlugin[]> = CrawlInput & {
  /** Falsy values are ignored. */
  readonly plugins?: Plugins | undefined;
  /** An error of a plugin ends the run; by default it is only counted. */
  readonly strict?: boolean | undefined;
};

export interface Crawler<Data = object> {
  /** Options given here override those of the crawler. */
  run(seeds: string | readonly string[], more?: CrawlInput): CrawlRun<Data>;
}

/** A crawler with options and plugins, for any number of runs. */
export function createCrawler<const Plugins extends readonly MaybePlugin[] = readonly []>(
  input: CrawlerInput<Plugins> = {},
): Crawler<DataOf<Plugins>> {
  const { plugins: given = [], strict: isStrict = false, ...base } = input;
  const plugins = listPlugins(given);
  return {
    run(seeds, more = {}) {
      const { db = ":memory:", new: isNew = false, signal, onEvent, world, ...options } = merged(base, more);
      const config = resolveConfig([{ from: "the options of crawl()", values: options }, ...pluginLayers(plugins, options)]);
      const host = plugins.length > 0 ? new PluginHost(plugins, { isStrict }) : undefined;
      const list = typeof seeds === "string" ? [seeds] : [...seeds];
      return new LibraryRun({ seeds: list, config, db, isNew, world, signal, onEvent, plugins: host });
    },
  };
}

/** Undefined values do not override. */
const merged = (base: CrawlInput, more: CrawlInput): CrawlInput => ({
  ...base,
  ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)),
});

/**
 * Crawls a site. Pages arrive as they are settled. A slow loop slows the crawl down; leaving the loop finishes the requests in flight and
 * leaves a run that can be resumed. Nothing is requested before the first page or the result is awaited.
 */
export function crawl<const Plugins extends readonly MaybePlugin[] = readonly []>(
  seeds: string | readonly string[],
  input: CrawlerInput<Plugins> = {},
): CrawlRun<DataOf<Plugins>> {
  return createCrawler(input).run(seeds);
}
