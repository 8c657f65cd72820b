import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../app.ts";
import { lookEvery } from "../clock.ts";
import { type Config, SetupError } from "../config/index.ts";
import type { RunControl } from "../crawl/index.ts";
import type { Seed } from "../seed.ts";
import { hasEnded, type Run, runState, stopReasonOf } from "../store/index.ts";
import { keyOptionsOf, resolve } from "../url/index.ts";
import { findRun } from "./find.ts";

/** Polling intervals in milliseconds: of a crawl for a stop request, and of the requesting process for the end of the run. */
const LOOK = 500;
const LOOK_BACK = 100;

/** The state of a run, or the limit that it reached: `limit.pages`. */
export function runStatus({ store }: App, run: Run): string {
  const isAlive = store.isAlive(run);
  const [state, reason] = [runState(run, isAlive), stopReasonOf(run, isAlive)];
  return state === "limit" || reason === "hung" ? reason! : state;
}

const USUAL_PAGES = 10_000;

/** The command that resumes a run. After a limit it needs a higher one, or it would end at once. */
export function resumeWords({ id, stopReason, counters }: Pick<Run, "id" | "stopReason" | "counters">): string {
  const resume = `nuthatch resume ${id}`;
  if (stopReason === "limit.pages") return `${resume} --max-pages ${Math.max(USUAL_PAGES, 2 * counters.pages)}`;
  return stopReason === "limit.bytes" ? `${resume} --max-bytes ${2 * counters.bytes}` : resume;
}

/** Stops a crawl when another process requests it. Resolves when that happens. */
export function heedStop(app: App, run: Run, control: RunControl): Promise<void> {
  return new Promise((resolve) => {
    const forget = lookEvery(LOOK, async () => {
      if (!(await app.store.care.isStopWanted(run.id))) return;
      forget();
      control.stop();
      resolve();
    });
    control.result.then(forget, forget);
  });
}

/** Applies changes of host limits to a running crawl, also those made by other processes; and ends back-off where others succeeded. */
export function heedHosts({ store }: App, control: RunControl): void {
  let known = "[]";
  const look = async () => {
    const hosts = await store.cards.hosts();
    const said = JSON.stringify(hosts);
    if (said !== known) control.heed(hosts);
    known = said;
    const well: string[] = [];
    for (const host of control.inBackOff()) if ((await store.queue.pace(host))?.failures === 0) well.push(host);
    if (well.length > 0) control.forgive(well);
  };
  const forget = lookEvery(LOOK, look);
  control.result.then(forget, forget);
}

/** The run in progress on one of these sites. */
export async function runAtWork({ store }: App, seeds: readonly Seed[], config: Config): Promise<Run | undefined> {
  const key = (url: string) => resolve(url.trim(), undefined, keyOptionsOf(config))?.key;
  const keys = new Set(seeds.map(({ url }) => key(url)));
  for (const { id, url } of await store.sites()) {
    if (!keys.has(key(url))) continue;
    const busy = (await store.runs({ kind: "crawl", siteId: id })).find((run) => run.status === "running" && store.isAlive(run));
    if (busy) return busy;
  }
  return undefined;
}

/** The run to stop: the named one, or the only one in progress. */
export async function runToStop(app: App, text: string | undefined): Promise<Run> {
  if (text !== undefined) {
    const run = await findRun(app, text);
    if (app.store.isAlive(run)) return run;
    const status = runStatus(app, run);
    const hint = hasEnded(run) ? "nuthatch runs lists them" : `${resumeWords(run)} carries on with it`;
    throw new SetupError(`nobody is crawling run ${run.id}: ${status}`, hint);
  }
  const atWork = (await app.store.runs({})).filter((run) => app.store.isAlive(run));
  if (atWork.length === 1) return atWork[0]!;
  if (atWork.length === 0) throw new SetupError("nobody is crawling into this file", "nuthatch runs lists the runs so far");
  throw new SetupError("more than one run is at work", `name one: ${atWork.map(({ id }) => id).join(", ")}`);
}

/** Requests the crawling process to stop, as Ctrl-C would, and waits until it has. Returns the run in its final state. */
export async function stopRun(app: App, run: Run): Promise<Run> {
  const wasAsked = await app.store.care.askToStop(run.id);
  while (wasAsked && app.store.isAlive(run)) await sleep(LOOK_BACK);
  return (await app.store.run(run.id)) ?? run;
}
