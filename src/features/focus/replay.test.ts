import { describe, expect, test } from "vitest";
import { FrontierOptions } from "../../engine/frontier/options.ts";
import { harvestOf, sparkline } from "./harvest.ts";
import { keywordsInUrl, type RecordedPage, type RecordedWeb, replay, replayOrders } from "./replay.ts";

const hits = (text: string) => [...text].map((letter) => letter === "x");

test.each([
  ["three targets first of six", "xxx...", { recallAuc: 0.8333, requestsTo90: 3, harvestRate: 0.5, harvestRateAt90: 1 }],
  ["and last", "...xxx", { recallAuc: 0.3333, requestsTo90: 6, harvestRate: 0.5, harvestRateAt90: 0.5 }],
  ["nine of ten targets are enough", "xxxxxxxxx.........x", { requestsTo90: 9, targets: 10, requests: 19 }],
  ["no request, no target", "", { recallAuc: 0, requestsTo90: 0, harvestRate: 0 }],
])("%s", (_, text, measures) => {
  const harvest = harvestOf(hits(text));
  for (const [name, value] of Object.entries(measures)) expect(harvest[name as "recallAuc"]).toBeCloseTo(value, 4);
});

test("a curve is a line of bars", () => {
  expect(sparkline([0, 0.2, 0.5, 1])).toBe("▁▂▅█");
});

test.each([
  ["all keywords are in it", "http://a.test/budget/2024", 1],
  ["one of two", "http://a.test/city-budget-minutes", 0.5],
  ["none", "http://a.test/", 0],
])("a URL is worth the share of keywords in it: %s", (_, url, worth) => {
  expect(keywordsInUrl(url.endsWith("minutes") ? ["budget", "city hall"] : ["budget"])(url)).toBe(worth);
});

/** Hubs with items whose URLs say nothing; all items of some hubs are targets. Only the content of pages distinguishes them. */
function hubs(count: number, items: number, rich: number): RecordedWeb {
  const pages: RecordedPage[] = [];
  const linksTo = (urls: readonly string[]) => urls.map((url) => ({ url, score: 0 }));
  const hub = (at: number) => `http://a.test/hub/${at}`;
  const names = Array.from({ length: count }, (_, at) => hub(at));
  pages.push({ url: "http://a.test/", relevance: 0, isTarget: false, links: linksTo(names) });
  for (const [at, url] of names.entries()) {
    const below = Array.from({ length: items }, (_, item) => `http://a.test/item/${at * items + item}`);
    pages.push({ url, relevance: 0, isTarget: false, links: linksTo(below) });
    for (const item of below) pages.push({ url: item, relevance: at === rich ? 1 : 0, isTarget: at === rich, links: linksTo(names) });
  }
  return { seeds: ["http://a.test/"], urlScore: () => 0, pages: new Map(pages.map((page) => [page.url, page])) };
}

describe("a replay", () => {
  const web = hubs(20, 20, 12);
  const run = (order: (typeof replayOrders)[number], seed = 1) => replay(web, order, FrontierOptions.parse({ seed }));
  const to90 = (order: (typeof replayOrders)[number], seed = 1) => harvestOf(run(order, seed).map(({ isTarget }) => isTarget)).requestsTo90;

  test.each(replayOrders)("visits every page once, whatever the order: %s", (order) => {
    const urls = run(order).map(({ url }) => url);
    expect(new Set(urls).size).toBe(web.pages.size);
    expect(urls.length).toBe(web.pages.size);
  });

  test("breadth first is by distance, and as heard", () => {
    expect(
      run("breadth")
        .slice(0, 4)
        .map(({ url }) => url),
    ).toEqual(["http://a.test/", "http://a.test/hub/0", "http://a.test/hub/1", "http://a.test/hub/2"]);
  });

  test("the oracle goes straight to the targets", () => {
    expect(to90("oracle")).toBeLessThanOrEqual(2 + 20);
  });

  test("ours finds the hub that nobody named, in less than half of the requests that breadth-first needs", () => {
    const seeds = [1, 2, 3, 4, 5];
    const mean = (order: "breadth" | "nuthatch") => seeds.reduce((sum, seed) => sum + to90(order, seed), 0) / seeds.length;
    expect(mean("nuthatch")).toBeLessThan(mean("breadth") / 2);
  });

  test("the same seed gives the same order", () => {
    expect(run("nuthatch", 7)).toEqual(run("nuthatch", 7));
  });
});
