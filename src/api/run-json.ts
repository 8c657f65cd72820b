import type { z } from "zod";
import type { Run } from "../store/index.ts";
import type { RunSummary } from "./shapes.ts";

/** A run as the API tells it. */
export const runJson = ({ id, uid, status, stopReason, startedAt, endedAt, seeds, sites, counters }: Run): z.output<typeof RunSummary> => ({
  id,
  uid,
  status,
  stopReason: stopReason ?? null,
  startedAt: new Date(startedAt).toISOString(),
  endedAt: endedAt === undefined ? null : new Date(endedAt).toISOString(),
  seeds: [...seeds],
  sites: [...sites],
  counters: { ...counters },
});
