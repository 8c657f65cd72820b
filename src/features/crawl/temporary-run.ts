import { hostOf, keyOptionsOf, resolve } from "../../analysis/url/index.ts";
import type { Fetched, Reason } from "../../core/records.ts";
import type { Seed } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import {
  type CrawlEvent,
  type Progress,
  pauseText,
  type Reader,
  type RunControl,
  type RunSetup,
  readSetupOf,
  startRun,
} from "../../engine/crawl/index.ts";
import type { Fetcher, FetchRequest } from "../../engine/fetch/index.ts";
import type { Spacing } from "../../engine/frontier/index.ts";
import { openSqlite, type Store } from "../../store/index.ts";

export interface TemporaryRequest {
  readonly seeds: readonly Seed[];
  readonly config: Config;
  readonly emit?: ((event: CrawlEvent) => void) | undefined;
  readonly wantsLinks?: boolean;
  readonly holdsBack?: RunSetup["holdsBack"];
  /** Called for every request and its answer. For pages that may be rendered: after rendering is decided, with the engine used. */
  readonly onFetched?: (ask: FetchRequest, fetched: Fetched, headers: Headers, renderedBy: string | undefined) => void;
  readonly mayGoOn?: (() => Promise<void> | undefined) | undefined;
  /** A pause between requests to any hosts, which other runs may share. */
  readonly spacing?: Spacing | undefined;
  /** What the caller named, if the seeds are others. */
  readonly named?: readonly Seed[] | undefined;
  /** The consumer of `onFetched` reads the bodies and no links are followed, so no reader thread is started. */
  readonly readsNothing?: boolean | undefined;
  /** Number of bytes after which a body may be cut. */
  readonly enough?: number | undefined;
}

export type Headers = readonly (readonly [name: string, value: string])[];

/** Returns the progress of a running crawl. */
export type GetProgress = () => Progress;

export interface TemporaryRun {
  readonly control: RunControl;
  /** The run's in-memory store; gone after `close`. */
  readonly store: Store;
  close(): Promise<void>;
}

/** Someone waits for the result: a host that has to wait longer than this is reported as an error. */
export const MAX_HOST_WAIT_MS = 60_000;

/**
 * A run that stores nothing. It is a normal crawl with gate and frontier, but its results stay in memory. Only turns, back-off and
 * robots.txt are shared with the data file, so that it respects the pace of other runs and they respect its pace.
 */
export async function startTemporaryRun(app: App, request: TemporaryRequest): Promise<TemporaryRun> {
  const { emit = () => undefined, mayGoOn = () => undefined } = request;
  const { config: given } = request;
  // Results are discarded, so there is nothing to rank or describe.
  const config = {
    ...given,
    keywords: {},
    due: false,
    enhance: false,
    maxWait: Math.min(given.maxWait, MAX_HOST_WAIT_MS),
    readers: given.readers ?? 1,
  };
  const { clock, openFetcher, openBrowsers, openReader } = app.world;
  const memory = openSqlite(":memory:", clock.wall);
  const store = withSharedPoliteness(memory, app.store, request.spacing);
  const key = keyOptionsOf(config);
  const sites = await store.sitesAt(request.seeds.map(({ url }) => ({ url, key: resolve(url, undefined, key)?.key ?? url })));
  const run = await store.startRun({ sites, seeds: request.seeds, options: {}, at: clock.wall() });
  const networkAccess = await app.networkAccess(config, request.named ?? request.seeds);
  const opened: { close(): Promise<void> }[] = [{ close: () => memory.close() }];
  /** If a part cannot be opened, closes those opened before it. */
  const openOrCloseAll = async <T extends { close(): Promise<void> } | undefined>(open: () => T | Promise<T>): Promise<T> => {
    try {
      const part = await open();
      if (part) opened.push(part);
      return part;
    } catch (cause) {
      for (const one of opened.reverse()) await one.close().catch(() => undefined);
      throw cause;
    }
  };
  const browsers = config.render === "never" ? undefined : await openOrCloseAll(() => openBrowsers?.(config, networkAccess));
  const fetcher = await openOrCloseAll(() => openFetcher(config, networkAccess));
  const reader = request.readsNothing && !browsers ? NO_READER : await openOrCloseAll(() => openReader(readSetupOf(config, store), config));
  const listener =
    request.onFetched && listenToFetches(fetcher, request.onFetched, { maxBytes: request.enough, waitsForPages: browsers !== undefined });
  const control = startRun({
    store,
    fetcher: listener?.fetcher ?? fetcher,
    browsers,
    onSeen: browsers && listener?.onPageRead,
    reader,
    config,
    run,
    isResumed: false,
    hasHistory: false,
    home: undefined,
    clock,
    emit,
    wantsLinks: request.wantsLinks ?? false,
    mayGoOn,
    holdsBack: request.holdsBack,
  });
  const result = control.result.finally(() => Promise.all([fetcher.close(), browsers?.close()]));
  return { control: { ...control, result }, store, close: () => memory.close() };
}

const NO_READER: Reader = { read: async () => ({ error: "left to whoever asked for it" }), close: async () => undefined };

/** All redirects were followed, but none led to a page. */
export const REDIRECT_LOOP = { reason: "redirect.loop", rule: "redirects in circles" } as const;

/** Why a URL is still queued although the run has ended: its host's next turn is too far in the future. */
export function hostWaitReason({ control }: Pick<TemporaryRun, "control">, url: string): { reason: Reason; rule: string } {
  const host = control.progress().hosts.find(({ host: name }) => name === hostOf(url));
  if (!host) return { reason: "host.blocked", rule: "its host must wait" };
  const now = Date.now();
  const rule = pauseText({ ...host, until: new Date(now + host.nextInMs).toISOString() }, now);
  return { reason: host.cause === "crawl-delay" ? "host.crawl-delay" : host.cause === "retry-after" ? "http.429" : "host.blocked", rule };
}

/** Start time for `beganAt`: many such runs may follow each other on one host, and a back-off learned by one applies to the next. */
const PROCESS_STARTED_AT = Math.floor(performance.timeOrigin);

/** Negative, to differ from runs of the data file; one per run, because a run need not wait for a host's turn that it holds itself. */
let lastNumber = 0;

function withSharedPoliteness(memory: Store, shared: Store, spacing: Spacing | undefined): Store {
  lastNumber -= 1;
  const runId = lastNumber;
  const turns = spacing ? spacing.over(shared.backlog(runId)) : shared.backlog(runId);
  return {
    ...memory,
    backlog: (ownId) => {
      const own = memory.backlog(ownId);
      return {
        hosts: (limit, inMemory) => own.hosts(limit, inMemory),
        load: (loads) => own.load(loads),
        claim: (requests) =>
          turns.claim(requests.map((request) => ({ ...request, visit: 0, beganAt: request.beganAt && PROCESS_STARTED_AT }))),
        giveBack: (host) => turns.giveBack(host),
        release: (host) => turns.release(host),
      };
    },
    settle: async (settlement) => {
      const settled = await memory.settle(settlement);
      const nothing = { visits: [], heard: [], again: [], more: [], state: {} };
      if (settlement.hosts.length > 0) await shared.settle({ ...settlement, ...nothing, runId });
      return settled;
    },
    userData: { ...memory.userData, hosts: () => shared.userData.hosts() },
    releaseHosts: () => shared.releaseHosts(runId),
    robots: (origin) => shared.robots(origin),
    saveRobots: (robots) => shared.saveRobots(robots),
  };
}

interface FetchListener {
  readonly fetcher: Fetcher;
  readonly onPageRead: NonNullable<RunSetup["onSeen"]>;
}

function listenToFetches(
  fetcher: Fetcher,
  onFetched: NonNullable<TemporaryRequest["onFetched"]>,
  { maxBytes, waitsForPages }: { maxBytes: number | undefined; waitsForPages: boolean },
): FetchListener {
  const headersOf = new Map<string, Headers>();
  return {
    fetcher: {
      async fetch(ask, signal) {
        let headers: Headers = [];
        const onHead = (_: number, received: Headers) => {
          headers = received;
        };
        const fetched = await fetcher.fetch({ ...ask, onHead, ...(ask.accept === "page" && { enough: maxBytes }) }, signal);
        if (waitsForPages && ask.accept === "page") headersOf.set(ask.url, headers);
        else onFetched(ask, fetched, headers, undefined);
        return fetched;
      },
      close: () => fetcher.close(),
    },
    onPageRead: ({ url, turn }, fetched, engine) => {
      const headers = headersOf.get(url) ?? [];
      headersOf.delete(url);
      onFetched({ url, turn, accept: "page" }, fetched, headers, engine);
    },
  };
}
