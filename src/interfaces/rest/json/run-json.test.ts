import { expect, test } from "vitest";
import type { Run } from "../../../store/index.ts";
import { endOf, runJson } from "./run-json.ts";

/** A run whose crawl has ended; only the engine knows whether the phases after it have ended, too. */
const run: Run = {
  id: 1,
  uid: "u",
  kind: "crawl",
  status: "finished",
  stopReason: "finished",
  startedAt: 0,
  endedAt: 1000,
  seeds: [],
  sites: [],
} as unknown as Run;

test.each([
  ["a run whose last phases go on has not ended", "running", { stopReason: null, endedAt: null }],
  ["nor has one that is paused", "paused", { stopReason: null, endedAt: null }],
  ["one that is over tells how and when", "finished", { stopReason: "finished", endedAt: "1970-01-01T00:00:01.000Z" }],
] as const)("%s", (_, status, end) => {
  expect(endOf(run, status)).toEqual(end);
  expect(runJson(run, status)).toMatchObject({ status, ...end });
});
