import { expect, test } from "vitest";
import { type GeneratedSite, generatedSite } from "./index.ts";

const bodyOf = (site: GeneratedSite, path: string) => (site.pages({ path, host: "", headers: {} }) as { body: string } | undefined)?.body;

const linksOf = (html = "") => [...html.matchAll(/href="([^"]+)"/g)].map((match) => match[1]!);

/** Breadth first over the HTML alone. */
function depthsByReading(site: GeneratedSite): Map<string, number> {
  const depths = new Map([["/", 0]]);
  for (const [path, depth] of depths) {
    for (const next of linksOf(bodyOf(site, path))) if (!depths.has(next)) depths.set(next, depth + 1);
  }
  return depths;
}

test.each([
  ["one page alone", 1, 5, 0],
  ["a chain, when a page has one link", 6, 1, 5],
  ["two links a page", 100, 2, 6],
  ["a usual site", 500, 10, 6],
  ["a wide site", 2000, 50, 4],
] as [string, number, number, number][])("%s: every page is reachable, at the depth told", (_, pages, links, deepest) => {
  const site = generatedSite({ pages, links, seed: 3 });
  const depths = depthsByReading(site);
  expect(new Set(depths.keys())).toEqual(new Set(site.paths));
  expect(site.paths.map(site.depthOf)).toEqual(site.paths.map((path) => depths.get(path)));
  expect(Math.max(...depths.values())).toBe(deepest);
});

test("the same seed makes the same site, another seed another", () => {
  const [one, two, other] = [8, 8, 9].map((seed) => generatedSite({ pages: 50, links: 6, seed }));
  expect(one!.paths.map((path) => bodyOf(one!, path))).toEqual(two!.paths.map((path) => bodyOf(two!, path)));
  expect(bodyOf(other!, "/")).not.toBe(bodyOf(one!, "/"));
});

test("pages have the words asked for, and no two have the same text", () => {
  const site = generatedSite({ pages: 200, links: 5, seed: 1, words: 95 });
  const texts = site.paths.map((path) => [...bodyOf(site, path)!.matchAll(/<p>(.*?)<\/p>/g)].map((match) => match[1]).join(" "));
  expect(texts.map((text) => text.split(" ").length)).toEqual(texts.map(() => 95));
  expect(new Set(texts).size).toBe(200);
});

test("a change touches one page and leaves its links", () => {
  const site = generatedSite({ pages: 80, links: 6, seed: 2 });
  const before = new Map(site.paths.map((path) => [path, bodyOf(site, path)!]));
  const path = site.paths[30]!;
  site.mutate.change(path);
  expect(site.paths.filter((each) => bodyOf(site, each) !== before.get(each))).toEqual([path]);
  expect(linksOf(bodyOf(site, path))).toEqual(linksOf(before.get(path)));
  const once = bodyOf(site, path);
  site.mutate.change(path);
  expect(bodyOf(site, path)).not.toBe(once);
});

test.each([
  ["remove", false],
  ["unlink", true],
] as ["remove" | "unlink", boolean][])("%s hides exactly the pages named, parents and children among them", (how, answers) => {
  const site = generatedSite({ pages: 300, links: 6, seed: 4 });
  const before = new Map(site.paths.map((path) => [path, bodyOf(site, path)!]));
  const gone = [1, 4, 13, 150, 299].map((page) => site.paths[page]!);
  const linkers = new Set(gone.flatMap((path) => site.mutate[how](path)));

  const depths = depthsByReading(site);
  expect(site.paths.filter((path) => !depths.has(path))).toEqual(gone);
  expect(site.paths.map(site.depthOf)).toEqual(site.paths.map((path) => depths.get(path) ?? Number.POSITIVE_INFINITY));
  expect(gone.map((path) => bodyOf(site, path) !== undefined)).toEqual(gone.map(() => answers));
  const changed = site.paths.filter((path) => bodyOf(site, path) !== undefined && bodyOf(site, path) !== before.get(path));
  expect(changed.filter((path) => !linkers.has(path))).toEqual([]);
  expect([...linkers].filter((path) => !changed.includes(path) && !gone.includes(path))).toEqual([]);
});

test("a wrong path is our mistake, and the front page stays", () => {
  const site = generatedSite({ pages: 10, links: 3, seed: 5 });
  expect(() => site.depthOf("/nowhere-3")).toThrow("no page /nowhere-3");
  expect(() => site.mutate.remove("/")).toThrow("front page");
  expect(bodyOf(site, "/nowhere-3")).toBeUndefined();
});
