import { setTimeout as sleep } from "node:timers/promises";
import { keyOptionsOf, resolve } from "../../analysis/url/index.ts";
import { pollEvery } from "../../core/clock.ts";
import type { Seed } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import { type Config, SetupError } from "../../engine/config/index.ts";
import type { RunControl } from "../../engine/crawl/index.ts";
import { hasEnded, type Run, runState, stopReasonOf } from "../../store/index.ts";
import { findRun } from "../pages/find.ts";

/** Polling intervals in milliseconds: of a crawl for a stop request, and of the requesting process for the end of the run. */
const POLL_MS = 500;
const END_POLL_MS = 100;

/** The state of a run, or the limit that it reached: `limit.pages`. */
export function runStatus({ store }: App, run: Run): string {
  const isAlive = store.isAlive(run);
  const [state, reason] = [runState(run, isAlive), stopReasonOf(run, isAlive)];
  return state === "limit" || reason === "hung" ? reason! : state;
}

const MIN_RESUME_PAGES = 10_000;

/** The command that resumes a run. After a limit it needs a higher one, or it would end at once. */
export function resumeCommandOf({ id, stopReason, counters }: Pick<Run, "id" | "stopReason" | "counters">): string {
  const resume = `nuthatch resume ${id}`;
  if (stopReason === "limit.pages") return `${resume} --max-pages ${Math.max(MIN_RESUME_PAGES, 2 * counters.pages)}`;
  return stopReason === "limit.bytes" ? `${resume} --max-bytes ${2 * counters.bytes}` : resume;
}

/** Stops a crawl when another process requests it. Resolves when that happens. */
export function watchStopRequest(app: App, run: Run, control: RunControl): Promise<void> {
  return new Promise((resolve) => {
    const stopPolling = pollEvery(POLL_MS, async () => {
      if (!(await app.store.maintenance.isStopRequested(run.id))) return;
      stopPolling();
      control.stop();
      resolve();
    });
    control.result.then(stopPolling, stopPolling);
  });
}

/** Applies changes of host limits to a running crawl, also those made by other processes; and ends back-off where others succeeded. */
export function watchHostSettings({ store }: App, control: RunControl): void {
  let known = "[]";
  const check = async () => {
    const hosts = await store.userData.hosts();
    const json = JSON.stringify(hosts);
    if (json !== known) control.applyHostSettings(hosts);
    known = json;
    const recoveredHosts: string[] = [];
    for (const host of control.inBackOff()) if ((await store.queue.pace(host))?.failures === 0) recoveredHosts.push(host);
    if (recoveredHosts.length > 0) control.endBackOff(recoveredHosts);
  };
  const stopPolling = pollEvery(POLL_MS, check);
  control.result.then(stopPolling, stopPolling);
}

/** The run in progress on one of these sites. */
export async function findRunningRun({ store }: App, seeds: readonly Seed[], config: Config): Promise<Run | undefined> {
  const key = (url: string) => resolve(url.trim(), undefined, keyOptionsOf(config))?.key;
  const keys = new Set(seeds.map(({ url }) => key(url)));
  for (const { id, url } of await store.sites()) {
    if (!keys.has(key(url))) continue;
    const runningRun = (await store.runs({ kind: "crawl", siteId: id })).find((run) => run.status === "running" && store.isAlive(run));
    if (runningRun) return runningRun;
  }
  return undefined;
}

/** The run to stop: the named one, or the only one in progress. */
export async function runToStop(app: App, text: string | undefined): Promise<Run> {
  if (text !== undefined) {
    const run = await findRun(app, text);
    if (app.store.isAlive(run)) return run;
    const status = runStatus(app, run);
    const hint = hasEnded(run) ? "nuthatch runs lists them" : `${resumeCommandOf(run)} carries on with it`;
    throw new SetupError(`nobody is crawling run ${run.id}: ${status}`, hint);
  }
  const runningRuns = (await app.store.runs({})).filter((run) => app.store.isAlive(run));
  if (runningRuns.length === 1) return runningRuns[0]!;
  if (runningRuns.length === 0) throw new SetupError("nobody is crawling into this file", "nuthatch runs lists the runs so far");
  throw new SetupError("more than one run is at work", `name one: ${runningRuns.map(({ id }) => id).join(", ")}`);
}

/** Requests the crawling process to stop, as Ctrl-C would, and waits until it has. Returns the run in its final state. */
export async function stopRun(app: App, run: Run): Promise<Run> {
  const wasRequested = await app.store.maintenance.requestStop(run.id);
  while (wasRequested && app.store.isAlive(run)) await sleep(END_POLL_MS);
  return (await app.store.run(run.id)) ?? run;
}
