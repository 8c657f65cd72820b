import type { z } from "zod";
import { type Run, runState, type Store, stopReasonOf } from "../store/index.ts";
import type { LiveRun } from "./engine.ts";
import type { LiveRuns } from "./live.ts";
import type { LiveSummary } from "./run-shapes.ts";
import type { RunStatus, RunSummary } from "./shapes.ts";

type Status = z.output<typeof RunStatus>;

export function statusOf(store: Store, run: Run, live: LiveRuns = {}): Status {
  const now = live[run.id];
  // What comes after the crawl belongs to it, unless it was stopped; what the engine told last may be a moment old.
  if (now && run.stopReason !== "stopped" && run.status !== "failed") return now.isPaused ? "paused" : "running";
  return runState(run, store.isAlive(run));
}

/** A run as the API tells it. */
export const runJson = (
  { id, uid, status, stopReason, startedAt, endedAt, seeds, sites, counters }: Run,
  now: Status = runState({ status, stopReason }, true),
): z.output<typeof RunSummary> => ({
  id,
  uid,
  status: now,
  stopReason: stopReasonOf({ status, stopReason }, now !== "died") ?? null,
  startedAt: new Date(startedAt).toISOString(),
  endedAt: endedAt === undefined ? null : new Date(endedAt).toISOString(),
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
