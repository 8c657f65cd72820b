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

/** The one place where rooms are joined. No service locator, no globals; no room opens another. */
export interface App {
  readonly store: Store;
  readonly world: World;
  /** Why others could have written the data file, if they could. Then its runs are not continued: they say what to request, and who named it. */
  readonly stranger: string | undefined;
  /** What a run that begins with these seeds may reach. */
  doors(config: Config, seeds: readonly Seed[]): Promise<Doors>;
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
  /** What was named, if that was not the seeds themselves. */
  readonly named?: readonly Seed[] | undefined;
  readonly emit: (event: CrawlEvent) => void;
  readonly wantsLinks?: boolean | undefined;
  readonly mayGoOn?: (() => Promise<void> | undefined) | undefined;
  /** What plugins have to say. */
  readonly hooks?: Hooks | undefined;
}

/** Time, and who answers our requests. There is one of these, but for tests. */
export interface World {
  readonly clock: Clock;
  openFetcher(config: Config, doors: Doors): Fetcher | Promise<Fetcher>;
  /** Throws where something is to be rendered and nothing can. Asked before anything is written. */
  checkBrowsers?(config: Config): Promise<void>;
  /** Asked only where something is to be rendered. */
  openBrowsers?(config: Config, doors: Doors): Promise<Browsers>;
  openReader(setup: ReadSetup, config: Config): Reader | Promise<Reader>;
  /** Single pages are read in this thread, so that no time passes meanwhile. */
  readonly readsHere?: boolean | undefined;
}

/** Whoever only looks at what is stored does not wait for the rooms that crawl. */
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
  /** For looks alone: the file must be there, and of today's version. */
  readonly isReadOnly?: boolean | undefined;
  /** Whether whoever runs this process has named a seed: credentials are sent to no others. Without it, those that a person typed. */
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

/** Whoever may use a shared database is known to it. What waits in the log of a data file is read as part of it. */
const strangerOf = (db: string): string | undefined =>
  isPostgres(db) ? undefined : [db, `${db}-wal`].filter((path) => existsSync(path)).flatMap((path) => strangerAt(path) ?? [])[0];

/** What is known of names is known to all that this process does. */
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

/** A file of an earlier nuthatch may hold keys by earlier rules; one that was killed in between is brought to today's by the next crawl. */
async function rekey(store: Store): Promise<void> {
  const [crawl, { Config }] = await Promise.all([import("./crawl/index.ts"), import("./config/index.ts")]);
  await crawl.rekey(store, Config.parse);
}
