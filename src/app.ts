import { existsSync } from "node:fs";
import type { Browsers } from "./browser/index.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Config } from "./config/index.ts";
import type { CrawlEvent, Hooks, Reader, ReadSetup, RunControl } from "./crawl/index.ts";
import type { Fetcher, Names } from "./fetch/index.ts";
import { strangerAt } from "./ours.ts";
import type { Doors } from "./outside.ts";
import type { Seed } from "./seed.ts";
import { isPostgres, openStore, type Run, type Store } from "./store/index.ts";

/** Composition root: the only place where the modules are connected. No service locator, no globals; no module opens another. */
export interface App {
  readonly store: Store;
  readonly world: World;
  /**
   * Why another user could have written the data file, if so. Its runs are then not resumed, because they contain seeds and who named
   * them.
   */
  readonly stranger: string | undefined;
  /** Names, private hosts and credentials for a run with these seeds. */
  doors(config: Config, seeds: readonly Seed[]): Promise<Doors>;
  /** Starts a stored run. */
  crawl(run: Run, config: Config, given: CrawlGiven): Promise<RunControl>;
  close(): Promise<void>;
}

export interface CrawlGiven {
  readonly isResumed: boolean;
  /** True if another process leads this run and this one only follows. */
  readonly isHand?: boolean | undefined;
  /** True if earlier runs have crawled these sites. */
  readonly hasHistory: boolean;
  readonly home?: readonly string[] | undefined;
  /** Visits the seeds only, follows no links, and makes no statement about pages that it did not visit. */
  readonly seedsOnly?: boolean | undefined;
  /** What the caller named, if the seeds are others. */
  readonly named?: readonly Seed[] | undefined;
  readonly emit: (event: CrawlEvent) => void;
  readonly wantsLinks?: boolean | undefined;
  readonly mayGoOn?: (() => Promise<void> | undefined) | undefined;
  /** Hooks of the run's plugins. */
  readonly hooks?: Hooks | undefined;
}

/** Clock and network. Only tests replace it. */
export interface World {
  readonly clock: Clock;
  openFetcher(config: Config, doors: Doors): Fetcher | Promise<Fetcher>;
  /** Throws if pages are to be rendered and no browser is available. Called before anything is written. */
  checkBrowsers?(config: Config): Promise<void>;
  /** Called only if pages are to be rendered. */
  openBrowsers?(config: Config, doors: Doors): Promise<Browsers>;
  openReader(setup: ReadSetup, config: Config): Reader | Promise<Reader>;
  /** Read single pages in this thread, so that a test clock does not advance meanwhile. */
  readonly readsHere?: boolean | undefined;
}

/** Modules are imported on demand, so that commands that only read the store do not wait for the crawler to load. */
const realWorld: World = {
  clock: systemClock,
  openFetcher: async (config, doors) => (await import("./outside.ts")).openFetcherFor(config, doors),
  checkBrowsers: async (config) => (config.render === "never" ? undefined : (await import("./outside.ts")).checkBrowsers(config)),
  openBrowsers: async (config, doors) => (await import("./outside.ts")).openBrowsersFor(config, doors),
  openReader: async (setup, { readers }) => (await import("./crawl/index.ts")).openReader(setup, { threads: readers }),
};

export interface AppSetup {
  /** A file, `:memory:`, or the address of a PostgreSQL database. */
  readonly db: string;
  readonly world?: World | undefined;
  /** Read-only: the file must exist and have the current schema version. */
  readonly isReadOnly?: boolean | undefined;
  /** Decides whether credentials may be sent to a seed. Default: only to seeds that a person typed. */
  readonly mayBeSent?: ((seed: Seed) => boolean) | undefined;
}

const isTyped = ({ namedBy }: Seed): boolean => namedBy === "person";

export async function openApp({ db, world = realWorld, isReadOnly, mayBeSent = isTyped }: AppSetup): Promise<App> {
  const stranger = strangerOf(db);
  const store = await openStore(db, world.clock.wall, isReadOnly);
  if (store.upgrade) await rekey(store);
  const namesFor = rememberingNames(store);
  const doors: App["doors"] = async (config, seeds) => {
    const { openDoors } = await import("./outside.ts");
    return openDoors(config, seeds, { names: await namesFor(config), firstMet: (...met) => store.firstMet(...met), mayBeSent });
  };
  return {
    store,
    world,
    stranger,
    doors,
    async crawl(run, config, given) {
      await rekey(store);
      const { readSetupOf, sourceMemories, startRun } = await import("./crawl/index.ts");
      const siteIds = run.sites.map(({ id }) => id);
      const memories = config.enhance ? await sourceMemories(store, siteIds) : undefined;
      const shared = await doors(config, given.named ?? run.namedSeeds);
      const fetcher = await world.openFetcher(config, shared);
      const browsers = config.render === "never" ? undefined : await world.openBrowsers?.(config, shared);
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

/**
 * Data files only: users of a shared database have an account there. The write-ahead log is checked too, because SQLite reads it as part
 * of the file.
 */
const strangerOf = (db: string): string | undefined =>
  isPostgres(db) ? undefined : [db, `${db}-wal`].filter((path) => existsSync(path)).flatMap((path) => strangerAt(path) ?? [])[0];

/** One name cache per configuration for the whole process. */
function rememberingNames(store: Store): (config: Config) => Promise<Names> {
  const known = new Map<string, Names>();
  return async ({ resolver, timeout }) => {
    const { Names, openResolver } = await import("./fetch/index.ts");
    const key = `${resolver ?? ""} ${timeout}`;
    const servers = resolver === undefined ? undefined : [resolver];
    const names = known.get(key) ?? new Names(openResolver({ timeout, servers, others: store.names }));
    known.set(key, names);
    return names;
  };
}

/** URL keys in an older data file may follow older rules. If this is interrupted, the next crawl repeats it. */
async function rekey(store: Store): Promise<void> {
  const [crawl, { Config }] = await Promise.all([import("./crawl/index.ts"), import("./config/index.ts")]);
  await crawl.rekey(store, Config.parse);
}
