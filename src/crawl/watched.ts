import type { Browsers } from "../browser/index.ts";
import { type Ask, type Fetcher, failed } from "../fetch/index.ts";
import type { Backlog } from "../frontier/index.ts";
import type { Fetched, Turn } from "../records.ts";
import { StorageError, type Store } from "../store/index.ts";
import type { Reader } from "./reader.ts";
import type { RunSetup } from "./run-setup.ts";
import type { Watchdog, WatchedPart } from "./watchdog.ts";

/** Added to every timeout that a part enforces itself, so that a part that is merely slow is never given up. */
const GRACE = 30_000;
/**
 * At most this many requests run at once to machines behind one address; the others queue, so the timeout grows with the number of open
 * requests.
 */
const AT_ONE_ADDRESS = 8;
/** A reader replaces a thread that is silent for 30 s, and reads its bodies again one at a time. */
const READER = 2 * 30_000 + 2 * GRACE;
/** A browser gives a page up after 30 s, and may have to be started first. */
const BROWSER = 5 * GRACE;
/** Longer than any transaction of a crawl takes on a slow disk. A shared database has no limit: an outage is reported and waited out. */
const STORE = 10 * GRACE;

/** Wraps the parts that visits wait for with timeouts. */
export function watchParts(setup: RunSetup, dog: Watchdog): RunSetup {
  const { fetcher, reader, browsers, store, clock, config } = setup;
  const perRequest = (open: number) => config.timeout * (2 + Math.ceil(open / AT_ONE_ADDRESS)) + GRACE;
  const storeLimit = store.workers.canShare ? Number.POSITIVE_INFINITY : STORE;
  return {
    ...setup,
    fetcher: watchFetcher(fetcher, dog.part({ name: "an answer of the web", limit: perRequest, isQueue: false }), clock),
    reader: watchReader(reader, dog.part({ name: "the reader", limit: () => READER, isQueue: true })),
    browsers: browsers && watchBrowsers(browsers, dog.part({ name: "a browser", limit: () => BROWSER, isQueue: true }), clock),
    store: watchStore(store, dog.part({ name: "the database", limit: () => storeLimit, isQueue: true })),
  };
}

type Times = Pick<RunSetup["clock"], "now" | "wall">;

/** Spends the turn: a request that still left later would go out in the turn of another. */
function takeTurn(turn: Turn): void {
  turn.spent = true;
}

function timerOf({ now, wall }: Times): () => Fetched["timing"] {
  const [start, startedAt] = [now(), wall()];
  return () => ({ startedAt, duration: now() - start });
}

function watchFetcher(fetcher: Fetcher, part: WatchedPart, clock: Times): Fetcher {
  return {
    fetch(ask: Ask, signal) {
      const timing = timerOf(clock);
      return part.over(fetcher.fetch(ask, signal), () => {
        takeTurn(ask.turn);
        return { ...failed("stuck", "the request never came to an end and was given up", {}), timing: timing() };
      });
    },
    close: () => fetcher.close(),
  };
}

function watchReader(reader: Reader, part: WatchedPart): Reader {
  return {
    prepare: () => reader.prepare?.(),
    read: (job) => part.over(reader.read(job), () => ({ error: "the reader never answered" })),
    close: () => reader.close(),
  };
}

function watchBrowsers(browsers: Browsers, part: WatchedPart, clock: Times): Browsers {
  return {
    engines: browsers.engines,
    render(engine, ask, signal) {
      const timing = timerOf(clock);
      return part.over(browsers.render(engine, ask, signal), () => {
        if (!("kind" in ask.document)) takeTurn(ask.document);
        const fetched = { ...failed("render.timeout", `${engine} never answered`, { mayHeal: false }), timing: timing() };
        return { fetched, isQuiet: false, requests: 0, refused: 0 };
      });
    },
    close: () => browsers.close(),
  };
}

/** The data file or database no longer answers; nothing can be settled without it. */
export class SilentStoreError extends StorageError {
  constructor(path: string) {
    super(
      `${path} does not answer: what a crawl has asked of it never came back`,
      "check the disk or the database; what was settled before is kept, and the same command carries on",
    );
    this.name = "SilentStoreError";
  }
}

/** Store calls made during visits. Calls that walk all rows are not limited. */
const WATCHED = ["settle", "remember", "twins", "ledgerRows", "robots", "saveRobots", "body", "packedLinks", "knownType"] as const;

function watchStore(store: Store, part: WatchedPart): Store {
  const silent = () => {
    throw new SilentStoreError(store.path);
  };
  const over = <A extends readonly unknown[], T>(ask: (...given: A) => Promise<T>) => {
    return (...given: A): Promise<T> => part.over(ask(...given), silent);
  };
  const backlog = (runId: number): Backlog => watchBacklog(store.backlog(runId), over);
  // A store is an object of functions, so single ones can be replaced.
  const watched = Object.fromEntries(WATCHED.map((name) => [name, over(store[name] as (...given: unknown[]) => Promise<unknown>)]));
  return { ...store, ...watched, backlog };
}

type Over = <A extends readonly unknown[], T>(ask: (...given: A) => Promise<T>) => (...given: A) => Promise<T>;

const watchBacklog = (backlog: Backlog, over: Over): Backlog => ({
  sharing: backlog.sharing,
  hosts: over((...given: Parameters<Backlog["hosts"]>) => backlog.hosts(...given)),
  load: over((...given: Parameters<Backlog["load"]>) => backlog.load(...given)),
  claim: over((...given: Parameters<Backlog["claim"]>) => backlog.claim(...given)),
  giveBack: over((...given: Parameters<Backlog["giveBack"]>) => backlog.giveBack(...given)),
  release: over((...given: Parameters<Backlog["release"]>) => backlog.release(...given)),
});
