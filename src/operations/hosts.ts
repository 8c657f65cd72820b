import type { App } from "../app.ts";
import { SetupError } from "../config/index.ts";
import type { HostPause } from "../crawl/index.ts";
import type { DelayCause } from "../records.ts";
import type { HostCard, HostPace } from "../store/index.ts";
import { rate as rateOption } from "../units.ts";
import { givenHost } from "../url/index.ts";

/** What people say of a host. */
export interface HostSaid {
  readonly host: string;
  /** Nothing is asked of it before. */
  readonly pausedUntil: string | null;
  /** Requests a second at most. Where a run or the host itself is slower, that holds. */
  readonly rate: number | null;
  /** It may not be asked before: since when, why, and after how many failures in a row. */
  readonly waitsUntil: string | null;
  readonly waitsSince: string | null;
  readonly cause: DelayCause | null;
  readonly failures: number;
}

/** What is undefined stays as it is; null takes it back. */
export interface HostEdit {
  readonly pausedUntil?: string | null | undefined;
  /** Requests a second, or as options have it: 30/m. */
  readonly rate?: number | string | null | undefined;
  /** What is ours of its wait is over: the back-off after errors, or a slow rate of an earlier run. What the host itself asked for holds. */
  readonly clearWait?: boolean | undefined;
}

const MOST_PAUSES = 10_000;

/** The host that somebody means by a name, with or without a port, or by a URL. */
export function hostCalled(text: string): string {
  const named = text.includes("://") && URL.canParse(text) ? new URL(text).host : text;
  const host = named.includes("*") ? undefined : givenHost(named);
  if (host !== undefined) return host;
  throw new SetupError(`${text.slice(0, 200)} is not the name of a host`, "write it as in a URL: example.org, or example.org:8080");
}

/** The hosts that something is said of now, and those that have to wait. */
export async function saidOfHosts({ store, world }: App): Promise<HostSaid[]> {
  const now = world.clock.wall();
  const found = new Map<string, HostSaid>();
  for (const card of await store.cards.hosts()) {
    const said = saidIn(card, now);
    if (said.pausedUntil !== null || said.rate !== null) found.set(card.host, said);
  }
  for (const pace of await store.queue.pauses(now, MOST_PAUSES))
    found.set(pace.host, { ...(found.get(pace.host) ?? silent(pace.host)), ...waitIn(pace) });
  return [...found.values()];
}

export async function saidOfHost(app: App, text: string): Promise<HostSaid> {
  const host = hostCalled(text);
  return (await saidOfHosts(app)).find((one) => one.host === host) ?? silent(host);
}

/** Why a host may not be asked now; undefined where it may. */
export const pauseOf = ({ host, waitsUntil, cause, failures }: HostSaid): HostPause | undefined =>
  waitsUntil === null || cause === null ? undefined : { host, until: waitsUntil, cause, failures };

export const silent = (host: string): HostSaid => ({ host, pausedUntil: null, rate: null, ...NO_WAIT });

const NO_WAIT = { waitsUntil: null, waitsSince: null, cause: null, failures: 0 } as const;

const waitIn = ({ nextAt, delayMs, cause, failures }: HostPace): Omit<HostSaid, "host" | "pausedUntil" | "rate"> => {
  return { waitsUntil: new Date(nextAt).toISOString(), waitsSince: new Date(nextAt - delayMs).toISOString(), cause, failures };
};

/** Who is at work on which host, where several processes share a database. */
export async function holdersOfHosts({ store: { workers } }: App): Promise<Map<string, { readonly id: string; readonly name: string }>> {
  if (!workers.canShare) return new Map();
  const names = new Map((await workers.list()).map(({ id, name }) => [id, name]));
  const leases = await workers.leases({ limit: MOST_LEASES });
  return new Map(leases.map(({ host, worker }) => [host, { id: worker, name: names.get(worker) ?? worker }]));
}

const MOST_LEASES = 100_000;

/** Slows a host down or pauses it, for every run and in every process; runs under way hear of it within a second. */
export async function sayOfHost(app: App, text: string, { pausedUntil, rate, clearWait }: HostEdit): Promise<HostSaid> {
  const host = hostCalled(text);
  const now = app.world.clock.wall();
  const delay = rate === undefined ? undefined : rate === null ? 0 : delayOf(rate);
  const until = pausedUntil === undefined ? undefined : pausedUntil === null ? 0 : Date.parse(pausedUntil);
  if (Number.isNaN(until)) throw new SetupError(`${pausedUntil} is no moment`, "write it as 2027-01-31T12:00:00Z");
  await app.store.cards.setHost(host, { delay, pausedUntil: until !== undefined && until <= now ? 0 : until }, now);
  if (clearWait) await clearOurs(app, host, now);
  return saidOfHost(app, host);
}

/** The host is never asked sooner than a regular delay after it was last asked. */
async function clearOurs({ store }: App, host: string, now: number): Promise<void> {
  const pace = await store.queue.pace(host);
  if (!pace || pace.nextAt <= now || pace.cause === "retry-after" || pace.cause === "crawl-delay") return;
  const { nextAt, delayMs, cause, failures } = pace;
  const regular = cause === "backoff" ? delayMs / 2 ** Math.max(0, failures - 1) : Math.min(delayMs, OUR_DELAY);
  await store.queue.freeHost(host, Math.max(now, nextAt - delayMs + regular), now);
}

const OUR_DELAY = 1000;

function delayOf(text: number | string): number {
  const result = rateOption().safeParse(text);
  if (result.success) return Math.ceil(result.data);
  throw new SetupError(`${text} is not a rate`, "a number of requests a second, or a rate such as 30/m");
}

const saidIn = ({ host, delay, pausedUntil }: HostCard, now: number): HostSaid => ({
  host,
  pausedUntil: pausedUntil > now ? new Date(pausedUntil).toISOString() : null,
  rate: delay > 0 ? Number((1000 / delay).toPrecision(6)) : null,
  ...NO_WAIT,
});
