import { crawl, fetchPage, map } from "nuthatch";
import { expectRun, type FakePage, type FakeSite, fakeSite } from "nuthatch/testing";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";

const gapsOf = ({ requests }: FakeSite) => requests.slice(1).map(({ at }, index) => at - requests[index]!.at);
const linksTo = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join("");

describe("a fake site", () => {
  test("a polite crawl of a hundred pages takes a hundred seconds of its own time, and next to none of ours", async () => {
    const paths = Array.from({ length: 100 }, (_, index) => `/page-${index}`);
    const pages = Object.fromEntries(paths.map((path, index) => [path, `<h1>Number ${index}</h1><p>What page ${path} says</p>`]));
    const site = fakeSite({ "/": linksTo(...paths), ...pages });
    await using run = crawl(site.url, { rateLimit: "1/s", ...site.options });
    const { durationMs, stats } = await run.result;
    expect(stats.pages).toBe(101);
    expect(site.requests).toHaveLength(102);
    expect(Math.min(...gapsOf(site))).toBeGreaterThanOrEqual(1000);
    expect(durationMs).toBeGreaterThanOrEqual(101_000);
  });

  test.each<[string, Record<string, FakePage>, object, number[]]>([
    ["our own rate", { "/": linksTo("/a"), "/a": "a" }, { rateLimit: "30/m" }, [2000, 2000]],
    ["Crawl-delay", { "/robots.txt": "User-agent: *\nCrawl-delay: 7", "/": linksTo("/a"), "/a": "a" }, {}, [7000, 7000]],
    [
      "Retry-After",
      {
        "/": linksTo("/a"),
        "/a": (hit) => (hit === 1 ? { status: 429, headers: { "Retry-After": "20" } } : "a"),
      },
      {},
      [1000, 1000, 20_001],
    ],
    ["an answer that takes its time", { "/": { body: linksTo("/a"), delay: 400 }, "/a": "a" }, {}, [1000, 1400]],
  ])("keeps the pace of %s", async (_, pages, options, gaps) => {
    const site = fakeSite(pages);
    await using run = crawl(site.url, { ...options, ...site.options });
    await run.result;
    expect(gapsOf(site)).toEqual(gaps);
  });

  test("a limit in time is one of its own time", async () => {
    const site = fakeSite({ "/": linksTo(...Array.from({ length: 50 }, (_, index) => `/${index}`)) });
    await using run = crawl(site.url, { maxTime: "10s", ...site.options });
    await expectRun(run).toHaveEnded("limit.time");
    expect(site.requests.length).toBeGreaterThan(8);
    expect(site.requests.length).toBeLessThan(13);
  });

  test("has other hosts if it names them, and no others", async () => {
    const site = fakeSite({ "/": linksTo("https://other.test/", "https://nowhere.test/"), "https://other.test/": "<p>elsewhere</p>" });
    await using run = crawl(site.url, { scope: "any", retries: 0, maxWait: "1d", ...site.options });
    await expectRun(run).toHaveVisited("/", "https://other.test/");
    await expectRun(run).toHaveFailed("https://nowhere.test/", "dns");
  });

  test("finds a page however its name is spelt", async () => {
    const site = fakeSite({ "/": linksTo("/stra%C3%9Fe", "/b?x=%201"), "/straße": "<p>street</p>", "/b?x= 1": "<p>b</p>" });
    await expectRun(crawl(site.url, site.options)).toHaveVisited("/straße", "/b?x=%201");
  });

  test("changes between two runs, and says 304 to those who know", async () => {
    using folder = tempFolder();
    const pages: Record<string, FakePage> = {
      "/": linksTo("/same", "/changed", "/gone"),
      "/same": { body: "<p>always the same</p>", headers: { ETag: '"1"' } },
      "/changed": "<p>first words</p>",
      "/gone": "<p>soon no more</p>",
    };
    const site = fakeSite(pages);
    const once = async () => {
      const changes: Record<string, string> = {};
      await using run = crawl(site.url, { db: folder.file("a.db"), ...site.options });
      run.on("page.gone", ({ page }) => {
        changes[new URL(page.url).pathname] = page.change;
      });
      for await (const page of run) changes[new URL(page.url).pathname] = page.change;
      return changes;
    };
    expect(await once()).toEqual({ "/": "new", "/same": "new", "/changed": "new", "/gone": "new" });
    pages["/changed"] = "<p>other words than before</p>";
    delete pages["/gone"];
    site.clock.pass(7 * 86_400_000);
    expect(await once()).toEqual({ "/": "same", "/same": "same", "/changed": "changed", "/gone": "gone" });
    expect(site.requests.filter(({ path }) => path === "/same").map(({ status }) => status)).toEqual([200, 304]);
    expect(site.requests.filter(({ path }) => path === "/robots.txt")).toHaveLength(2);
  });
});

describe("a fake site and the calls that leave nothing behind", () => {
  test("fetchPage reads a page of it, after its redirects", async () => {
    const site = fakeSite({ "/": { status: 301, headers: { Location: "/home" } }, "/home": "<h1>Home</h1><p>Where the heart is</p>" });
    const { ok, finalUrl, markdown, headers } = await fetchPage(site.url, site.options);
    expect({ ok, finalUrl, markdown }).toMatchObject({
      ok: true,
      finalUrl: "https://site.test/home",
      markdown: expect.stringContaining("# Home"),
    });
    expect(headers).toEqual([["content-type", "text/html; charset=utf-8"]]);
    expect(gapsOf(site)).toEqual([1000, 1000]);
  });

  test("map finds its URLs", async () => {
    const site = fakeSite({ "/": linksTo("/a", "/b"), "/a": linksTo("/c"), "/b": "b", "/c": "c" });
    const { urls, isComplete } = await map(site.url, site.options);
    expect(urls.map(({ url }) => new URL(url).pathname).sort()).toEqual(["/", "/a", "/b", "/c"]);
    expect(isComplete).toBe(true);
  });
});

describe("what is expected of a run", () => {
  const pages: Record<string, FakePage> = {
    "/robots.txt": "User-agent: *\nDisallow: /secret",
    "/": linksTo("/a", "/secret/x", "/broken", "https://elsewhere.test/"),
    "/a": "<p>a</p>",
    "/broken": { status: 403 },
  };
  const run = () => {
    const site = fakeSite(pages);
    return expectRun(crawl(site.url, site.options));
  };

  test.each<[string, (expected: ReturnType<typeof run>) => Promise<void>]>([
    ["what was visited", (expected) => expected.toHaveVisited("/", "/a", "https://site.test/a")],
    ["what was skipped", (expected) => expected.toHaveSkipped("/secret/x")],
    ["the beginning of a reason", (expected) => expected.toHaveSkipped("/secret/x", "robots")],
    ["a whole reason", (expected) => expected.toHaveSkipped("https://elsewhere.test/", "scope.host")],
    ["what failed", (expected) => expected.toHaveFailed("/broken", "http.4xx")],
    ["how it ended", (expected) => expected.toHaveEnded("finished")],
  ])("%s", async (_, check) => {
    await check(run());
  });

  test.each<[string, (expected: ReturnType<typeof run>) => Promise<void>, string]>([
    [
      "visited, but it was not",
      (expected) => expected.toHaveVisited("/", "/secret/x"),
      "expected https://site.test/secret/x to be visited, but it is skipped (robots.disallow): Not visited in run 1. The site's robots.txt does not allow it",
    ],
    [
      "skipped, but it was visited",
      (expected) => expected.toHaveSkipped("/a", "robots"),
      "expected https://site.test/a to be skipped (robots), but it is fetched: Visited in run 1, answered 200.",
    ],
    [
      "skipped for another reason",
      (expected) => expected.toHaveSkipped("/secret/x", "depth"),
      "expected https://site.test/secret/x to be skipped (depth), but it is skipped (robots.disallow)",
    ],
    ["a word is not the beginning of another", (expected) => expected.toHaveSkipped("/secret/x", "rob"), "to be skipped (rob)"],
    ["never heard of", (expected) => expected.toHaveFailed("/never"), "https://site.test/never to be failed, but it is unheard"],
    ["another end", (expected) => expected.toHaveEnded("limit.pages"), "to end as limit.pages, but it ended as finished after 2 pages"],
  ])("says what was, and why: %s", async (_, check, message) => {
    await expect(check(run())).rejects.toThrow(message);
  });
});
