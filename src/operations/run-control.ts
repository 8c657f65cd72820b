import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../app.ts";
import { lookEvery } from "../clock.ts";
import { type Config, SetupError } from "../config/index.ts";
import type { RunControl } from "../crawl/index.ts";
import type { Seed } from "../seed.ts";
import { hasEnded, type Run, runState, stopReasonOf } from "../store/index.ts";
import { keyOptionsOf, resolve } from "../url/index.ts";
import { findRun } from "./find.ts";

/** How often a crawl looks whether another process wants it to stop, and how often that one looks whether it has. */
const LOOK = 500;
const LOOK_BACK = 100;

/** How a run stands, with the limit that it reached: `limit.pages`. */
export function runStatus({ store }: App, run: Run): string {
  const isAlive = store.isAlive(run);
  const [state, reason] = [runState(run, isAlive), stopReasonOf(run, isAlive)];
  return state === "limit" || reason === "hung" ? reason! : state;
}

const USUAL_PAGES = 10_000;

/** The command that carries on with a run. One that met a limit needs a higher one, or it would end at once. */
export function resumeWords({ id, stopReason, counters }: Pick<Run, "id" | "stopReason" | "counters">): string {
  const resume = `nuthatch resume ${id}`;
  if (stopReason === "limit.pages") return `${resume} --max-pages ${Math.max(USUAL_PAGES, 2 * counters.pages)}`;
  return stopReason === "limit.bytes" ? `${resume} --max-bytes ${2 * counters.bytes}` : resume;
}

/** Stops a crawl when another process has asked for it. Resolves when that happens. */
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

/** Lets a crawl follow what is said of hosts while it is under way, wherever that is said. */
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

/** The run that is at work on one of these sites. */
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

/** The run that is to be stopped: the one named, or the only one at work. */
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

/** Asks whoever crawls it to stop as Ctrl-C would, and waits until it has. Answers the run as it is then. */
export async function stopRun(app: App, run: Run): Promise<Run> {
  const wasAsked = await app.store.care.askToStop(run.id);
  while (wasAsked && app.store.isAlive(run)) await sleep(LOOK_BACK);
  return (await app.store.run(run.id)) ?? run;
}
