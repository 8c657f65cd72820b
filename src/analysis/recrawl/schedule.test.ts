import { describe, expect, test } from "vitest";
import { type PageDemand, priceFor, unbounded, visitRate } from "./allocate.ts";
import { changeProbability, hintWorth, intervalShare, maxHintedPages } from "./hints.ts";
import { addObservation, type Observation, observationsOf } from "./observations.ts";
import { Priors } from "./priors.ts";
import { type KnownPage, planVisits } from "./schedule.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

describe("visits are shared out", () => {
  const wishes: PageDemand[] = [0.1, 0.5, 1, 5].map((rate) => ({ rate, importance: 1 }));
  test("by the harmonic form of LambdaCrawl", () => {
    const price = priceFor(wishes, 2, unbounded);
    expect(price).toBeCloseTo(1.16349, 4);
    const expected = [0.2474, 0.4516, 0.5533, 0.7477];
    for (const [place, wish] of wishes.entries()) expect(visitRate(wish, price, unbounded)).toBeCloseTo(expected[place]!, 4);
  });
  test("within bounds, and still as many as there are", () => {
    const bounds = { min: 0.3, max: 0.6 };
    const price = priceFor(wishes, 2, bounds);
    const visits = wishes.map((wish) => visitRate(wish, price, bounds));
    expect(visits.reduce((sum, one) => sum + one, 0)).toBeCloseTo(2, 6);
    expect([visits[0], visits[3]]).toEqual([0.3, 0.6]);
  });
  test("more to what matters more", () => {
    const two: PageDemand[] = [1, 5].map((importance) => ({ rate: 1, importance }));
    const price = priceFor(two, 2, unbounded);
    expect(visitRate(two[1]!, price, unbounded)).toBeGreaterThan(1.5 * visitRate(two[0]!, price, unbounded));
  });
});

describe("looks are kept", () => {
  const look = (day: number, changed: boolean, modified?: number): Observation => {
    return { at: START + day * DAY, changed, modifiedAt: modified === undefined ? undefined : START + modified * DAY };
  };
  const first = look(0, false);
  const pack = (looks: readonly Observation[]) =>
    looks.reduce<Uint8Array | undefined>((packed, one) => addObservation(packed, one), undefined);
  test.each<[string, Observation[], Observation[]]>([
    ["none but the first", [], [first]],
    ["with what the server said", [look(1, true, 0.5), look(2, false, 0.5)], [first, look(1, true, 0.5), look(2, false, 0.5)]],
    [
      "thirty-two of them, and the first of all is forgotten",
      Array.from({ length: 40 }, (_, day) => look(day + 1, day % 2 === 0)),
      Array.from({ length: 32 }, (_, day) => look(day + 9, day % 2 === 0)),
    ],
  ])("%s", (_, looks, kept) => {
    expect(observationsOf(START, pack(looks))).toEqual(kept);
  });
  test("a look is eight bytes, and there is no room for more than thirty-two", () => {
    expect(pack(Array.from({ length: 50 }, (_, day) => look(day, true)))?.byteLength).toBe(256);
  });
});

describe("what pages share with their like", () => {
  test("five pages make a kind, the site stands in for smaller ones", () => {
    const priors = new Priors();
    expect(priors.of("a").source).toBe("none");
    for (const rate of [1, 1.2, 0.8, 1, 1]) priors.learn("a", rate);
    expect(priors.of("a")).toMatchObject({ source: "template", changes: 4, days: 4 });
    expect(priors.of("b").source).toBe("site");
  });
  test("the more they differ, the less one tells of another", () => {
    const priors = new Priors();
    for (const rate of [0.01, 0.01, 0.01, 0.01, 10]) priors.learn("a", rate);
    expect(priors.of("a").changes).toBeLessThan(0.5);
  });
});

describe("a schedule", () => {
  const looksEvery = (days: number, changes: boolean, number: number): Observation[] =>
    Array.from({ length: number }, (_, index) => ({
      at: START + index * days * DAY,
      changed: changes && index > 0,
      modifiedAt: undefined,
    }));
  const page = (id: number, template: string, looks: Observation[], given: Partial<KnownPage> = {}): KnownPage => {
    return { id, template, looks, score: 0, isFeed: false, ...given };
  };
  const news = [1, 2, 3, 4, 5].map((id) => page(id, "news", looksEvery(1, true, 6)));
  const archive = [6, 7, 8, 9, 10].map((id) => page(id, "archive", looksEvery(1, false, 6)));

  test("a page that was looked at once takes after its like", async () => {
    const [fresh, old] = [page(11, "news", looksEvery(1, false, 1)), page(12, "archive", looksEvery(1, false, 1))];
    const schedule = await planVisits(
      () => [...news, ...archive, fresh, old],
      (pages) => pages,
    );
    const [one, other] = [schedule.forecast(fresh), schedule.forecast(old)];
    expect([one.prior, other.prior]).toEqual(["template", "template"]);
    expect(one.rate).toBeGreaterThan(10 * other.rate);
    expect(other.interval).toBeGreaterThan(2 * one.interval);
  });

  test("nothing is looked at more than once an hour, or less than once in three months", async () => {
    for (const visits of [1e-6, 1e6]) {
      const schedule = await planVisits(
        () => [...news, ...archive],
        () => visits,
      );
      for (const known of [...news, ...archive]) {
        const { interval, lastAt, dueAt } = schedule.forecast(known);
        expect(interval).toBeGreaterThanOrEqual(0.9 * HOUR);
        expect(interval).toBeLessThanOrEqual(99 * DAY);
        expect(dueAt).toBe(lastAt + interval);
      }
    }
  });

  test("pages that are alike in everything come due one after the other, each always at its own moment", async () => {
    const schedule = await planVisits(
      () => news,
      (pages) => pages,
    );
    const intervals = news.map((known) => schedule.forecast(known).interval);
    expect(new Set(intervals).size).toBe(news.length);
    expect(Math.max(...intervals) / Math.min(...intervals)).toBeLessThan(1.1 / 0.9);
    expect(news.map((known) => schedule.forecast(known).interval)).toEqual(intervals);
  });

  test("what keywords point to is looked at more often, feeds every hour", async () => {
    const [plain, wanted] = [page(20, "news", looksEvery(1, true, 6)), page(20, "news", looksEvery(1, true, 6), { score: 2 })];
    const feed = page(21, "news", looksEvery(1, true, 6), { isFeed: true });
    const schedule = await planVisits(
      () => [...news, plain, wanted, feed],
      (pages) => pages,
    );
    expect(schedule.forecast(wanted).interval).toBeLessThan(0.7 * schedule.forecast(plain).interval);
    expect(schedule.forecast(feed).interval).toBe(HOUR);
  });
});

describe("a hint", () => {
  test.each<[string, [said: number, wasRight: number, expected: number], number]>([
    ["of somebody new is half believed", [0, 0, 0], 0.5],
    ["of somebody who was always right is nearly certain", [18, 18, 0], 0.95],
    ["of somebody who was mostly wrong is not believed", [10, 2, 0], 0],
    ["is worth nothing where things change anyway", [20, 18, 18], 0],
    ["is worth what it adds to what was to be expected", [20, 18, 10], 9 / 12],
  ])("%s", (_, [said, wasRight, expected], worth) => {
    expect(hintWorth({ said, wasRight, expected })).toBeCloseTo(worth, 5);
  });
  test("of somebody new calls for a few pages at most", () => {
    expect([0, 19, 20].map((said) => maxHintedPages({ said, wasRight: said, expected: 0 }))).toEqual([10, 10, Number.POSITIVE_INFINITY]);
  });
  test("stands for the days in which the page would have changed with that chance", () => {
    const [rate, days] = [0.1, 30];
    const share = intervalShare(0.5, rate, days);
    expect(changeProbability(rate, (1 - share) * days)).toBeCloseTo(0.5, 5);
    expect([intervalShare(0, rate, days), intervalShare(0.999, rate, 1)]).toEqual([1, 0]);
  });
});
