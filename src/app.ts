import { type Clock, systemClock } from "./clock.ts";
import { Config, SetupError } from "./config/index.ts";
import { type CrawlEvent, type Hooks, openReader, type Reader, type ReadSetup, type RunControl, rekey, startRun } from "./crawl/index.ts";
import { type Access, AccessError, type Fetcher, Openings, openAccess, openFetcher, openResolver } from "./fetch/index.ts";
import { openSqlite, type Run, type Store } from "./store/index.ts";
import { VERSION } from "./version.ts";

/** The one place where rooms are joined. No service locator, no globals; no room opens another. */
export interface App {
  readonly store: Store;
  readonly world: World;
  /** Sets a stored run going. */
  crawl(run: Run, config: Config, given: CrawlGiven): RunControl;
  close(): Promise<void>;
}

export interface CrawlGiven {
  readonly isResumed: boolean;
  /** Whether earlier runs knew these sites. */
  readonly hasHistory: boolean;
  readonly home?: readonly string[] | undefined;
  readonly emit: (event: CrawlEvent) => void;
  readonly wantsLinks?: boolean | undefined;
  readonly mayGoOn?: (() => Promise<void> | undefined) | undefined;
  /** What plugins have to say. */
  readonly hooks?: Hooks | undefined;
}

/** Time, and who answers our requests. There is one of these, but for tests. */
export interface World {
  readonly clock: Clock;
  openFetcher(config: Config, seeds: readonly string[]): Fetcher;
  openReader(setup: ReadSetup, config: Config): Reader;
}

const realWorld: World = {
  clock: systemClock,
  openFetcher: (config, seeds) => openFetcherFor(config, seeds),
  openReader: (setup, { readers }) => openReader(setup, { threads: readers }),
};

export interface AppSetup {
  /** A file, or `:memory:`. */
  readonly db: string;
  readonly world?: World | undefined;
}

export async function openApp({ db, world = realWorld }: AppSetup): Promise<App> {
  const store = openSqlite(db, world.clock.wall);
  await rekey(store, Config.parse);
  return {
    store,
    world,
    crawl(run, config, given) {
      const fetcher = world.openFetcher(config, run.seeds);
      const control = startRun({
        store,
        fetcher,
        openReader: (setup) => world.openReader(setup, config),
        config,
        run,
        isResumed: given.isResumed,
        hasHistory: given.hasHistory,
        home: given.home,
        clock: world.clock,
        emit: given.emit,
        wantsLinks: given.wantsLinks ?? false,
        mayGoOn: given.mayGoOn ?? (() => undefined),
        hooks: given.hooks,
      });
      return { ...control, result: control.result.finally(() => fetcher.close()) };
    },
    close: () => store.close(),
  };
}

/** A seed somebody typed opens exactly its own host; everything else private stays closed unless allowed by name. */
export function openFetcherFor(config: Config, seeds: readonly string[]) {
  const opened = openingsOf(config);
  for (const seed of seeds) opened.openUrl(seed);
  if (/^https?:/i.test(config.sitemap)) opened.openUrl(config.sitemap);
  const resolve = config.resolver === undefined ? {} : { resolve: openResolver({ timeout: config.timeout, servers: [config.resolver] }) };
  return openFetcher({ ...config, ...resolve, opened, access: accessFor(config, seeds), product: `nuthatch/${VERSION}` });
}

function openingsOf({ allowPrivate }: Config): Openings {
  try {
    return new Openings(allowPrivate);
  } catch (cause) {
    throw new SetupError(`--allow-private: ${(cause as Error).message}`, "--allow-private 10.0.0.0/8, or --allow-private intranet:8080");
  }
}

/** What was given to be let in. Reads its files, so that what is wrong with them is known before anything is asked or written. */
export function accessFor(config: Config, seeds: readonly string[]): Access | undefined {
  openingsOf(config);
  try {
    return openAccess(config, seeds);
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    throw new SetupError(error.message, error.hint, { cause: error.cause });
  }
}
