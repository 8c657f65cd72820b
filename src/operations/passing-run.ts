import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import {
  type CrawlEvent,
  type Progress,
  pauseWords,
  type Reader,
  type RunControl,
  type RunSetup,
  readSetupOf,
  startRun,
} from "../crawl/index.ts";
import type { Ask, Fetcher } from "../fetch/index.ts";
import type { Spacing } from "../frontier/index.ts";
import type { Fetched, Reason } from "../records.ts";
import type { Seed } from "../seed.ts";
import { openSqlite, type Store } from "../store/index.ts";
import { hostOf, keyOptionsOf, resolve } from "../url/index.ts";

export interface PassingRequest {
  readonly seeds: readonly Seed[];
  readonly config: Config;
  readonly emit?: ((event: CrawlEvent) => void) | undefined;
  readonly wantsLinks?: boolean;
  readonly holdsBack?: RunSetup["holdsBack"];
  /** Called for every request and its answer. For pages that may be rendered: after rendering is decided, with the engine used. */
  readonly onFetched?: (ask: Ask, fetched: Fetched, headers: Headers, renderedBy: string | undefined) => void;
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
export type Look = () => Progress;

export interface PassingRun {
  readonly control: RunControl;
  /** The run's in-memory store; gone after `close`. */
  readonly store: Store;
  close(): Promise<void>;
}

/** Someone waits for the result: a host that has to wait longer than this is reported as an error. */
export const PATIENCE = 60_000;

/**
 * A run that stores nothing. It is a normal crawl with gate and frontier, but its results stay in memory. Only turns, back-off and
 * robots.txt are shared with the data file, so that it respects the pace of other runs and they respect its pace.
 */
export async function passingRun(app: App, request: PassingRequest): Promise<PassingRun> {
  const { emit = () => undefined, mayGoOn = () => undefined } = request;
  const { config: given } = request;
  // Results are discarded, so there is nothing to rank or describe.
  const config = {
    ...given,
    keywords: {},
    due: false,
    enhance: false,
    maxWait: Math.min(given.maxWait, PATIENCE),
    readers: given.readers ?? 1,
  };
  const { clock, openFetcher, openBrowsers, openReader } = app.world;
  const memory = openSqlite(":memory:", clock.wall);
  const store = withManners(memory, app.store, request.spacing);
  const key = keyOptionsOf(config);
  const sites = await store.sitesAt(request.seeds.map(({ url }) => ({ url, key: resolve(url, undefined, key)?.key ?? url })));
  const run = await store.startRun({ sites, seeds: request.seeds, options: {}, at: clock.wall() });
  const doors = await app.doors(config, request.named ?? request.seeds);
  const opened: { close(): Promise<void> }[] = [{ close: () => memory.close() }];
  /** If a part cannot be opened, closes those opened before it. */
  const closing = async <T extends { close(): Promise<void> } | undefined>(open: () => T | Promise<T>): Promise<T> => {
    try {
      const part = await open();
      if (part) opened.push(part);
      return part;
    } catch (cause) {
      for (const one of opened.reverse()) await one.close().catch(() => undefined);
      throw cause;
    }
  };
  const browsers = config.render === "never" ? undefined : await closing(() => openBrowsers?.(config, doors));
  const fetcher = await closing(() => openFetcher(config, doors));
  const reader = request.readsNothing && !browsers ? UNREAD : await closing(() => openReader(readSetupOf(config, store), config));
  const ears =
    request.onFetched && overheard(fetcher, request.onFetched, { enough: request.enough, waitsForPages: browsers !== undefined });
  const control = startRun({
    store,
    fetcher: ears?.fetcher ?? fetcher,
    browsers,
    onSeen: browsers && ears?.onSeen,
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

const UNREAD: Reader = { read: async () => ({ error: "left to whoever asked for it" }), close: async () => undefined };

/** All redirects were followed, but none led to a page. */
export const CIRCLES = { reason: "redirect.loop", rule: "redirects in circles" } as const;

/** Why a URL is still queued although the run has ended: its host's next turn is too far in the future. */
export function tooLongAWait({ control }: Pick<PassingRun, "control">, url: string): { reason: Reason; rule: string } {
  const host = control.progress().hosts.find(({ host: name }) => name === hostOf(url));
  if (!host) return { reason: "host.blocked", rule: "its host must wait" };
  const now = Date.now();
  const rule = pauseWords({ ...host, until: new Date(now + host.nextInMs).toISOString() }, now);
  return { reason: host.cause === "crawl-delay" ? "host.crawl-delay" : host.cause === "retry-after" ? "http.429" : "host.blocked", rule };
}

/** Start time for `beganAt`: many such runs may follow each other on one host, and a back-off learned by one applies to the next. */
const PROCESS_BEGAN = Math.floor(performance.timeOrigin);

/** Negative, to differ from runs of the data file; one per run, because a run need not wait for a host's turn that it holds itself. */
let lastNumber = 0;

function withManners(memory: Store, shared: Store, spacing: Spacing | undefined): Store {
  lastNumber -= 1;
  const runId = lastNumber;
  const turns = spacing ? spacing.over(shared.backlog(runId)) : shared.backlog(runId);
  return {
    ...memory,
    backlog: (ownId) => {
      const own = memory.backlog(ownId);
      return {
        hosts: (limit, inMemory) => own.hosts(limit, inMemory),
        load: (wants) => own.load(wants),
        claim: (requests) => turns.claim(requests.map((request) => ({ ...request, visit: 0, beganAt: request.beganAt && PROCESS_BEGAN }))),
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
    cards: { ...memory.cards, hosts: () => shared.cards.hosts() },
    releaseHosts: () => shared.releaseHosts(runId),
    robots: (origin) => shared.robots(origin),
    saveRobots: (robots) => shared.saveRobots(robots),
  };
}

interface Ears {
  readonly fetcher: Fetcher;
  readonly onSeen: NonNullable<RunSetup["onSeen"]>;
}

function overheard(
  fetcher: Fetcher,
  tell: NonNullable<PassingRequest["onFetched"]>,
  { enough, waitsForPages }: { enough: number | undefined; waitsForPages: boolean },
): Ears {
  const headersOf = new Map<string, Headers>();
  return {
    fetcher: {
      async fetch(ask, signal) {
        let headers: Headers = [];
        const onHead = (_: number, heard: Headers) => {
          headers = heard;
        };
        const fetched = await fetcher.fetch({ ...ask, onHead, ...(ask.accept === "page" && { enough }) }, signal);
        if (waitsForPages && ask.accept === "page") headersOf.set(ask.url, headers);
        else tell(ask, fetched, headers, undefined);
        return fetched;
      },
      close: () => fetcher.close(),
    },
    onSeen: ({ url, turn }, fetched, engine) => {
      const headers = headersOf.get(url) ?? [];
      headersOf.delete(url);
      tell({ url, turn, accept: "page" }, fetched, headers, engine);
    },
  };
}
