import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Preview } from "../src/features/preview/preview.ts";
import { nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { gaps, type PageSpec, type RunningSite, serveSite } from "./site/index.ts";

const fast = ["--rate-limit", "none"];
const anchors = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">to ${href}</a>`).join("\n");
const xml = (body: string): PageSpec => ({ body, headers: { "Content-Type": "application/xml" } });

describe("crawl --dry-run", () => {
  const folder = tempFolder();
  let site: RunningSite;
  const loc = (...paths: string[]) => paths.map((path) => `<url><loc>${site.origin}${path}</loc></url>`).join("");
  const pages: Record<string, PageSpec> = {
    "/robots.txt": { body: "User-agent: *\nDisallow: /closed\nSitemap: /index.xml\n", headers: { "Content-Type": "text/plain" } },
    "/index.xml": () => xml(`<sitemapindex><sitemap><loc>${site.origin}/map.xml</loc></sitemap></sitemapindex>`),
    "/map.xml": () => xml(`<urlset>${loc("/listed", "/closed/listed", "/secret/listed", "/a/b/c/d")}</urlset>`),
    "/start": { status: 301, headers: { Location: "/home" } },
    "/home": `<title>Home</title><p>${"words ".repeat(60)}</p>${anchors("/one", "/two", "/closed/x", "/secret/y", "/pic.png", "http://127.0.33.29:9/", "/one?utm_source=x", "mailto:a@b.test")}`,
    "/one": `<p>one</p>${anchors("/home")}`,
    "/two": "<p>two</p>",
    "/listed": "<p>listed</p>",
  };
  const flags = ["--exclude", "/secret/**", "--max-components", "3"];
  const run = (...args: string[]) => nuthatchHere(args, { cwd: folder.path });
  let shown: Preview;
  beforeAll(async () => {
    site = await serveSite(pages, { address: "127.0.33.21" });
    const { code, stdout } = await run("crawl", `${site.origin}/start`, "--dry-run", "--json", ...flags, ...fast);
    expect(code).toBe(0);
    shown = JSON.parse(stdout) as Preview;
  });
  afterAll(async () => {
    await site.close();
    folder[Symbol.dispose]();
  });

  test("asks for robots.txt, sitemaps and the seeds alone, and leaves nothing behind", () => {
    expect(site.log.map(({ path }) => path).sort()).toEqual(["/home", "/index.xml", "/map.xml", "/robots.txt", "/start"]);
    expect(shown.requests).toBe(5);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("tells how the seeds, robots.txt and sitemaps fared", () => {
    expect(shown).toMatchObject({
      schemaVersion: 1,
      dryRun: true,
      seeds: [{ url: `${site.origin}/start`, finalUrl: `${site.origin}/home`, redirects: [`${site.origin}/home`], ok: true, status: 200 }],
      robots: [{ origin: site.origin, kind: "rules", allowed: true, crawlDelayMs: null, sitemaps: [`${site.origin}/index.xml`] }],
      sitemaps: [
        { url: `${site.origin}/index.xml`, status: 200 },
        { url: `${site.origin}/map.xml`, status: 200, urls: 4 },
      ],
      unreadSitemaps: 0,
      limits: { scope: "host", maxDepth: 10, maxPages: 10_000, maxTimeMs: null, delayMs: 0 },
      looksScripted: false,
    });
  });

  test("its verdicts are those of the crawl that follows", async () => {
    using elsewhere = tempFolder();
    const crawl = await nuthatchHere(["crawl", `${site.origin}/start`, ...flags, ...fast, "-q"], { cwd: elsewhere.path });
    expect(crawl.code).toBe(0);
    const { stdout } = await nuthatchHere(["export", "jsonl", "--what", "decisions"], { cwd: elsewhere.path });
    const decisions = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { url: string; kind: string; verdict: string; reason: string; rule: string });
    const visited = decisions.filter(({ verdict, kind }) => verdict === "fetched" && kind === "page").map(({ url }) => url);
    const seeds = shown.seeds.flatMap(({ url, redirects }) => [url, ...redirects]);
    expect([...seeds, ...shown.first.map(({ url }) => url)].sort()).toEqual(visited.sort());
    expect(shown.wanted).toBe(visited.length - 1);
    const skips = decisions.filter(({ verdict }) => verdict === "skipped").map(({ url, reason, rule }) => ({ url, reason, rule }));
    const byUrl = (a: { url: string }, b: { url: string }) => (a.url < b.url ? -1 : 1);
    const foretold = shown.skipped.flatMap(({ reason, examples }) => examples.map(({ url, rule }) => ({ url, reason, rule })));
    expect(foretold.sort(byUrl)).toEqual(skips.sort(byUrl));
    expect(new Set(foretold.map(({ reason }) => reason))).toEqual(
      new Set(
        ["robots.disallow", "scope.exclude", "scope.host", "type", "components", "scheme"].filter((reason) =>
          skips.some((skip) => skip.reason === reason),
        ),
      ),
    );
    expect(foretold.length).toBeGreaterThanOrEqual(6);
  });

  test("people get a screenful, and the command that follows", async () => {
    const { stdout, stderr } = await run("crawl", `${site.origin}/home`, "--dry-run", ...flags, ...fast);
    expect(stderr).toBe("");
    expect(stdout.split("\n").length).toBeLessThan(32);
    expect(stdout).toMatch(/^Dry run: 4 requests/);
    expect(stdout).toContain(`robots    ${site.host}: allowed, names 1 sitemap`);
    expect(stdout).toMatch(/skip .*out of scope \d.*robots \d/);
    expect(stdout).toContain("Disallow: /closed (line 2)");
    expect(stdout).toContain(`next      nuthatch crawl ${site.origin}/home --exclude '/secret/**' --max-components 3 --rate-limit none\n`);
  });

  test("limits end a crawl and not a look at it, and the time is pages by rate", async () => {
    const { stdout } = await run(
      "crawl",
      `${site.origin}/home`,
      "--dry-run",
      "--json",
      "--max-pages",
      "2",
      "--rate-limit",
      "5/s",
      "--sitemap",
      "off",
    );
    const limited = JSON.parse(stdout) as Preview;
    expect(limited.wanted).toBe(4);
    expect(limited.estimate).toEqual({ pages: 2, ms: 400, atMostPages: 2, atMostMs: 400, delayMs: 200, delayBy: "rate" });
  });

  test("a seed that would not be fetched is told with the exit code of a crawl", async () => {
    const closed = await run("crawl", `${site.origin}/closed`, "--dry-run", ...fast);
    expect([closed.code, closed.stdout]).toEqual([4, expect.stringContaining("would not be fetched: Disallow: /closed (line 2)")]);
    const nobody = await run("crawl", "http://127.0.33.28:9/", "--dry-run", "--retries", "0", ...fast);
    expect([nobody.code, nobody.stdout]).toEqual([3, expect.stringContaining("ECONNREFUSED")]);
    const mistake = await run("crawl", "ftp://example.org/", "--dry-run");
    expect([mistake.code, mistake.stderr]).toEqual([2, expect.stringContaining("https://")]);
  });

  test("with a data file it waits for its turns there, and writes no run", async () => {
    using place = tempFolder();
    const slow = await serveSite(
      { "/robots.txt": { body: "User-agent: *\nCrawl-delay: 0.6\n", headers: { "Content-Type": "text/plain" } }, "/": anchors("/a") },
      { address: "127.0.33.22" },
    );
    const there = (...args: string[]) => nuthatch(args, { cwd: place.path });
    await there("crawl", slow.origin, "--max-depth", "0", "--rate-limit", "5/s", "-q");
    const { stdout } = await there("crawl", slow.origin, "--dry-run", "--json", "--rate-limit", "5/s");
    expect(JSON.parse(stdout)).toMatchObject({ estimate: { delayMs: 600, delayBy: "crawl-delay" }, requests: 1 });
    for (const gap of gaps(slow.log).slice(1)) expect(gap).toBeGreaterThanOrEqual(590);
    expect((JSON.parse((await there("runs", "--json")).stdout) as { runs: unknown[] }).runs.length).toBe(1);
    await slow.close();
  });
});

test("what a site says cannot command the terminal, in a dry run, a map or a check", async () => {
  using folder = tempFolder();
  const evil = "\x1b[31mred\x1b]0;title\x07\x9b2J\u202egnp.exe\u2066\u200f\x7f\b";
  const site = await serveSite(
    {
      "/robots.txt": { body: `User-agent: *\nDisallow: /no${evil}\nSitemap: /map${evil}\n`, headers: { "Content-Type": "text/plain" } },
      "/": {
        body: `<title>${evil}</title><h1>${evil}</h1><a href="/a${evil}" title="${evil}">${evil}</a><a href="/no%1b[31mred">n</a>`,
        headers: { "Content-Type": "text/html; x=\x9b2J", Date: "\x9b2J" },
      },
    },
    { address: "127.0.33.23" },
  );
  for (const args of [
    ["crawl", "--dry-run"],
    ["crawl", "--dry-run", "-v", "--json"],
    ["map"],
    ["map", "--json"],
    ["doctor"],
    ["fetch", "-f", "meta", "--headers"],
    ["fetch", "--json"],
  ]) {
    const { code, stdout, stderr } = await nuthatchHere([...args, site.origin, ...fast], { cwd: folder.path });
    expect([args, code]).toEqual([args, 0]);
    expect(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/.exec(stdout + stderr)).toBeNull();
  }
  await site.close();
});
