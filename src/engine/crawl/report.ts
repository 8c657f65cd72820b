import { hash64, hostOf, type KeyOptions, keyOf, originOf, type SessionIds } from "../../analysis/url/index.ts";
import type { Clock } from "../../core/clock.ts";
import type { Run, Store } from "../../store/index.ts";
import type { Frontier, HostQueue } from "../frontier/index.ts";
import type { HostReport, RunResult } from "./events.ts";
import { type HostPause, pauseReason } from "./host-pause.ts";

export const MAX_SHOWN_HOSTS = 20;

/** The busiest hosts, with the moment and the cause of their next turn. */
export function reportHosts(frontier: Frontier, now: number): HostReport[] {
  const hosts = [...frontier.hosts()].filter((host) => host.waiting > 0 || host.inFlight > 0);
  return hosts
    .sort((a, b) => b.waiting - a.waiting)
    .slice(0, MAX_SHOWN_HOSTS)
    .map((host) => ({
      host: host.name,
      queued: host.waiting,
      inFlight: host.inFlight,
      done: host.done,
      nextInMs: Math.max(0, Math.round(host.readyAt - now)),
      delayMs: Math.round(host.delay),
      cause: host.why,
      failures: host.pace.failures,
    }));
}

/** Hosts with queued URLs that must wait, ordered by when they may be asked; also those whose back-off is over, but that failed last. */
export function pausedHosts(frontier: Frontier, clock: Pick<Clock, "now" | "wall">): HostPause[] {
  const [now, wall] = [clock.now(), clock.wall()];
  const hasWork = ({ waiting, errands }: HostQueue) => waiting > 0 || errands.length > 0;
  const waiting = [...frontier.hosts()].filter((host) => (host.readyAt > now || host.why === "backoff") && hasWork(host));
  return waiting
    .sort((a, b) => a.readyAt - b.readyAt)
    .map((host) => ({
      host: host.name,
      until: new Date(Math.ceil(wall + Math.max(0, host.readyAt - now))).toISOString(),
      cause: host.why,
      failures: host.pace.failures,
    }));
}

/** Seeds that are still queued and were not requested since this run was started or resumed get the pause of their host as reason. */
export function withPauseReasons(
  seeds: RunResult["seeds"],
  paused: readonly HostPause[],
  { requested, now, troubles }: { requested: ReadonlySet<string>; now: number; troubles: Readonly<Record<string, string>> },
): RunResult["seeds"] {
  const pauses = new Map(paused.map((pause) => [pause.host, pause]));
  return seeds.map((seed) => {
    const pause = seed.verdict === "queued" && !requested.has(seed.finalUrl) ? pauses.get(hostOf(seed.finalUrl)) : undefined;
    return pause ? { ...seed, ...pauseReason(pause, now, troubles[originOf(seed.finalUrl)]) } : seed;
  });
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

const MAX_HOPS = 10;

/** The result for each seed, after redirects. */
export async function seedResults(store: Store, run: Run, key: KeyOptions, sessions?: SessionIds): Promise<RunResult["seeds"]> {
  const rowsOf = (urls: readonly string[], keyOptions: (url: string) => KeyOptions) =>
    store.ledgerRows(
      run.id,
      urls.map((url) => hash64(keyOf(url, keyOptions(url)), store.hashSeed)),
    );
  const { seeds } = run;
  const results: (RunResult["seeds"][number] | undefined)[] = seeds.map(() => undefined);
  let followed = seeds.map((url, place) => ({ url, place }));
  for (let hop = 0; followed.length > 0 && hop <= MAX_HOPS; hop++) {
    const urls = followed.map(({ url }) => url);
    const rows = [...(await rowsOf(urls, () => key))];
    // A URL queued before its session id was recognised is stored under its full address.
    const plain = sessions && rows.includes(undefined) ? await rowsOf(urls, (url) => sessions.keyOptions(hostOf(url), key)) : [];
    for (const [at, row] of plain.entries()) rows[at] ??= row;
    followed = followed.flatMap(({ url: finalUrl, place }, at) => {
      const row = rows[at];
      if (!row) return [];
      results[place] = { url: seeds[place]!, finalUrl, verdict: row.verdict, reason: row.reason, rule: row.rule };
      return row.target === undefined ? [] : [{ url: row.target, place }];
    });
  }
  return results.filter((fate) => fate !== undefined);
}
