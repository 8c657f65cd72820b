import { givenHost } from "../../analysis/url/index.ts";
import type { DelayCause } from "../../core/records.ts";
import { rate as rateOption } from "../../core/units.ts";
import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import type { HostPause } from "../../engine/crawl/index.ts";
import type { HostPace, HostSettings } from "../../store/index.ts";

/** The stored limits of a host and its current wait. */
export interface HostStatus {
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

const MAX_PAUSES = 10_000;

/** The host meant by a name, with or without a port, or by a URL. */
export function parseHost(text: string): string {
  const named = text.includes("://") && URL.canParse(text) ? new URL(text).host : text;
  const host = named.includes("*") ? undefined : givenHost(named);
  if (host !== undefined) return host;
  throw new SetupError(`${text.slice(0, 200)} is not the name of a host`, "write it as in a URL: example.org, or example.org:8080");
}

/** Hosts with stored limits, and hosts that have to wait now. */
export async function hostStatuses({ store, world }: App): Promise<HostStatus[]> {
  const now = world.clock.wall();
  const found = new Map<string, HostStatus>();
  for (const settings of await store.userData.hosts()) {
    const status = statusFrom(settings, now);
    if (status.pausedUntil !== null || status.rate !== null) found.set(settings.host, status);
  }
  for (const pace of await store.queue.pauses(now, MAX_PAUSES))
    found.set(pace.host, { ...(found.get(pace.host) ?? emptyHostStatus(pace.host)), ...waitOf(pace) });
  return [...found.values()];
}

export async function hostStatus(app: App, text: string): Promise<HostStatus> {
  const host = parseHost(text);
  return (await hostStatuses(app)).find((one) => one.host === host) ?? emptyHostStatus(host);
}

/** Why a host may not be requested now; undefined if it may. */
export const pauseOf = ({ host, waitsUntil, cause, failures }: HostStatus): HostPause | undefined =>
  waitsUntil === null || cause === null ? undefined : { host, until: waitsUntil, cause, failures };

export const emptyHostStatus = (host: string): HostStatus => ({ host, pausedUntil: null, rate: null, ...NO_WAIT });

const NO_WAIT = { waitsUntil: null, waitsSince: null, cause: null, failures: 0 } as const;

const waitOf = ({ nextAt, delayMs, cause, failures }: HostPace): Omit<HostStatus, "host" | "pausedUntil" | "rate"> => {
  return { waitsUntil: new Date(nextAt).toISOString(), waitsSince: new Date(nextAt - delayMs).toISOString(), cause, failures };
};

/** Which worker holds the lease of which host, if several processes share a database. */
export async function leaseHolders({ store: { workers } }: App): Promise<Map<string, { readonly id: string; readonly name: string }>> {
  if (!workers.canShare) return new Map();
  const names = new Map((await workers.list()).map(({ id, name }) => [id, name]));
  const leases = await workers.leases({ limit: MAX_LEASES });
  return new Map(leases.map(({ host, worker }) => [host, { id: worker, name: names.get(worker) ?? worker }]));
}

const MAX_LEASES = 100_000;

/** Slows down or pauses a host for every run and process; running crawls apply it within a second. */
export async function setHostLimits(app: App, text: string, { pausedUntil, rate, clearWait }: HostEdit): Promise<HostStatus> {
  const host = parseHost(text);
  const now = app.world.clock.wall();
  const delay = rate === undefined ? undefined : rate === null ? 0 : delayOf(rate);
  const until = pausedUntil === undefined ? undefined : pausedUntil === null ? 0 : Date.parse(pausedUntil);
  if (Number.isNaN(until)) throw new SetupError(`${pausedUntil} is no moment`, "write it as 2027-01-31T12:00:00Z");
  await app.store.userData.setHost(host, { delay, pausedUntil: until !== undefined && until <= now ? 0 : until }, now);
  if (clearWait) await clearOwnWait(app, host, now);
  return hostStatus(app, host);
}

/** Clears the host's wait, but keeps a regular delay after its last request. */
async function clearOwnWait({ store }: App, host: string, now: number): Promise<void> {
  const pace = await store.queue.pace(host);
  if (!pace || pace.nextAt <= now || pace.cause === "retry-after" || pace.cause === "crawl-delay") return;
  const { nextAt, delayMs, cause, failures } = pace;
  const regular = cause === "backoff" ? delayMs / 2 ** Math.max(0, failures - 1) : Math.min(delayMs, OWN_DELAY_MS);
  await store.queue.resetHost(host, Math.max(now, nextAt - delayMs + regular), now);
}

const OWN_DELAY_MS = 1000;

function delayOf(text: number | string): number {
  const result = rateOption().safeParse(text);
  if (result.success) return Math.ceil(result.data);
  throw new SetupError(`${text} is not a rate`, "a number of requests a second, or a rate such as 30/m");
}

const statusFrom = ({ host, delay, pausedUntil }: HostSettings, now: number): HostStatus => ({
  host,
  pausedUntil: pausedUntil > now ? new Date(pausedUntil).toISOString() : null,
  rate: delay > 0 ? Number((1000 / delay).toPrecision(6)) : null,
  ...NO_WAIT,
});
