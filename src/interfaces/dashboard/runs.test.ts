import { expect, test } from "vitest";
import { size } from "../../engine/telemetry/index.ts";
import { healthWord, incompleteReason, ratesOf, sitesOf, withGaps } from "./runs.ts";
import { bytes } from "./words.ts";

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const sample = (seconds: number, good: number, bad = 0) => ({
  at: at(seconds),
  pages: good,
  queued: 0,
  failed: 0,
  status: { "2xx": good, "5xx": bad },
});

test.each([
  ["nothing was seen yet", [], [], []],
  ["one look tells no pace", [sample(0, 4)], [], []],
  ["a page a second is sixty a minute from the beginning", [sample(0, 0), sample(10, 10), sample(20, 20)], [60, 60, 60], [0, 0, 0]],
  ["looks closer than two seconds are taken together", [sample(0, 0), sample(1, 1), sample(2, 2)], [60, 60], [0, 0]],
  ["less than two seconds tell no pace", [sample(0, 0), sample(1, 18)], [], []],
  ["the moment in which a run ends is not told as its pace", [sample(0, 0), sample(2, 60), sample(2.4, 60)], [1800, 1800], [0, 0]],
  ["errors stand apart", [sample(0, 0, 0), sample(10, 0, 5)], [0, 0], [30, 30]],
  ["a run taken up again never counts backwards", [sample(0, 10), sample(10, 0)], [0, 0], [0, 0]],
])("%s", (_, samples, good, bad) => {
  const { perMinute, times } = ratesOf(samples);
  expect([perMinute["2xx"], perMinute["5xx"], times.length]).toEqual([good, bad, good.length]);
});

test("a long run is told in about sixty steps", () => {
  const samples = Array.from({ length: 700 }, (_, second) => sample(second * 5, second));
  expect(ratesOf(samples).times.length).toBeLessThanOrEqual(61);
});

test("where nothing ran there is a gap, and no rate is told across it", () => {
  const samples = [sample(0, 0), sample(30, 60), sample(200, 60), sample(230, 120)];
  expect(withGaps(samples).map((place) => "isGap" in place)).toEqual([false, false, true, false, false]);
  const { times, perMinute } = ratesOf(samples);
  expect(perMinute["2xx"]).toEqual([120, 120, null, 120, 120]);
  expect(times).toHaveLength(5);
});

test("a run of many sites is called by the first", () => {
  const sites = ["https://a.test/", "https://b.test/"].map((url, id) => ({ id, url }));
  expect(sitesOf({ sites, seeds: [] }, (url) => new URL(url).host)).toBe("a.test and 1 more");
});

test.each([
  ["a run at work is not cut short", null, undefined],
  ["nor is one that is finished", "finished", undefined],
  ["nor is one that somebody stopped taken for one that died", "stopped", "it was stopped"],
  ["one that died is told so", "died", "its process ended before the run did"],
  ["a limit is told in words", "limit.pages", "it reached its limit of pages"],
  ["what nobody knows is told as it is", "odd", "odd"],
])("%s", (_, reason, text) => expect(incompleteReason(reason)).toBe(text));

test.each([
  ["finished", 3, "ok"],
  ["limit", 3, "ok"],
  ["deferred", 0, "failed"],
  ["finished", 0, "failed"],
  ["died", 0, "failed"],
  ["running", 0, "running"],
  ["paused", 0, "running"],
])("a site whose last run is %s with %i pages is %s", (status, pages, word) => {
  const counters = { pages } as Parameters<typeof healthWord>[0]["counters"];
  expect(healthWord({ status, counters })).toBe(word);
});

test.each([0, 1, 1000, 1666936, 10 * 1024 * 1024, 524_000, 1_048_550, 3 * 1024 ** 4])(
  "%i bytes are told as on the command line",
  (value) => {
    expect(bytes(value)).toBe(size(value).replace(/ bytes?$/, " B"));
  },
);
