import { describe, expect, test } from "vitest";
import { datePositionOf } from "./date-position.ts";
import { hash64 } from "./index.ts";
import { ListExtent } from "./list-extent.ts";

const MAX_DEPTH = 10;
const step = (at: number) => ({ at, hash: hash64(`page ${at}`, { hi: 1, lo: 2 }) });

/** Follows the links that the reach asks for, from a page one click from the seed. */
function explore(links: (at: number) => number[], from: number): ListExtent {
  const reach = new ListExtent();
  const visited = new Set<number>();
  const queue = [{ at: from, depth: 1 }];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { at, depth } = next;
    if (visited.has(at)) continue;
    visited.add(at);
    const steps = links(at).map(step);
    reach.learn(at, steps, MAX_DEPTH - depth - 1);
    const asked = reach.takeUnvisited();
    queue.push(...steps.filter(({ hash }) => asked.some(({ lo }) => lo === hash.lo)).map((each) => ({ at: each.at, depth: depth + 1 })));
  }
  return reach;
}

const pager =
  (last: number, ...jumps: number[]) =>
  (at: number) =>
    jumps.map((jump) => at + jump).filter((n) => n >= 1 && n <= last);
const ENDLESS = Number.POSITIVE_INFINITY;

describe("how far a list goes", () => {
  test.each([
    ["one without end that jumps by 1, 10 and 100", pager(ENDLESS, 1, 10, 100), 1, [false, true]],
    ["one without end that counts on", pager(ENDLESS, 1), 1, [false, true]],
    ["one without end both ways", (at: number) => [at - 30, at - 1, at + 1, at + 30], 50_000, [true, true]],
    ["one that doubles", (at: number) => [2 * at, 2 * at + 1], 1, [false, true]],
    ["one of 400 pages that jumps", pager(400, 1, 10, 100, -1, -10, -100), 1, [false, false]],
    ["one of a thousand, whose end lies just past the limit", pager(1000, 1, 10, 100, -1, -10, -100), 1, [false, false]],
    ["one that names its last page", (at: number) => [...pager(5000, 1, 10)(at), 5000], 1, [false, false]],
    ["a single page", () => [], 1, [false, false]],
  ] as [string, (at: number) => number[], number, [boolean, boolean]][])("%s", (_, links, from, open) => {
    const { isEndlessBelow: isOpenBelow, isEndlessAbove: isOpenAbove } = explore(links, from);
    expect([isOpenBelow, isOpenAbove]).toEqual(open);
  });

  test("what was open stays open through a snapshot that is plain data", () => {
    const reach = new ListExtent(JSON.parse(JSON.stringify(explore(pager(ENDLESS, 1, 10), 1).snapshot())));
    expect([reach.isEndlessBelow, reach.isEndlessAbove]).toEqual([false, true]);
  });
});

describe("dated URLs are in the order of their dates", () => {
  test.each([
    ["days", "/cal/2026-11-15", "/cal/2026-12-01"],
    ["months", "/cal/2026/11", "/cal/2027/2"],
    ["months by their names", "/cal/november-2026", "/cal/february-2027"],
    ["weeks", "/week/2026/9", "/week/2026/46"],
    ["ISO weeks", "/w/2026-W09", "/w/2026-W46"],
    ["days without marks", "/cal?date=20261115", "/cal?date=20261201"],
    ["parameters in any order", "/cal?d=15&m=11&y=2026", "/cal?d=1&m=2&y=2027"],
    ["seconds", "/cal?t=1794700800", "/cal?t=1794787200"],
    ["months from now", "/cal?month=-3", "/cal?month=2"],
  ])("%s", (_, earlier, later) => {
    expect(datePositionOf(later)).toBeGreaterThan(datePositionOf(earlier)!);
  });
});
