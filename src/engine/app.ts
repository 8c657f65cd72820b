import { existsSync } from "node:fs";
import { type Clock, systemClock } from "../core/clock.ts";
import { unsafeReasonAt } from "../core/file-owner.ts";
import type { Seed } from "../core/seed.ts";
import { isPostgres, openStore, type Run, type Store } from "../store/index.ts";
import type { Browsers } from "./browser/index.ts";
import type { Config } from "./config/index.ts";
import type { CrawlEvent, Hooks, Reader, ReadSetup, RunControl } from "./crawl/index.ts";
import type { DnsCache, Fetcher } from "./fetch/index.ts";
import type { NetworkAccess } from "./network-access.ts";

/** Composition root: the only place where the modules are connected. No service locator, no globals; no module opens another. */
export interface App {
  readonly store: Store;
  readonly world: World;
  /**
   * Why another user could have written the data file, if so. Its runs are then not resumed, because they contain seeds and who named
   * them.
   */
  readonly unsafeReason: string | undefined;
  /** Names, private hosts and credentials for a run with these seeds. */
  networkAccess(config: Config, seeds: readonly Seed[]): Promise<NetworkAccess>;
  /** Starts a stored run. */
  crawl(run: Run, config: Config, given: StartOptions): Promise<RunControl>;
  close(): Promise<void>;
}

export interface StartOptions {
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
  openFetcher(config: Config, networkAccess: NetworkAccess): Fetcher | Promise<Fetcher>;
  /** Throws if pages are to be rendered and no browser is available. Called before anything is written. */
  checkBrowsers?(config: Config): Promise<void>;
  /** Called only if pages are to be rendered. */
  openBrowsers?(config: Config, networkAccess: NetworkAccess): Promise<Browsers>;
  openReader(setup: ReadSetup, config: Config): Reader | Promise<Reader>;
  /** Read single pages in this thread, so that a test clock does not advance meanwhile. */
  readonly readsHere?: boolean | undefined;
}

/** Modules are imported on demand, so that commands that only read the store do not wait for the crawler to load. */
const realWorld: World = {
  clock: systemClock,
  openFetcher: async (config, networkAccess) => (await import("./network-access.ts")).openFetcherFor(config, networkAccess),
  checkBrowsers: async (config) => (config.render === "never" ? undefined : (await import("./network-access.ts")).checkBrowsers(config)),
  openBrowsers: async (config, networkAccess) => (await import("./network-access.ts")).openBrowsersFor(config, networkAccess),
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

export async function openApp({ db, world = realWorld, isReadOnly, mayBeSent: maySendCredentials = isTyped }: AppSetup): Promise<App> {
  const unsafeReason = unsafeReasonOf(db);
  const store = await openStore(db, world.clock.wall, isReadOnly);
  if (store.upgrade) await rekey(store);
  const namesFor = cachedNames(store);
  const networkAccess: App["networkAccess"] = async (config, seeds) => {
    const { openNetworkAccess } = await import("./network-access.ts");
    return openNetworkAccess(config, seeds, {
      names: await namesFor(config),
      firstMet: (...met) => store.firstResolvedAs(...met),
      maySendCredentials,
    });
  };
  return {
    store,
    world,
    unsafeReason,
    networkAccess,
    async crawl(run, config, given) {
      await rekey(store);
      const { readSetupOf, sourceMemories, startRun } = await import("./crawl/index.ts");
      const siteIds = run.sites.map(({ id }) => id);
      const memories = config.enhance ? await sourceMemories(store, siteIds) : undefined;
      const shared = await networkAccess(config, given.named ?? run.namedSeeds);
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
const unsafeReasonOf = (db: string): string | undefined =>
  isPostgres(db) ? undefined : [db, `${db}-wal`].filter((path) => existsSync(path)).flatMap((path) => unsafeReasonAt(path) ?? [])[0];

/** One name cache per configuration for the whole process. */
function cachedNames(store: Store): (config: Config) => Promise<DnsCache> {
  const known = new Map<string, DnsCache>();
  return async ({ resolver, timeout }) => {
    const { DnsCache: Names, openResolver } = await import("./fetch/index.ts");
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
