import { expect, test } from "vitest";
import { aCandidate, aWorld } from "../../../test/fake-backlog.ts";
import { LEVELS } from "../../core/records.ts";
import { PriorityOptions } from "./options.ts";
import { factorsOf, guessPageType, levelOf, pageTypeOf, placeOf, priorityOf, type Signals, sunk } from "./prioritise.ts";

const weights = PriorityOptions.parse({});
const plain: Signals = { url: "http://a.test/x/y", depth: 2, age: undefined, mentions: 1, relevance: 0 };
const priority = (signals: Partial<Signals>) => priorityOf(factorsOf({ ...plain, ...signals }), weights);
const DAY = 86_400_000;

test.each<[string, Partial<Signals>, Partial<Signals>]>([
  ["a home page goes before an article", { url: "http://a.test/" }, { url: "http://a.test/news/1" }],
  ["an article before a product", { url: "http://a.test/news/1" }, { url: "http://a.test/shop/1" }],
  ["a product before another page", { url: "http://a.test/shop/1" }, { url: "http://a.test/x/1" }],
  ["what the page turned out to be counts more than its URL", { type: "article" }, { type: "other" }],
  ["a page that changed today before one that changed last year", { age: 0 }, { age: 365 * DAY }],
  ["an old page before one of unknown age", { age: 365 * DAY }, { age: undefined }],
  ["a short path before a long one", { url: "http://a.test/x" }, { url: "http://a.test/x/y/z" }],
  ["few clicks before many", { depth: 1 }, { depth: 5 }],
  ["a page many link to before one few link to", { mentions: 8 }, { mentions: 2 }],
  ["a relevant page before one that is not", { relevance: 1 }, { relevance: 0.2 }],
])("%s", (_, better, worse) => {
  expect(priority(better)).toBeGreaterThan(priority(worse));
});

test.each<[string, Partial<Signals>]>([
  ["the best page there can be", { url: "http://a.test/", depth: 0, age: 0, mentions: 1e9, relevance: 1 }],
  ["the worst page there can be", { url: `http://a.test/${"x/".repeat(500)}`, depth: 1e6, mentions: 0 }],
  ["a page from the future", { age: -5 * DAY }],
])("every factor of %s is between 0 and 1", (_, signals) => {
  for (const factor of Object.values(factorsOf({ ...plain, ...signals }))) {
    expect(factor).toBeGreaterThanOrEqual(0);
    expect(factor).toBeLessThanOrEqual(1);
  }
});

test.each([
  ["the root is home", "http://a.test/", "home"],
  ["the root with a query is not", "http://a.test/?p=1", "other"],
  ["a dated path is an article", "http://a.test/2024/05/rain", "article"],
  ["a blog is articles", "http://a.test/blog", "article"],
  ["a catalogue is products", "http://a.test/Catalogue/7", "product"],
  ["a word that only begins alike is nothing", "http://a.test/newsletter", "other"],
] as const)("%s", (_, url, type) => {
  expect(guessPageType(url)).toBe(type);
});

test.each([
  ["the best priority is in the best queue", 1, 0],
  ["the worst is in the last", 0, LEVELS - 1],
  ["a sunk one is in the last", sunk.priority, LEVELS - 1],
  ["the middle is in the middle", 0.5, LEVELS / 2],
])("%s", (_, value, level) => {
  expect(levelOf(value)).toBe(level);
});

test("a factor that weighs nothing changes nothing, and no weights at all are no error", () => {
  const blind = PriorityOptions.parse({ freshness: 0 });
  const of = (age: number | undefined, given = blind) => priorityOf(factorsOf({ ...plain, age }), given);
  expect(of(0)).toBe(of(undefined));
  const none = PriorityOptions.parse({ type: 0, freshness: 0, shallowness: 0, inbound: 0, relevance: 0 });
  expect(of(0, none)).toBe(0);
});

test("breadth puts the nearest first, depth the last heard, each in one queue", () => {
  const place = (order: "breadth" | "depth", depth: number, heardAt: number) => placeOf({ ...plain, depth }, order, weights, heardAt);
  expect(place("breadth", 1, 9).priority).toBeGreaterThan(place("breadth", 2, 1).priority);
  expect(place("depth", 1, 1).priority).toBeLessThan(place("depth", 5, 2).priority);
  expect([place("breadth", 7, 0).level, place("depth", 7, 0).level]).toEqual([0, 0]);
});

const demo = [
  "http://highpriority.com/",
  "http://highpriority.com/articles/new-approaches",
  "http://mediumpriority.com/product/12345",
  "http://lowpriority.com/about",
];

test("the four demo pages are worth less from one to the next", () => {
  const worth = demo.map((url) => placeOf({ ...plain, url, depth: 0 }, "best", weights, 0).priority);
  expect(worth).toEqual([...worth].sort((a, b) => b - a));
  expect(new Set(worth).size).toBe(4);
});

test("the four demo pages come out of a frontier in their order", async () => {
  const hosts = { "highpriority.com": 1, "mediumpriority.com": 2 };
  const world = aWorld({ options: { priority: PriorityOptions.parse({ hosts }) } });
  const places = demo.map((url) => ({ url, place: placeOf({ ...plain, url, depth: 0 }, "best", weights, 0) }));
  world.hear(places.reverse().map(({ url, place }) => aCandidate(url, { depth: 0, ...place })));
  await world.crawl();
  expect(world.urls()).toEqual(demo);
});

test.each([
  ["an article", "article", "article"],
  ["a blog post", "blog.post", "article"],
  ["a product", "product.item", "product"],
  ["a web site says nothing of its page", "website", undefined],
  ["nothing said", undefined, undefined],
])("what a page says it is: %s", (_, word, expected) => {
  expect(pageTypeOf(word)).toBe(expected);
});

test("what a page turned out to be counts more than what its URL looks like", () => {
  expect(priority({ type: "article" })).toBeGreaterThan(priority({}));
});
