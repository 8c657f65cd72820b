import { expect, test } from "vitest";
import { gaps, type LoggedRequest, mostAtOnce } from "./index.ts";

const entry = (host: string, at: number, finishedAt: number): LoggedRequest => ({
  host,
  at,
  finishedAt,
  method: "GET",
  path: "/",
  headers: {},
  status: 200,
});

test.each([
  ["nothing asked, nothing to tell", [], [], 0],
  ["one request has no gap", [entry("a", 5, 6)], [], 1],
  ["gaps run from start to start", [entry("a", 0, 90), entry("a", 100, 101), entry("a", 350.5, 351)], [100, 250.5], 1],
  ["each host counts for itself", [entry("a", 0, 50), entry("b", 10, 60), entry("a", 100, 150)], [100], 1],
  ["requests overlap", [entry("a", 0, 50), entry("a", 10, 20), entry("a", 15, 40), entry("a", 45, 60)], [10, 5, 30], 3],
  ["one that ends as the next starts does not overlap it", [entry("a", 0, 10), entry("a", 10, 20)], [10], 1],
  ["what never ended is still open", [entry("a", 0, Number.POSITIVE_INFINITY), entry("a", 9, Number.POSITIVE_INFINITY)], [9], 2],
] as [string, LoggedRequest[], number[], number][])("%s", (_, log, expected, most) => {
  expect(gaps(log)).toEqual(expected);
  expect(mostAtOnce(log)).toBe(most);
});
