import type { World } from "../app.ts";
import { type ConfigInput, resolveConfig } from "../config/index.ts";
import { LibraryRun } from "./crawl-run.ts";
import type { DataOf, MaybePlugin } from "./plugin.ts";
import { PluginHost } from "./plugin-host.ts";
import { listPlugins, pluginLayers } from "./plugin-list.ts";
import type { CrawlRun, RunEvent } from "./run.ts";

/** Options of the crawl itself, as in a config file, and what a program adds to them. */
export type CrawlInput = ConfigInput & {
  /** The data file; without one nothing is kept. */
  readonly db?: string | undefined;
  /** Start a new run even if one is unfinished. */
  readonly new?: boolean | undefined;
  /** Aborting stops the run politely. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** Time and the web, if not the real ones: see nuthatch/testing. */
  readonly world?: World | undefined;
};

export type CrawlerInput<Plugins extends readonly MaybePlugin[] = readonly MaybePlugin[]> = CrawlInput & {
  /** Falsy ones are passed over. */
  readonly plugins?: Plugins | undefined;
  /** A plugin's mistake ends the run, where otherwise it is counted. */
  readonly strict?: boolean | undefined;
};

export interface Crawler<Data = object> {
  /** Options given here are stronger than those of the crawler. */
  run(seeds: string | readonly string[], more?: CrawlInput): CrawlRun<Data>;
}

/** A crawler with its options and plugins, for as many runs as you like. */
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

/** What is not said is not stronger. */
const merged = (base: CrawlInput, more: CrawlInput): CrawlInput => ({
  ...base,
  ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)),
});

/**
 * Crawls a site. Pages come as they are settled; a slow loop slows the crawl, and leaving the loop stops it politely and
 * leaves a run that can be resumed. Nothing is asked of the web before the first page is wanted, or the result is.
 */
export function crawl<const Plugins extends readonly MaybePlugin[] = readonly []>(
  seeds: string | readonly string[],
  input: CrawlerInput<Plugins> = {},
): CrawlRun<DataOf<Plugins>> {
  return createCrawler(input).run(seeds);
}
