import type { Frontier } from "../frontier/index.ts";
import type { Run, Store } from "../store/index.ts";
import { hash64, type KeyOptions, keyOf } from "../url/index.ts";
import type { HostReport, RunResult } from "./events.ts";

const SHOWN_HOSTS = 20;

/** The busiest hosts, with the moment and the cause of their next turn. */
export function reportHosts(frontier: Frontier, now: number): HostReport[] {
  const hosts = [...frontier.hosts()].filter((host) => host.waiting > 0 || host.inFlight > 0);
  return hosts
    .sort((a, b) => b.waiting - a.waiting)
    .slice(0, SHOWN_HOSTS)
    .map((host) => ({
      host: host.name,
      queued: host.waiting,
      inFlight: host.inFlight,
      done: host.done,
      nextInMs: Math.max(0, Math.round(host.readyAt - now)),
      delayMs: Math.round(host.delay),
      cause: host.why,
    }));
}

/** The host that made us wait longest for something other than our own rate. */
export function slowestHost(frontier: Frontier): RunResult["slowestHost"] {
  let slowest: RunResult["slowestHost"];
  for (const { name, costs, pace } of frontier.hosts()) {
    for (const [cause, cost] of costs) {
      if (cost > (slowest?.costMs ?? 0))
        slowest = { host: name, cause, delayMs: Math.round(pace.crawlDelay ?? 0), costMs: Math.round(cost) };
    }
  }
  return slowest;
}

/** How each seed fared, after redirects. */
export async function seedFates(store: Store, run: Run, key: KeyOptions): Promise<RunResult["seeds"]> {
  const fates: RunResult["seeds"][number][] = [];
  for (const seed of run.seeds) {
    let url: string | undefined = seed;
    let fate: RunResult["seeds"][number] | undefined;
    for (let hop = 0; url !== undefined && hop <= 10; hop++) {
      const [row] = await store.ledgerRows(run.id, [hash64(keyOf(url, key), store.hashSeed)]);
      if (!row) break;
      fate = { url: seed, verdict: row.verdict, reason: row.reason, rule: row.rule };
      url = row.target;
    }
    if (fate) fates.push(fate);
  }
  return fates;
}
