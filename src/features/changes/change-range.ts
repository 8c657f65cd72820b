import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import type { Run } from "../../store/index.ts";
import { findRun, findSite } from "../pages/find.ts";
import type { ChangesQuery } from "./changes.ts";
import { parseMoment } from "./since.ts";

/** The runs to compare, and of which sites. */
export interface Range {
  readonly from: Run | undefined;
  readonly to: Run;
  readonly siteIds: readonly number[];
  /** Runs after this one are in the range. */
  readonly after: number;
  /** The first crawl of each site, where a range begins at a moment: what it found is what later runs are compared with. */
  readonly first: ReadonlyMap<number, Run>;
}

export async function runRangeOf(app: App, { site, since = "previous", between }: ChangesQuery): Promise<Range> {
  const siteId = site === undefined ? undefined : (await findSite(app, site)).id;
  const to = between ? await findRunByNumber(app, between[1]) : await findRun(app, undefined, siteId);
  const siteIds = siteId === undefined ? to.sites.map(({ id }) => id) : [siteId];
  const runs = await runsBefore(app, to, siteIds);
  const range = { to, siteIds, first: new Map<number, Run>() };
  if (between) {
    const from = await findRunByNumber(app, between[0]);
    if (from.id < to.id) return { ...range, from, after: from.id };
    throw new SetupError(
      `run ${from.id} is not before run ${to.id}`,
      from.id === to.id ? "name two runs; nuthatch runs lists them" : `--between ${to.id} ${from.id}`,
    );
  }
  if (since === "previous") return { ...range, from: runs[0], after: runs[0]?.id ?? 0 };
  if (/^\d{1,9}$/.test(since)) {
    const from = await findRunByNumber(app, since);
    if (from.id < to.id) return { ...range, from, after: from.id };
    throw new SetupError(
      `run ${from.id} is the latest: nothing has been seen since`,
      `nuthatch changes --since ${runs[0]?.id ?? "previous"}`,
    );
  }
  const moment = parseMoment(since);
  // What a site was like before its first crawl is not known, so that crawl is the earliest to compare with.
  const from = [to, ...runs].find((run) => endOf(run) <= moment);
  const first = firstRuns([to, ...runs]);
  return {
    ...range,
    first,
    from: from ?? runs.findLast(({ id }) => [...first.values()].some((run) => run.id === id)),
    after: from?.id ?? 0,
  };
}

/** `runs`: latest first. A run that found no page of a single site is no first crawl. */
export function firstRuns(runs: readonly Run[]): ReadonlyMap<number, Run> {
  const first = new Map<number, Run>();
  for (const run of runs.filter(({ sites, counters }) => sites.length > 1 || counters.pages > 0))
    for (const { id } of run.sites) first.set(id, run);
  return first;
}

/** Latest first. A site that a run did not visit keeps its state from before that run. */
async function runsBefore(app: App, to: Run, siteIds: readonly number[]): Promise<readonly Run[]> {
  const [only, ...others] = siteIds;
  const wanted = new Set(siteIds);
  const runs = await app.store.runs({ kind: "crawl", siteId: others.length === 0 ? only : undefined });
  return runs.filter(({ id, sites }) => id < to.id && sites.some((site) => wanted.has(site.id)));
}

/** A running run counts as ending in the future, because its changes are not complete. */
const endOf = ({ status, startedAt, endedAt }: Run) => (status === "running" ? Number.POSITIVE_INFINITY : (endedAt ?? startedAt));

async function findRunByNumber(app: App, text: string): Promise<Run> {
  if (/^\d{1,9}$/.test(text)) return findRun(app, text);
  throw new SetupError(`${text} is not the number of a run`, "nuthatch runs lists them");
}
