/** The hosts of a run: what is queued, how fast they are asked, and why not faster. */
import type { z } from "zod";
import type { App } from "../app.ts";
import { holdersOfHosts, saidOfHosts } from "../operations/hosts.ts";
import type { LiveRuns } from "./live.ts";
import type { HostRow, hostStates } from "./run-shapes.ts";

const MOST = 10_000;
/** Number of ledger rows that can be counted per request without delaying others. */
const COUNTABLE = 50_000;
const NOTHING = { pausedUntil: null, rate: null };

const iso = (at: number) => new Date(at).toISOString();

/** Done and failed URLs are counted in the ledger only. For a large active run they are not counted on each request. */
async function isCountable(app: App, id: number, known: LiveRuns[number] | undefined): Promise<boolean> {
  if (!known) return true;
  const skipped = Object.values(known.counters.skipped).reduce((sum, urls) => sum + urls, 0);
  return ((await app.store.run(id))?.seq ?? 0) + known.queued + skipped <= COUNTABLE;
}

export async function hostsOf(app: App, id: number, live: LiveRuns): Promise<z.output<typeof HostRow>[]> {
  const now = Date.now();
  const said = new Map((await saidOfHosts(app)).map((one) => [one.host, one]));
  const known = live[id];
  const counts = await isCountable(app, id, known);
  const atWork = new Map(known?.hosts.map((host) => [host.host, host]));
  const holders = await holdersOfHosts(app);
  const hosts = await app.store.queue.hosts(id, { counts, limit: MOST });
  return hosts.map(({ nextAt, failures, cause, ...host }) => {
    const own = atWork.get(host.host);
    const { pausedUntil, rate } = said.get(host.host) ?? NOTHING;
    const nextInMs = own?.nextInMs ?? Math.max(0, nextAt - now, pausedUntil === null ? 0 : Date.parse(pausedUntil) - now);
    const counted = counts ? {} : { done: own?.done ?? null, failed: null };
    const told = { ...host, ...counted, ...(own && { delayMs: own.delayMs }), inFlight: own?.inFlight ?? 0, failures };
    const why = pausedUntil === null ? (own?.cause ?? cause) : "paused";
    const worker = holders.get(host.host)?.id ?? null;
    return { ...told, worker, cause: why, nextInMs, nextAt: iso(now + nextInMs), state: stateOf(why, failures), pausedUntil, rate };
  });
}

export function stateOf(cause: string, failures: number): (typeof hostStates)[number] {
  if (cause === "paused") return "paused";
  if (cause === "backoff" || failures > 0) return "deferred";
  return cause === "retry-after" || cause === "slow" ? "slowed" : "ok";
}
