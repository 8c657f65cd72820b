import { describe, expect, test } from "vitest";
import { seededRandom } from "../../engine/frontier/index.ts";
import type { Observation } from "./observations.ts";
import { type Interval, intervalsOf, maxLikelihoodRate, noPrior, type Prior, rateOf, regularRate } from "./rate.ts";

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const changed = (...days: number[]): Interval[] => days.map((one) => ({ days: one, changed: true, quietDays: undefined }));
const same = (...days: number[]): Interval[] => days.map((one) => ({ days: one, changed: false, quietDays: undefined }));
const told = (days: number, quietDays: number): Interval => ({ days, changed: true, quietDays });

describe("looks at regular intervals", () => {
  test.each<[string, number, number, number]>([
    ["no change in five looks: none expected", 5, 0, 0],
    ["two of five", 5, 2, 0.452],
    ["all of five: still a number", 5, 5, 2.3979],
    ["nine of ten", 10, 9, 1.9459],
    ["ten of ten", 10, 10, 3.0445],
    ["one of one", 1, 1, 1.0986],
  ])("%s", (_, looks, changes, rate) => {
    expect(regularRate({ looks, changes, interval: 1 }, noPrior)).toBeCloseTo(rate, 4);
    expect(regularRate({ looks, changes, interval: 7 }, noPrior)).toBeCloseTo(rate / 7, 4);
  });
});

describe("the likeliest rate", () => {
  const prior: Prior = { changes: 1, days: 10 };
  test.each<[string, Interval[], Prior, number]>([
    ["of irregular looks", [...changed(1, 3), ...same(2, 2, 4)], noPrior, 0.203429],
    ["of regular ones is that of the share of changes", [...changed(1, 1), ...same(1, 1, 1)], noPrior, -Math.log(1 - 2 / 5)],
    ["is nought where nothing changed", same(1, 2, 3), noPrior, 0],
    ["has no bound where everything changed", changed(1, 2), noPrior, Number.POSITIVE_INFINITY],
    ["is that of its like where there are no looks", [], prior, 0.1],
    ["falls below that of its like where nothing changed", same(10), prior, 1 / 20],
    ["is changes by quiet days where the server tells when", [told(5, 2), told(5, 1), ...same(5)], noPrior, 2 / 8],
  ])("%s", (_, intervals, given, rate) => {
    expect(maxLikelihoodRate(intervals, given)).toBeCloseTo(rate, 5);
  });
});

test("changes once and again in a row are met by a finite rate, however little is known", () => {
  const rate = rateOf(changed(1, 2, 1, 2, 1, 2), { changes: 0.05, days: 1 });
  expect(rate).toBeGreaterThan(1);
  expect(rate).toBeLessThan(10);
});

/** Looks at a page that changes at random. */
function looksAt(rate: number, pauses: () => number, random: () => number, tells: boolean): Observation[] {
  const looks: Observation[] = [{ at: START, changed: false, modifiedAt: undefined }];
  const wait = () => -Math.log(1 - random()) / rate;
  let [now, next, last] = [0, wait(), 0];
  while (looks.length < 30) {
    now += pauses();
    const before = last;
    for (; next <= now; next += wait()) last = next;
    looks.push({ at: START + now * DAY, changed: last !== before, modifiedAt: tells ? START + last * DAY : undefined });
  }
  return looks;
}

describe("the estimate is right on average", () => {
  const regular = () => () => 1;
  const irregular = (random: () => number) => () => 0.2 + 3 * random();
  const cases: [string, number, (random: () => number) => () => number, boolean][] = [
    ["a page that changes every tenth day, looked at daily", 0.1, regular, false],
    ["a page that changes daily, looked at daily", 1, regular, false],
    ["a page that changes every fifth day, looked at now and then", 0.2, irregular, false],
    ["a page that changes daily, looked at now and then", 1, irregular, false],
    ["a page that changes daily and says when", 1, irregular, true],
    ["a page that changes twice a day and says when, looked at daily", 2, regular, true],
  ];
  const errors = (rate: number, pauses: (random: () => number) => () => number, tells: boolean) => {
    const random = seededRandom(11);
    const estimates = Array.from({ length: 400 }, () =>
      rateOf(intervalsOf(looksAt(rate, pauses(random), random, tells)), { changes: 0.05, days: 1 }),
    );
    const mean = estimates.reduce((sum, one) => sum + one, 0) / estimates.length;
    const spread = Math.sqrt(estimates.reduce((sum, one) => sum + (one - rate) ** 2, 0) / estimates.length);
    return { bias: mean / rate - 1, spread: spread / rate };
  };
  test.each(cases)("%s", (_, rate, pauses, tells) => {
    expect(Math.abs(errors(rate, pauses, tells).bias)).toBeLessThan(0.1);
  });
  test("and nearer where the server tells when a page changed", () => {
    expect(errors(1, irregular, true).spread).toBeLessThan(errors(1, irregular, false).spread);
  });
});

describe("what a server says of its changes", () => {
  const look = (day: number, isChanged: boolean, modified?: number): Observation => {
    return { at: START + day * DAY, changed: isChanged, modifiedAt: modified === undefined ? undefined : START + modified * DAY };
  };
  test.each<[string, Observation[], (number | undefined)[]]>([
    ["counts where it fits", [look(0, false), look(5, true, 3)], [2]],
    ["does not where it lies before the look before", [look(0, false), look(5, true, -1)], [undefined]],
    ["does not where it is just now", [look(0, false), look(5, true, 5)], [undefined]],
    [
      "does not where it moves on pages that stay the same",
      [look(0, false), look(5, true, 3), look(6, false, 5.5)],
      [undefined, undefined],
    ],
    ["may be older than a look that met no change", [look(0, false), look(5, true, 3), look(6, false, 3)], [2, undefined]],
  ])("%s", (_, looks, quiet) => {
    expect(intervalsOf(looks).map(({ quietDays }) => quietDays)).toEqual(quiet);
  });
});
