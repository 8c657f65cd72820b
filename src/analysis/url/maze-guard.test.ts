import { describe, expect, test } from "vitest";
import type { Hash64 } from "../../core/records.ts";
import { hash64, MazeGuard } from "./index.ts";

const MAX_DEPTH = 10;
/** Real pages have lower numbers. */
const MAZE = 100_000;
const hashOf = (page: number): Hash64 => hash64(`page ${page}`, { hi: 3, lo: 4 });

const inWords = (page: number) => page.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)]!);
const urlOf = (page: number) => `http://a.test/${page < MAZE ? "p" : "maze"}/${inWords(page)}`;

/** Crawls a generated web, nearest pages first, and returns the numbers of visited and refused pages. */
function crawl(
  links: (page: number) => number[],
  {
    most = 1500,
    url = urlOf,
    maxPages = 10_000,
    guard = new MazeGuard(maxPages),
    says = (page: number) => times(20, (n) => draw(page, n + 100, 2 ** 31)),
  } = {},
): { visited: number; refused: number; lastRefused: number } {
  const known = new Map([[0, { depth: 0, mentions: 1 }]]);
  const scouts: number[] = [];
  const queue = [0];
  const done = new Set<number>();
  let [visited, refused, lastRefused, at] = [0, 0, 0, 0];
  while (visited < most && (scouts.length > 0 || at < queue.length)) {
    const page = scouts.pop() ?? queue[at++]!;
    if (done.has(page)) continue;
    done.add(page);
    if (!guard.admit(hashOf(page), url(page))) {
      refused += 1;
      lastRefused = page;
      continue;
    }
    visited += 1;
    const { depth } = known.get(page)!;
    const [fresh, second]: [number[], number[]] = [[], []];
    let beyond = 0;
    for (const link of links(page)) {
      const before = known.get(link);
      if (before) {
        before.mentions += 1;
        if (before.mentions === 2 && before.depth > 1 && !fresh.includes(link)) second.push(link);
        continue;
      }
      known.set(link, { depth: depth + 1, mentions: 1 });
      if (depth === MAX_DEPTH) beyond += 1;
      else fresh.push(link);
    }
    queue.push(...fresh);
    const wanted = guard.learn({
      url: url(page),
      hash: hashOf(page),
      depth,
      fresh: fresh.map(hashOf),
      beyond,
      second: second.map(hashOf),
      says: guard.doubts(hashOf(page), url(page)) ? Uint32Array.from(says(page)) : undefined,
    });
    scouts.push(...fresh.filter((link) => wanted.some(({ lo }) => lo === hashOf(link).lo)));
  }
  return { visited, refused, lastRefused };
}

const draw = (page: number, n: number, below: number) => hash64(`${page} leads ${n}`, { hi: 5, lo: 6 }).lo % below;
const times = (count: number, make: (n: number) => number) => Array.from({ length: count }, (_, n) => make(n));

const into = (page: number, count: number) => times(count, (n) => MAZE + draw(page, n, 2 ** 31));
const tree = (branches: number, pages: number) => (page: number) =>
  times(branches, (n) => branches * page + n + 1).filter((n) => n < pages);
const web = (count: number, pages: number) => (page: number) => times(count, (n) => draw(page, n, pages));

describe("what leads on without end and never back is left", () => {
  test.each([
    ["two ways on from every page", 2],
    ["five", 5],
    ["fifty", 50],
  ])("%s", (_, count) => {
    const links = (page: number) => (page === 0 ? [1, MAZE] : page < MAZE ? [2, 3] : into(page, count));
    const { visited, refused } = crawl(links);
    expect(visited).toBeLessThan(140);
    expect(refused).toBeGreaterThan(0);
  });

  test("a maze with blind ends", () => {
    const links = (page: number) => (page === 0 ? [1, MAZE] : page < MAZE ? [2] : page % 12 === 1 ? [] : into(page, 4));
    expect(crawl(links).visited).toBeLessThan(170);
  });

  test("nor is a web in which, by chance, little leads back at first", () => {
    // A seed that produces such a web; about one in ten thousand does.
    const chance = 45_310;
    const links = (page: number) => [page + 1, ...times(3, (n) => draw(page, n + chance, 1500))].filter((n) => n < 1500);
    expect(crawl(links, { says: () => [1, 2] }).refused).toBe(0);
  });

  test.each([
    ["where somebody numbered the pages", { url: (page: number) => `http://a.test/item-${page % 1e7}.html` }, into],
    ["where names repeat", {}, (page: number, count: number) => times(count, (n) => MAZE + draw(page, n, 40_000))],
    [
      "where one word is another on each page",
      { says: (page: number) => [...times(19, (n) => n), 20 + draw(page, 0, 2 ** 31)] },
      (page: number, count: number) => times(count, (n) => MAZE + draw(page, n, 40_000)),
    ],
  ])("what says the same on every page, %s", (_, options, links) => {
    const same = { says: () => times(20, (n) => n), ...options };
    expect(crawl((page) => (page === 0 ? [1, MAZE] : page < MAZE ? [] : links(page, 5)), same).visited).toBeLessThan(140);
  });

  test("two numbers that could be drawn at random", () => {
    const url = (page: number) => (page < MAZE ? urlOf(page) : `http://a.test/room/${page % 997}/door/${page % 1009}`);
    expect(crawl((page) => (page === 0 ? [1, MAZE] : page < MAZE ? [] : into(page, 5)), { url }).visited).toBeLessThan(140);
  });

  test("beside it, the site is visited to its end", () => {
    const site = web(6, 600);
    const links = (page: number) => (page >= MAZE ? into(page, 4) : page === 0 ? [...site(0), MAZE] : site(page));
    const { visited } = crawl(links);
    expect(visited).toBeGreaterThan(690);
    expect(visited).toBeLessThan(760);
  });

  test("the way in may be on every page", () => {
    const site = web(4, 30);
    const { visited, refused } = crawl((page) => (page >= MAZE ? into(page, 4) : [...site(page), ...into(page, 1)]));
    expect(visited).toBeLessThan(200);
    expect(refused).toBeGreaterThan(0);
  });
});

test("what was a maze before a stop is one after it", () => {
  const guard = new MazeGuard(10_000);
  const { lastRefused } = crawl((page) => (page === 0 ? [1, MAZE] : page < MAZE ? [2, 3] : into(page, 5)), { guard });
  const resumed = new MazeGuard(10_000);
  resumed.restore(JSON.parse(JSON.stringify(guard.snapshot())));
  expect(resumed.admit(hashOf(lastRefused), urlOf(lastRefused))).toBe(false);
  expect(resumed.admit(hashOf(2), urlOf(2))).toBe(true);
});

describe("what ends, or leads back, is visited to its end", () => {
  test.each([
    ["a tree of two branches", tree(2, 1500)],
    ["a tree of three", tree(3, 1500)],
    ["a tree of thirty", tree(30, 1500)],
    ["two links anywhere, and one to the next", (page: number) => [page + 1, ...web(2, 1500)(page)].filter((n) => n < 1500)],
    ["three links anywhere", web(3, 1500)],
    ["twenty links anywhere", web(20, 1500)],
    ["a list from page to page", (page: number) => [page + 1, page + 2].filter((n) => n < 1500)],
    [
      "a tree whose pages also name their parent",
      (page: number) => [Math.floor((page - 1) / 4), ...tree(4, 1500)(page)].filter((n) => n >= 0),
    ],
  ] as [string, (page: number) => number[]][])("%s", (_, links) => {
    expect(crawl(links).refused).toBe(0);
  });

  test("a large site that links at random is never taken for a maze", () => {
    for (const count of [3, 4, 6, 10, 20]) expect([count, crawl(web(count, 10_000), { most: 2000 }).refused]).toEqual([count, 0]);
  });

  test.each([
    ["a tree of three", tree(3, 1500)],
    ["five links anywhere", web(5, 1500)],
    ["two links anywhere, and one to the next", (page: number) => [page + 1, ...web(2, 1500)(page)].filter((n) => n < 1500)],
  ])("even if it says the same on every page: %s", (_, links) => {
    expect(crawl(links, { says: () => times(20, (n) => n) }).refused).toBe(0);
  });

  test.each([
    ["where somebody numbered the pages", { url: (page: number) => `http://a.test/item-${page % 1e7}.html` }],
    ["where many pages were asked for", { maxPages: 1_000_000 }],
    ["where no limit was set", { maxPages: Number.POSITIVE_INFINITY }],
  ])("nor is what leads on for ever, %s", (_, options) => {
    expect(crawl((page) => (page === 0 ? [1, MAZE] : page < MAZE ? [] : into(page, 5)), options).refused).toBe(0);
  });

  test("a list that is numbered may be a maze all the same", () => {
    const options = { url: (page: number) => `http://a.test/list?page=${page % 1e7}` };
    expect(crawl((page) => (page === 0 ? [1, MAZE] : page < MAZE ? [] : into(page, 5)), options).visited).toBeLessThan(140);
  });
});
