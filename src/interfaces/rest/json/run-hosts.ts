/** The hosts of a run: what is queued, how fast they are asked, and why not faster. */
import type { z } from "zod";
import type { App } from "../../../engine/app.ts";
import { hostStatuses, leaseHolders } from "../../../features/hosts/hosts.ts";
import type { LiveRuns } from "../events/live.ts";
import type { HostRow, hostStates } from "./run-shapes.ts";

const MAX_HOSTS = 10_000;
/** Number of ledger rows that can be counted per request without delaying others. */
const MAX_COUNTED_ROWS = 50_000;
const NO_SETTINGS = { pausedUntil: null, rate: null };

const iso = (at: number) => new Date(at).toISOString();

/** Done and failed URLs are counted in the ledger only. For a large active run they are not counted on each request. */
async function isCountable(app: App, id: number, liveRun: LiveRuns[number] | undefined): Promise<boolean> {
  if (!liveRun) return true;
  const skipped = Object.values(liveRun.counters.skipped).reduce((sum, urls) => sum + urls, 0);
  return ((await app.store.run(id))?.seq ?? 0) + liveRun.queued + skipped <= MAX_COUNTED_ROWS;
}

export async function hostsOf(app: App, id: number, live: LiveRuns): Promise<z.output<typeof HostRow>[]> {
  const now = Date.now();
  const settings = new Map((await hostStatuses(app)).map((one) => [one.host, one]));
  const liveRun = live[id];
  const counts = await isCountable(app, id, liveRun);
  const liveHosts = new Map(liveRun?.hosts.map((host) => [host.host, host]));
  const holders = await leaseHolders(app);
  const hosts = await app.store.queue.hosts(id, { counts, limit: MAX_HOSTS });
  return hosts.map(({ nextAt, failures, cause, ...host }) => {
    const liveHost = liveHosts.get(host.host);
    const { pausedUntil, rate } = settings.get(host.host) ?? NO_SETTINGS;
    const nextInMs = liveHost?.nextInMs ?? Math.max(0, nextAt - now, pausedUntil === null ? 0 : Date.parse(pausedUntil) - now);
    const counted = counts ? {} : { done: liveHost?.done ?? null, failed: null };
    const hostFields = { ...host, ...counted, ...(liveHost && { delayMs: liveHost.delayMs }), inFlight: liveHost?.inFlight ?? 0, failures };
    const why = pausedUntil === null ? (liveHost?.cause ?? cause) : "paused";
    const worker = holders.get(host.host)?.id ?? null;
    return { ...hostFields, worker, cause: why, nextInMs, nextAt: iso(now + nextInMs), state: stateOf(why, failures), pausedUntil, rate };
  });
}

export function stateOf(cause: string, failures: number): (typeof hostStates)[number] {
  if (cause === "paused") return "paused";
  if (cause === "backoff" || failures > 0) return "deferred";
  return cause === "retry-after" || cause === "slow" ? "slowed" : "ok";
}
