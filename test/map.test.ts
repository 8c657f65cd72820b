import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MappedUrl, map } from "../dist/src/features/map/map.js";
import { rankByWords } from "../src/features/map/rank-by-words.ts";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type PageSpec, type RunningSite, serveSite } from "./site/index.ts";

const fast = ["--rate-limit", "none"];
const anchors = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">to ${href}</a>`).join("\n");

describe("nuthatch map", () => {
  const folder = tempFolder();
  let site: RunningSite;
  const pages: Record<string, PageSpec> = {
    "/robots.txt": { body: "User-agent: *\nDisallow: /closed\nSitemap: /map.xml\n", headers: { "Content-Type": "text/plain" } },
    "/map.xml": () => ({
      body: `<urlset><url><loc>${site.origin}/listed</loc><lastmod>2026-03-04</lastmod></url><url><loc>${site.origin}/closed/a</loc></url></urlset>`,
      headers: { "Content-Type": "application/xml" },
    }),
    "/": anchors("/one", "/two", "/closed/b", "http://127.0.33.39:9/far", "/pic.png"),
    "/one": anchors("/deep", "/two"),
    "/two": anchors("/one"),
    "/deep": anchors("/deeper"),
    "/listed": anchors("/unlisted"),
  };
  const run = (...args: string[]) => nuthatchHere([...args, ...fast], { cwd: folder.path });
  const paths = (stdout: string) =>
    stdout
      .trimEnd()
      .split("\n")
      .map((url) => url.replace(site.origin, ""));
  beforeAll(async () => {
    site = await serveSite(pages, { address: "127.0.33.31" });
  });
  afterAll(async () => {
    await site.close();
    folder[Symbol.dispose]();
  });

  test("sorts, and shows the fields that are asked for", async () => {
    const { stdout } = await run("map", site.origin, "--sort", "-depth", "--fields", "depth,url", "--limit", "4");
    const rows = paths(stdout);
    expect(rows).toHaveLength(4);
    expect(rows.map((row) => Number(row.split("  ")[0]))).toEqual(rows.map((row) => Number(row.split("  ")[0])).toSorted((a, b) => b - a));
    expect(rows.at(-1)).toBe("0  /");
    const { urls } = JSON.parse((await run("map", site.origin, "--fields", "url", "--limit", "2", "--json")).stdout) as { urls: object[] };
    expect(urls.map(Object.keys)).toEqual([["url"], ["url"]]);
    expect(await run("map", site.origin, "--fields", "ulr")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("did you mean url?"),
    });
  });

  test("lists a URL a line, asks no page at the last depth or of a sitemap, and keeps nothing", async () => {
    const before = site.log.length;
    const { code, stdout, stderr } = await run("map", site.origin);
    expect([code, stderr]).toEqual([0, `the URLs of ${site.origin}\n`]);
    expect(paths(stdout).sort()).toEqual(["/", "/deep", "/listed", "/one", "/two"]);
    const asked = site.log.slice(before).map(({ path }) => path);
    expect(asked.sort()).toEqual(["/", "/map.xml", "/one", "/robots.txt", "/two"]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  const ways: [string, string[], string[]][] = [
    ["sitemaps alone", ["--sitemap", "only"], ["/", "/listed"]],
    ["links alone", ["--sitemap", "off"], ["/", "/deep", "/one", "/two"]],
    ["as far as wanted", ["--sitemap", "off", "--depth", "1"], ["/", "/one", "/two"]],
    ["farther", ["--depth", "3"], ["/", "/deep", "/deeper", "/listed", "/one", "/two"]],
    ["what lies outside too", ["--depth", "1", "--include-external"], ["/", "/listed", "/one", "/two", "http://127.0.33.39:9/far"]],
    ["by words, the best first", ["--query", "DEEP two"], ["/two", "/deep"]],
  ];
  test.each(ways)("lists %s", async (what, flags, expected) => {
    const { stdout } = await run("map", site.origin, ...flags);
    const found = paths(stdout);
    expect(what.startsWith("by words") ? found : found.sort()).toEqual(expected);
  });

  test("a crawl of the same can be asked who named each URL, and refuses what is no URL", async () => {
    using crawled = tempFolder();
    const ask = (...args: string[]) => nuthatchHere(args, { cwd: crawled.path });
    await ask("crawl", site.origin, ...fast, "-q");
    const named = async (path: string) => / {2}depth .*/.exec((await ask("explain", `${site.origin}${path}`)).stdout)?.[0];
    expect(await named("/")).toMatch(/depth 0, given as a seed, reason ok/);
    expect(await named("/listed")).toMatch(/depth 1, listed in a sitemap, reason ok/);
    expect(await named("/one")).toMatch(/depth 1, linked 2 times or more, reason ok/);
    expect(await named("/unlisted")).toMatch(/depth 2, linked once, reason/);
    expect(await ask("explain", "foo")).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining('"foo" is no whole URL') });
  });

  test("finds what a sitemap named first by the words of any link to it", async () => {
    const town: RunningSite = await serveSite(
      {
        "/robots.txt": { body: "Sitemap: /map.xml\n", headers: { "Content-Type": "text/plain" } },
        "/map.xml": () => ({
          body: `<urlset><url><loc>${town.origin}/p/17</loc></url><url><loc>${town.origin}/p/18</loc></url></urlset>`,
          headers: { "Content-Type": "application/xml" },
        }),
        "/": '<a href="/p/17">read on</a><a href="/p/18">Harbour</a><a href="/one">one</a>',
        "/one": '<a href="/p/17">The budget</a>',
      },
      { address: "127.0.33.32" },
    );
    const found = async (query: string) => (await run("map", town.origin, "--query", query)).stdout.replaceAll(town.origin, "").trim();
    expect([await found("harbour"), await found("budget")]).toEqual(["/p/18", "/p/17"]);
    await town.close();
  });

  test("as records: title, depth, source and lastmod, in JSON, JSON lines and CSV", async () => {
    const document = JSON.parse((await run("map", site.origin, "--json")).stdout) as { urls: MappedUrl[]; isComplete: boolean };
    expect(document).toMatchObject({ schemaVersion: 1, isComplete: true, reason: "ok" });
    const of = (path: string) => document.urls.find(({ url }) => url === site.origin + path);
    expect(of("/listed")).toMatchObject({ source: "sitemap", depth: 1, lastmod: "2026-03-04T00:00:00.000Z", title: null });
    expect(of("/deep")).toMatchObject({ source: "link", depth: 2, lastmod: null, title: "to /deep", parentUrl: `${site.origin}/one` });
    using place = tempFolder();
    await run("map", site.origin, "--depth", "1", "-o", place.file("urls.jsonl"));
    const lines = readFileSync(place.file("urls.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as MappedUrl).url).sort()).toEqual(
      ["/", "/listed", "/one", "/two"].map((path) => site.origin + path),
    );
    await run("map", site.origin, "--depth", "1", "-o", place.file("urls.csv"));
    expect(readFileSync(place.file("urls.csv"), "utf8")).toMatch(/^url,title,depth,source,lastmod,parentUrl,isExternal\r\n/);
  });

  test("no more than the limit, and says so", async () => {
    const { code, stdout, stderr } = await run("map", site.origin, "--limit", "2");
    expect([code, paths(stdout).length]).toEqual([0, 2]);
    expect(stderr).toContain("the first 2 URLs; --limit takes more");
  });

  test("a start that cannot be fetched ends with what, why and what to do", async () => {
    const closed = await run("map", `${site.origin}/closed`, "--sitemap", "off");
    expect([closed.code, closed.stderr]).toEqual([4, expect.stringMatching(/Disallow: \/closed[\s\S]*why:[\s\S]*try:/)]);
    const mistake = await run("map", "ftp://example.org/");
    expect([mistake.code, mistake.stderr]).toEqual([2, expect.stringContaining("https://")]);
    const ending = await run("map", site.origin, "-o", "urls.xyz");
    expect([ending.code, ending.stderr]).toEqual([2, expect.stringContaining(".jsonl")]);
  });

  test("the library gives the same as a value", async () => {
    const found = await map(site.origin, { rateLimit: "none", depth: 1, query: "one", limit: 5, allowPrivate: [site.host] });
    expect(found).toMatchObject({ isComplete: true, reason: "ok", urls: [{ url: `${site.origin}/one`, title: "to /one" }] });
    const stopped = await map(site.origin, { rateLimit: "none", allowPrivate: [site.host], signal: AbortSignal.abort() });
    expect(stopped.isComplete).toBe(false);
  });
});

test.each([
  ["only what has a word", "budget", ["/budget", "/x"]],
  ["more words go first", "budget council", ["/x", "/budget", "/council"]],
  ["case and accents do not matter", "BÜDGET", ["/budget", "/x"]],
  ["escapes are read", "straße", ["/stra%C3%9Fe"]],
  ["no word, nothing", "…", []],
] as [string, string, string[]][])("ranking: %s", (_, query, expected) => {
  const found = [
    { url: "https://a.test/council", title: null, depth: 1 },
    { url: "https://a.test/budget", title: "The Budget", depth: 2 },
    { url: "https://a.test/x", title: "budget of the council", depth: 2 },
    { url: "https://a.test/stra%C3%9Fe", title: "", depth: 1 },
    { url: "https://a.test/%ff", title: "", depth: 1 },
  ];
  expect(rankByWords(found, query).map(({ url }) => url.replace("https://a.test", ""))).toEqual(expected);
});
