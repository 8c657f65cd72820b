import type { z } from "zod";
import { type Run, runState, type Store, stopReasonOf } from "../../../store/index.ts";
import type { LiveRun } from "../engine/engine.ts";
import type { LiveRuns } from "../events/live.ts";
import type { RunStatus, RunSummary } from "../shapes/shapes.ts";
import type { LiveSummary } from "./run-shapes.ts";

type Status = z.output<typeof RunStatus>;

export function statusOf(store: Store, run: Run, live: LiveRuns = {}): Status {
  const now = live[run.id];
  // Phases after the crawl belong to the run, unless it was stopped. The state from the engine may be slightly old, so the stored run is
  // checked as well.
  if (now && run.stopReason !== "stopped" && run.status !== "failed") return now.isPaused ? "paused" : "running";
  return runState(run, store.isAlive(run));
}

/** How a run ended; nulls while it is active, including the phases after the crawl, when the store already has an end. */
export function endOf(
  run: Pick<Run, "status" | "stopReason" | "endedAt">,
  now: Status,
): Pick<z.output<typeof RunSummary>, "stopReason" | "endedAt"> {
  if (now === "running" || now === "paused") return { stopReason: null, endedAt: null };
  const { endedAt } = run;
  return {
    stopReason: stopReasonOf(run, now !== "died") ?? null,
    endedAt: endedAt === undefined ? null : new Date(endedAt).toISOString(),
  };
}

/** A run as JSON. */
export const runJson = (
  { id, uid, status, stopReason, startedAt, endedAt, seeds, sites, counters }: Run,
  now: Status = runState({ status, stopReason }, true),
): z.output<typeof RunSummary> => ({
  id,
  uid,
  status: now,
  startedAt: new Date(startedAt).toISOString(),
  ...endOf({ status, stopReason, endedAt }, now),
  seeds: [...seeds],
  sites: [...sites],
  counters: { ...counters },
  links: { self: `/api/v1/crawls/${id}`, events: `/api/v1/crawls/${id}/events` },
});

export const liveJson = ({
  queued,
  inFlight,
  isPaused,
  perMinute,
  etaMs,
  phase,
  hosts,
  counters,
}: LiveRun): z.output<typeof LiveSummary> => ({
  counters: { ...counters },
  queued,
  inFlight,
  isPaused,
  perMinute,
  etaMs,
  phase,
  hosts: hosts.map((host) => ({ ...host })),
});
