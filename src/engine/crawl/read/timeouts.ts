import type { Fetched, Turn } from "../../../core/records.ts";
import { StorageError, type Store } from "../../../store/index.ts";
import type { Browsers } from "../../browser/index.ts";
import { type Fetcher, type FetchRequest, makeFailure } from "../../fetch/index.ts";
import type { Backlog } from "../../frontier/index.ts";
import type { RunSetup } from "../run-setup.ts";
import type { Reader } from "./reader.ts";
import type { Watchdog, WatchedPart } from "./watchdog.ts";

/** Added to every timeout that a part enforces itself, so that a part that is merely slow is never given up. */
const GRACE_MS = 30_000;
/**
 * At most this many requests run at once to machines behind one address; the others queue, so the timeout grows with the number of open
 * requests.
 */
const MAX_PER_ADDRESS = 8;
/** A reader replaces a thread that is silent for 30 s, and reads its bodies again one at a time. */
const READER_TIMEOUT_MS = 2 * 30_000 + 2 * GRACE_MS;
/** A browser gives a page up after 30 s, and may have to be started first. */
const BROWSER_TIMEOUT_MS = 5 * GRACE_MS;
/** Longer than any transaction of a crawl takes on a slow disk. A shared database has no limit: an outage is reported and waited out. */
const STORE_TIMEOUT_MS = 10 * GRACE_MS;

/** Wraps the parts that visits wait for with timeouts. */
export function withTimeouts(setup: RunSetup, watchdog: Watchdog): RunSetup {
  const { fetcher, reader, browsers, store, clock, config } = setup;
  const perRequest = (open: number) => config.timeout * (2 + Math.ceil(open / MAX_PER_ADDRESS)) + GRACE_MS;
  const storeLimit = store.workers.canShare ? Number.POSITIVE_INFINITY : STORE_TIMEOUT_MS;
  return {
    ...setup,
    fetcher: watchFetcher(fetcher, watchdog.part({ name: "an answer of the web", limit: perRequest, isQueue: false }), clock),
    reader: watchReader(reader, watchdog.part({ name: "the reader", limit: () => READER_TIMEOUT_MS, isQueue: true })),
    browsers:
      browsers && watchBrowsers(browsers, watchdog.part({ name: "a browser", limit: () => BROWSER_TIMEOUT_MS, isQueue: true }), clock),
    store: watchStore(store, watchdog.part({ name: "the database", limit: () => storeLimit, isQueue: true })),
  };
}

type WatchClock = Pick<RunSetup["clock"], "now" | "wall">;

/** Spends the turn: a request that still left later would go out in the turn of another. */
function spendTurn(turn: Turn): void {
  turn.spent = true;
}

function timerOf({ now, wall }: WatchClock): () => Fetched["timing"] {
  const [start, startedAt] = [now(), wall()];
  return () => ({ startedAt, duration: now() - start });
}

function watchFetcher(fetcher: Fetcher, part: WatchedPart, clock: WatchClock): Fetcher {
  return {
    fetch(ask: FetchRequest, signal) {
      const timing = timerOf(clock);
      return part.withTimeout(fetcher.fetch(ask, signal), () => {
        spendTurn(ask.turn);
        return { ...makeFailure("stuck", "the request never came to an end and was given up", {}), timing: timing() };
      });
    },
    close: () => fetcher.close(),
  };
}

function watchReader(reader: Reader, part: WatchedPart): Reader {
  return {
    prepare: () => reader.prepare?.(),
    read: (job) => part.withTimeout(reader.read(job), () => ({ error: "the reader never answered" })),
    close: () => reader.close(),
  };
}

function watchBrowsers(browsers: Browsers, part: WatchedPart, clock: WatchClock): Browsers {
  return {
    engines: browsers.engines,
    render(engine, ask, signal) {
      const timing = timerOf(clock);
      return part.withTimeout(browsers.render(engine, ask, signal), () => {
        if (!("kind" in ask.document)) spendTurn(ask.document);
        const fetched = { ...makeFailure("render.timeout", `${engine} never answered`, { mayHeal: false }), timing: timing() };
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
const WATCHED_CALLS = [
  "settle",
  "findStored",
  "findDuplicates",
  "ledgerRows",
  "robots",
  "saveRobots",
  "body",
  "packedLinks",
  "knownType",
] as const;

function watchStore(store: Store, part: WatchedPart): Store {
  const throwTimeout = () => {
    throw new SilentStoreError(store.path);
  };
  const watchCall = <A extends readonly unknown[], T>(ask: (...given: A) => Promise<T>) => {
    return (...given: A): Promise<T> => part.withTimeout(ask(...given), throwTimeout);
  };
  const backlog = (runId: number): Backlog => watchBacklog(store.backlog(runId), watchCall);
  // A store is an object of functions, so single ones can be replaced.
  const watched = Object.fromEntries(
    WATCHED_CALLS.map((name) => [name, watchCall(store[name] as (...given: unknown[]) => Promise<unknown>)]),
  );
  return { ...store, ...watched, backlog };
}

type WatchCall = <A extends readonly unknown[], T>(ask: (...given: A) => Promise<T>) => (...given: A) => Promise<T>;

const watchBacklog = (backlog: Backlog, watchCall: WatchCall): Backlog => ({
  sharing: backlog.sharing,
  hosts: watchCall((...given: Parameters<Backlog["hosts"]>) => backlog.hosts(...given)),
  load: watchCall((...given: Parameters<Backlog["load"]>) => backlog.load(...given)),
  claim: watchCall((...given: Parameters<Backlog["claim"]>) => backlog.claim(...given)),
  giveBack: watchCall((...given: Parameters<Backlog["giveBack"]>) => backlog.giveBack(...given)),
  release: watchCall((...given: Parameters<Backlog["release"]>) => backlog.release(...given)),
});
