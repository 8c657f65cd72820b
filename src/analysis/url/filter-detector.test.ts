import { describe, expect, test } from "vitest";
import { FilterDetector } from "./filter-detector.ts";

const HOST = "http://a.test";

/** Passes every link of every page within three clicks to `hear`, and returns whether they are filters. */
function isFilter(entry: string, links: (path: string) => string[]): boolean {
  const selections = new FilterDetector();
  const heard = new Set([entry]);
  let [pages, root] = [[entry], false];
  for (let clicks = 0; clicks < 3; clicks++) {
    const next = new Set<string>();
    for (const page of pages) {
      for (const link of links(page)) {
        if (heard.has(link)) continue;
        heard.add(link);
        next.add(link);
        selections.record(HOST + link, HOST + page);
        root ||= selections.rootOf(HOST + link) !== undefined;
      }
    }
    pages = [...next];
  }
  return root;
}

const names = ["red", "blue", "small", "large", "oak", "ash"];
const below = (path: string, from: readonly string[]) =>
  from.filter((name) => !path.split("/").includes(name)).map((name) => `${path}/${name}`);
const inOrder = (path: string, name: string) => `/shop/${[...path.split("/").slice(2), name].sort().join("/")}`;

describe("filters", () => {
  test.each([
    ["in the order of the clicks", "/shop", (path: string) => below(path, names)],
    ["in one order", "/shop", (path: string) => names.filter((name) => !path.includes(name)).map((name) => inOrder(path, name))],
    ["by name and value", "/shop", (path: string) => below(path, ["a/1x", "b/2x", "c/3x", "d/4x"])],
    [
      "in the query",
      "/shop",
      (path: string) => names.filter((name) => !path.includes(name)).map((name) => `${path}${path.includes("?") ? "&" : "?"}${name}=on`),
    ],
  ])("are told: %s", (_, entry, links) => {
    expect(isFilter(entry, links)).toBe(true);
  });

  test.each([
    ["folders in folders", "/docs", (path: string) => [`${path}/a${path.length}`, `${path}/b${path.length}`, `${path}/c${path.length}`]],
    [
      "sections and pages by their numbers",
      "/book",
      (path: string) => (path === "/book" ? numbers(path) : path.split("/").length < 4 ? numbers(path) : []),
    ],
    ["languages", "/site", (path: string) => (path === "/site" ? ["/site/de", "/site/fr", "/site/about"] : [`${path}/about`])],
    ["other pages of as many parts", "/mix", () => names.flatMap((one) => names.map((other) => `/mix/${one}/${other}`))],
  ])("are not: %s", (_, entry, links) => {
    expect(isFilter(entry, links)).toBe(false);
  });
});

const numbers = (path: string) => [1, 2, 3, 4, 5].map((n) => `${path}/${n}`);
