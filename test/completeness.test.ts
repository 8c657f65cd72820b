import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { crawl } from "./near-library.ts";
import { type PageSpec, serveSite } from "./site/index.ts";

const link = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">to ${href}</a>`).join("\n");
const page = (name: string, ...hrefs: string[]): string =>
  `<title>${name}</title><p>This is the page called ${name}, unlike any other.</p>${link(...hrefs)}`;

/** A small web whose every page is known: cycles, duplicates, redirects, base href, odd relative links. */
const small: Record<string, PageSpec> = {
  "/": page("home", "/a", "/b", "/a", "a", "#top", "/a#part", "/old", "mailto:x@y.z", "javascript:void(0)", "http://127.0.0.77:9/other"),
  "/a": page("a", "/", "/c", "./c", "../c", "/./c", "/x/../c", "/c?", "//HOST/c"),
  "/b": page("b", "/a", "/d/", "/d/index", "/missing"),
  "/c": page("c", "/a", "/e"),
  "/d/": `<base href="/deep/">${page("d", "f", "./g", "/c")}`,
  "/d/index": page("d index", "?q=1", "?q=2&amp;r=3", "?utm_source=news&amp;q=1"),
  "/d/index?q=1": page("q1", "/"),
  "/d/index?q=2&r=3": page("q2", "/"),
  "/deep/f": page("f", "/h"),
  "/deep/g": page("g", "/"),
  "/e": page("e", "/h", "/loop1"),
  "/h": page("h", "/i"),
  "/i": page("i", "/j"),
  "/j": page("j", "/"),
  "/old": { status: 301, headers: { location: "/new" } },
  "/new": page("new", "/old", "/c"),
  "/loop1": { status: 302, headers: { location: "/loop2" } },
  "/loop2": { status: 302, headers: { location: "/loop1" } },
};
const depths: Record<string, number> = {
  "/": 0,
  "/a": 1,
  "/b": 1,
  "/new": 1,
  "/c": 2,
  "/d/": 2,
  "/d/index": 2,
  "/e": 3,
  "/deep/f": 3,
  "/deep/g": 3,
  "/d/index?q=1": 3,
  "/d/index?q=2&r=3": 3,
  "/h": 4,
  "/i": 5,
  "/j": 6,
};

async function serveSmall(address: string) {
  const site = await serveSite(
    (request) => {
      const spec = small[request.path];
      return typeof spec === "string" ? spec.replace("HOST", request.host) : spec;
    },
    { address },
  );
  return site;
}

const fast = { rateLimit: "none", perHost: 4, maxConcurrent: 4 } as const;

async function crawled(origin: string, options: Parameters<typeof crawl>[1], seed = "/"): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  await using run = crawl(origin + seed, { ...fast, ...options });
  for await (const { url, depth } of run) found[url.slice(origin.length)] = depth;
  const { stopReason } = await run.result;
  expect(stopReason).toBe("finished");
  return found;
}

describe("every reachable page in scope is fetched exactly once, and none else", () => {
  test.each([0, 1, 2, 3, 4, 5, 10])("to depth %i", async (maxDepth) => {
    const site = await serveSmall("127.0.1.1");
    const expected = Object.fromEntries(Object.entries(depths).filter(([, depth]) => depth <= maxDepth));
    expect(await crawled(site.origin, { maxDepth })).toEqual(expected);
    const asked = site.log.map(({ path }) => path);
    expect(new Set(asked).size, "nothing twice").toBe(asked.length);
    expect(asked[0], "robots.txt first").toBe("/robots.txt");
    const others = asked.filter((path) => !(path in expected) && path !== "/robots.txt");
    expect(others.filter((path) => !["/old", "/missing", "/loop1", "/loop2"].includes(path))).toEqual([]);
    await site.close();
  });

  test.each(["/c", "/d/", "/j"])("from %s as the seed", async (seed) => {
    const site = await serveSmall("127.0.1.2");
    const found = await crawled(site.origin, {}, seed);
    expect(Object.keys(found).sort()).toEqual(Object.keys(depths).sort());
    expect(found[seed]).toBe(0);
    await site.close();
  });

  test("the order makes no difference to what is found under a depth limit", async () => {
    const site = await serveSmall("127.0.1.3");
    const orders = ["best", "breadth", "depth"] as const;
    for (const maxDepth of [2, 3, 4]) {
      const found = await Promise.all(orders.map((order) => crawled(site.origin, { order, maxDepth, maxConcurrent: 1, perHost: 1 })));
      const expected = Object.fromEntries(Object.entries(depths).filter(([, depth]) => depth <= maxDepth));
      for (const [index, pages] of found.entries()) expect(Object.keys(pages).sort(), orders[index]).toEqual(Object.keys(expected).sort());
    }
    await site.close();
  });

  test("a page heard of nearer after its visit passes its nearness on, without a second fetch", async () => {
    // Depth-first goes down the long way first and meets /shared too deep; then the home page's second link is nearer.
    const site = await serveSite(
      {
        "/": page("home", "/long1", "/short"),
        "/long1": page("long 1", "/long2"),
        "/long2": page("long 2", "/shared"),
        "/short": page("short", "/shared"),
        "/shared": page("shared", "/next"),
        "/next": page("next", "/last"),
        "/last": page("last"),
      },
      { address: "127.0.1.4" },
    );
    const run = crawl(`${site.origin}/`, { ...fast, order: "depth", maxDepth: 4, maxConcurrent: 1 });
    await run.result;
    const paths = site.log.map(({ path }) => path);
    expect(paths.filter((path) => path === "/shared")).toHaveLength(1);
    expect(paths).toContain("/last");
    await site.close();
  });

  test("pages heard of nearer in the very moment of their visits pass their nearness on", async () => {
    const many = (name: string) => Array.from({ length: 40 }, (_, n) => `/${name}/${n}`);
    const held = new Map<string, () => void>();
    const linksOf = (path: string): string[] => {
      const [, kind, n] = path.split("/");
      if (kind === "") return ["/long1", ...many("near")];
      if (kind === "long1") return ["/long2"];
      if (kind === "long2") return many("shared");
      return kind === "near" ? [`/shared/${n}`] : kind === "shared" ? [`/next/${n}`] : [];
    };
    const asked: string[] = [];
    const server = createServer(({ url: path = "" }, response) => {
      asked.push(path);
      const isHeld = /^.(near|shared)/.test(path);
      const answer = () => response.writeHead(200, { "content-type": "text/html" }).end(page(path, ...linksOf(path)));
      if (path === "/robots.txt") response.writeHead(404).end();
      else if (!isHeld) answer();
      else held.set(path, answer);
      // They are answered by the long way first, and at once behind them the pages come that are nearer.
      if (held.size < 80) return;
      for (const name of many("shared").flatMap((one, n) => [one, many("near")[n]!])) held.get(name)!();
      held.clear();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.1.6", resolve));
    const { port } = server.address() as AddressInfo;
    await crawl(`http://127.0.1.6:${port}/`, { ...fast, maxDepth: 3, perHost: 90, maxConcurrent: 90 }).result;
    server.close();
    expect(asked.filter((path) => path.startsWith("/next/"))).toHaveLength(40);
  });

  const slugs = ["amber", "brook", "cedar", "dune", "ember", "fjord"];
  const isLeaf = (path: string) => path.split("/").filter(Boolean).length >= 4;
  /** 1,555 pages in a pure tree: every page names six that nobody else names, and none leads back. */
  const tree = (path: string): PageSpec | undefined => {
    if (!/^(\/(amber|brook|cedar|dune|ember|fjord))*\/?$/.test(path)) return undefined;
    const here = path === "/" ? "" : path;
    return isLeaf(path) ? `<title>${path}</title>` : `<title>${path}</title>${link(...slugs.map((slug) => `${here}/${slug}`))}`;
  };

  test("a large tree of thin pages that never leads back, whole and cut at each depth", async () => {
    const site = await serveSite(({ path }) => tree(path), { address: "127.0.1.5" });
    for (const [maxDepth, pages] of [
      [10, 1555],
      [3, 259],
      [2, 43],
    ] as const) {
      expect(Object.keys(await crawled(site.origin, { maxDepth, enhance: false })).length, `to depth ${maxDepth}`).toBe(pages);
    }
    await site.close();
  });

  test("two hosts with the very same pages are two sites, if both are seeds", async () => {
    const sites = await Promise.all(["127.0.1.6", "127.0.1.7"].map((address) => serveSite(({ path }) => tree(path), { address })));
    await using run = crawl(
      sites.map(({ origin }) => `${origin}/`),
      { ...fast, maxDepth: 3 },
    );
    const { stats } = await run.result;
    expect(stats.pages).toBe(2 * 259);
    await Promise.all(sites.map((site) => site.close()));
  });
});
