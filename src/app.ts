import type { Browsers } from "./browser/index.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Config } from "./config/index.ts";
import type { CrawlEvent, Hooks, Reader, ReadSetup, RunControl } from "./crawl/index.ts";
import type { Fetcher, Others } from "./fetch/index.ts";
import { openStore, type Run, type Store } from "./store/index.ts";

/** The one place where rooms are joined. No service locator, no globals; no room opens another. */
export interface App {
  readonly store: Store;
  readonly world: World;
  /** Whether seeds are what a person at this machine typed, so that they open private addresses. */
  readonly areSeedsTyped: boolean;
  /** Sets a stored run going. */
  crawl(run: Run, config: Config, given: CrawlGiven): Promise<RunControl>;
  close(): Promise<void>;
}

export interface CrawlGiven {
  readonly isResumed: boolean;
  /** Another process leads this run. */
  readonly isHand?: boolean | undefined;
  /** Whether earlier runs knew these sites. */
  readonly hasHistory: boolean;
  readonly home?: readonly string[] | undefined;
  /** Visits its seeds and follows no link; of pages it did not visit it says nothing. */
  readonly seedsOnly?: boolean | undefined;
  /** Addresses that somebody typed, if not the seeds: their hosts alone are opened where they are private, and sent what was given for them. */
  readonly typed?: readonly string[] | undefined;
  readonly emit: (event: CrawlEvent) => void;
  readonly wantsLinks?: boolean | undefined;
  readonly mayGoOn?: (() => Promise<void> | undefined) | undefined;
  /** What plugins have to say. */
  readonly hooks?: Hooks | undefined;
}

/** Time, and who answers our requests. There is one of these, but for tests. */
export interface World {
  readonly clock: Clock;
  /** `others`: processes that share what they know of names. */
  openFetcher(config: Config, seeds: readonly string[], others?: Others): Fetcher | Promise<Fetcher>;
  /** Throws where something is to be rendered and nothing can. Asked before anything is written. */
  checkBrowsers?(config: Config): Promise<void>;
  /** Asked only where something is to be rendered. */
  openBrowsers?(config: Config, seeds: readonly string[], others?: Others): Promise<Browsers>;
  openReader(setup: ReadSetup, config: Config): Reader | Promise<Reader>;
  /** Single pages are read in this thread, so that no time passes meanwhile. */
  readonly readsHere?: boolean | undefined;
}

/** Whoever only looks at what is stored does not wait for the rooms that crawl. */
const realWorld = (areTyped: boolean): World => ({
  clock: systemClock,
  openFetcher: async (config, seeds, others) => (await import("./outside.ts")).openFetcherFor(config, seeds, others, areTyped),
  checkBrowsers: async (config) => (config.render === "never" ? undefined : (await import("./outside.ts")).checkBrowsers(config)),
  openBrowsers: async (config, seeds, others) => (await import("./outside.ts")).openBrowsersFor(config, seeds, others, areTyped),
  openReader: async (setup, { readers }) => (await import("./crawl/index.ts")).openReader(setup, { threads: readers }),
});

export interface AppSetup {
  /** A file, `:memory:`, or the address of a PostgreSQL database. */
  readonly db: string;
  readonly world?: World | undefined;
  /** For looks alone: the file must be there, and of today's version. */
  readonly isReadOnly?: boolean | undefined;
  /** False where seeds come from somebody else: then they open no private address. */
  readonly areSeedsTyped?: boolean | undefined;
}

export async function openApp({ db, areSeedsTyped = true, world = realWorld(areSeedsTyped), isReadOnly }: AppSetup): Promise<App> {
  const store = await openStore(db, world.clock.wall, isReadOnly);
  if (store.upgrade) await rekey(store);
  return {
    store,
    world,
    areSeedsTyped,
    async crawl(run, config, given) {
      await rekey(store);
      const { readSetupOf, sourceMemories, startRun } = await import("./crawl/index.ts");
      const siteIds = run.sites.map(({ id }) => id);
      const memories = config.enhance ? await sourceMemories(store, siteIds) : undefined;
      const typed = given.typed ?? run.seeds;
      const fetcher = await world.openFetcher(config, typed, store.names);
      const browsers = config.render === "never" ? undefined : await world.openBrowsers?.(config, typed, store.names);
      const control = startRun({
        store,
        fetcher,
        browsers,
        reader: await world.openReader(readSetupOf(config, store, memories), config),
        config,
        run,
        isResumed: given.isResumed,
        isHand: given.isHand,
        hasHistory: given.hasHistory,
        seedsOnly: given.seedsOnly,
        home: given.home,
        clock: world.clock,
        emit: given.emit,
        wantsLinks: given.wantsLinks ?? false,
        mayGoOn: given.mayGoOn ?? (() => undefined),
        hooks: given.hooks,
      });
      return { ...control, result: control.result.finally(() => Promise.all([fetcher.close(), browsers?.close()])) };
    },
    close: () => store.close(),
  };
}

/** A file of an earlier nuthatch may hold keys by earlier rules; one that was killed in between is brought to today's by the next crawl. */
async function rekey(store: Store): Promise<void> {
  const [crawl, { Config }] = await Promise.all([import("./crawl/index.ts"), import("./config/index.ts")]);
  await crawl.rekey(store, Config.parse);
}
