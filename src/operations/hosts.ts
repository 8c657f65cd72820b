import type { App } from "../app.ts";
import { SetupError } from "../config/index.ts";
import type { HostPause } from "../crawl/index.ts";
import type { DelayCause } from "../records.ts";
import type { HostCard, HostPace } from "../store/index.ts";
import { rate as rateOption } from "../units.ts";
import { givenHost } from "../url/index.ts";

/** The stored limits of a host and its current wait. */
export interface HostSaid {
  readonly host: string;
  /** No requests before this time. */
  readonly pausedUntil: string | null;
  /** Maximum requests per second. If the run or the host itself is slower, that applies. */
  readonly rate: number | null;
  /** Time of the next permitted request, start of the wait, its cause, and the number of consecutive failures. */
  readonly waitsUntil: string | null;
  readonly waitsSince: string | null;
  readonly cause: DelayCause | null;
  readonly failures: number;
}

/** An undefined field is left unchanged; null removes it. */
export interface HostEdit {
  readonly pausedUntil?: string | null | undefined;
  /** Requests per second, or as in options: 30/m. */
  readonly rate?: number | string | null | undefined;
  /** Removes waits of our own: back-off after errors, or a slow rate of an earlier run. Waits that the host asked for remain. */
  readonly clearWait?: boolean | undefined;
}

const MOST_PAUSES = 10_000;

/** The host meant by a name, with or without a port, or by a URL. */
export function hostCalled(text: string): string {
  const named = text.includes("://") && URL.canParse(text) ? new URL(text).host : text;
  const host = named.includes("*") ? undefined : givenHost(named);
  if (host !== undefined) return host;
  throw new SetupError(`${text.slice(0, 200)} is not the name of a host`, "write it as in a URL: example.org, or example.org:8080");
}

/** Hosts with stored limits, and hosts that have to wait now. */
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

/** Why a host may not be requested now; undefined if it may. */
export const pauseOf = ({ host, waitsUntil, cause, failures }: HostSaid): HostPause | undefined =>
  waitsUntil === null || cause === null ? undefined : { host, until: waitsUntil, cause, failures };

export const silent = (host: string): HostSaid => ({ host, pausedUntil: null, rate: null, ...NO_WAIT });

const NO_WAIT = { waitsUntil: null, waitsSince: null, cause: null, failures: 0 } as const;

const waitIn = ({ nextAt, delayMs, cause, failures }: HostPace): Omit<HostSaid, "host" | "pausedUntil" | "rate"> => {
  return { waitsUntil: new Date(nextAt).toISOString(), waitsSince: new Date(nextAt - delayMs).toISOString(), cause, failures };
};

/** Which worker holds the lease of which host, if several processes share a database. */
export async function holdersOfHosts({ store: { workers } }: App): Promise<Map<string, { readonly id: string; readonly name: string }>> {
  if (!workers.canShare) return new Map();
  const names = new Map((await workers.list()).map(({ id, name }) => [id, name]));
  const leases = await workers.leases({ limit: MOST_LEASES });
  return new Map(leases.map(({ host, worker }) => [host, { id: worker, name: names.get(worker) ?? worker }]));
}

const MOST_LEASES = 100_000;

/** Slows down or pauses a host for every run and process; running crawls apply it within a second. */
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

/** Clears the host's wait, but keeps a regular delay after its last request. */
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
