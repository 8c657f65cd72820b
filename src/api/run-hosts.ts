/** The hosts of a run: what waits, how fast they are asked, and why not faster. */
import type { z } from "zod";
import type { App } from "../app.ts";
import type { LiveRuns } from "./live.ts";
import type { HostRow } from "./run-shapes.ts";

const MOST = 10_000;

const iso = (at: number) => new Date(at).toISOString();

export async function hostsOf({ store }: App, id: number, live: LiveRuns): Promise<z.output<typeof HostRow>[]> {
  const now = Date.now();
  const known = live[id];
  const atWork = new Map(known?.hosts.map((host) => [host.host, host]));
  const hosts = await store.queue.hosts(id, { counts: known === undefined, limit: MOST });
  return hosts.map(({ nextAt, failures, cause, ...host }) => {
    const own = atWork.get(host.host);
    const nextInMs = own?.nextInMs ?? Math.max(0, nextAt - now);
    const told = { ...host, ...(own && { done: own.done, delayMs: own.delayMs }), inFlight: own?.inFlight ?? 0, failures };
    return { ...told, cause: own?.cause ?? cause, nextInMs, nextAt: iso(now + nextInMs), state: stateOf(own?.cause ?? cause, failures) };
  });
}

function stateOf(cause: string, failures: number): "ok" | "slowed" | "deferred" {
  if (cause === "backoff" || failures > 0) return "deferred";
  return cause === "retry-after" || cause === "slow" ? "slowed" : "ok";
}
