import { expect, test } from "vitest";
import { noCounts } from "../../store/index.ts";
import { liveLines, progressLine } from "./index.ts";
import { metadataLines } from "./metadata.ts";

const report = { read: 0, failed: 0, ended: "finished", trouble: null, verdicts: {} } as const;

test.each([
  ["nothing happened, nothing is said", report, []],
  [
    "stored pages were read again",
    { ...report, read: 1200, failed: 1 },
    [["metadata", "1,200 stored pages read again · 1 could not be read"]],
  ],
  [
    "it was interrupted",
    { ...report, read: 1, ended: "interrupted" },
    [["metadata", "1 stored page read again · interrupted; the next crawl goes on with it"]],
  ],
  [
    "it failed, in words that cannot command a terminal",
    { ...report, ended: "failed", trouble: "no\x1b[2J" },
    [["metadata", expect.stringMatching(/^failed: no[^\x1b]*$/)]],
  ],
  [
    "walls are named",
    { ...report, verdicts: { "login-wall": 3, parked: 1 } },
    [["no pages", "login-wall 3 · parked 1; left out of changes and exports"]],
  ],
] as [string, Parameters<typeof metadataLines>[0], unknown[]][])("%s", (_, given, lines) => {
  expect(metadataLines(given)).toEqual(lines);
});

test("how far stored pages have got their metadata is seen while it happens", () => {
  const progress = { counters: noCounts(), queued: 0, inFlight: 0, hosts: [] };
  const look = {
    title: "a.test · run 2",
    elapsed: 0,
    progress,
    perMinute: 0,
    lastPages: [],
    columns: 80,
    colour: false,
    phase: "enhancing",
  } as const;
  expect(liveLines(look)[0]).toMatch(/^a\.test · run 2 · metadata of stored pages/);
  expect(liveLines({ ...look, filling: { done: 120, total: 400 } })[0]).toMatch(/^a\.test · run 2 · metadata 120\/400 of stored pages/);
  expect(progressLine({ ...look, filling: { done: 120, total: 400 } })).toContain("metadata 120/400");
});
