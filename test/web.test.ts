import { gzipSync } from "node:zlib";
import type { CrawlEvent, RunResult } from "nuthatch";
import { describe, expect, test } from "vitest";
import { crawl } from "./near-library.ts";
import { type PageSpec, type RunningSite, serveSite, startDemoWeb } from "./site/index.ts";

const fast = { rateLimit: "none", perHost: 4, maxConcurrent: 4 } as const;

interface Seen {
  readonly result: RunResult;
  readonly pages: Map<
    string,
    { title: string | undefined; depth: number; duplicateOf: string | null; noindex: boolean; canonicalUrl: string | null }
  >;
  readonly fates: Map<string, string>;
}

async function look(seeds: string | string[], options: Parameters<typeof crawl>[1] = {}): Promise<Seen> {
  const pages: Seen["pages"] = new Map();
  const fates: Seen["fates"] = new Map();
  const onEvent = (event: CrawlEvent) => {
    if (event.type === "url.settled") fates.set(event.url, event.reason);
    if (event.type === "link.heard" && event.fate !== "known" && event.fate !== "added") fates.set(event.url, event.fate);
  };
  await using run = crawl(seeds, { ...fast, ...options, onEvent });
  for await (const { url, depth, metadata, duplicateOf, noindex, canonicalUrl } of run) {
    pages.set(url, { depth, title: metadata.title?.value, duplicateOf, noindex, canonicalUrl });
  }
  return { result: await run.result, pages, fates };
}

const paths = (seen: Seen, site: RunningSite) => [...seen.pages.keys()].map((url) => url.replace(site.origin, "")).sort();
const xml = (body: string): PageSpec => ({ body, headers: { "content-type": "application/xml" } });

describe("sitemaps", () => {
  const sitemapSite = (request: { path: string; host: string }): PageSpec | undefined => {
    const origin = `http://${request.host}`;
    const pages: Record<string, PageSpec> = {
      "/robots.txt": { body: `Sitemap: ${origin}/index.xml\n`, headers: { "content-type": "text/plain" } },
      "/": '<title>home</title><a href="/linked">linked</a>',
      "/linked": "<p>linked from home</p>",
      "/index.xml": xml(
        `<sitemapindex><sitemap><loc>${origin}/a.xml.gz</loc></sitemap><sitemap><loc>${origin}/b.txt</loc></sitemap></sitemapindex>`,
      ),
      "/a.xml.gz": {
        body: gzipSync(
          `<urlset><url><loc>${origin}/old</loc><lastmod>2001-01-01</lastmod></url><url><loc>${origin}/fresh</loc><lastmod>2026-11-01</lastmod></url></urlset>`,
        ),
        headers: { "content-type": "application/gzip" },
      },
      "/b.txt": { body: `${origin}/listed\nhttp://127.0.0.99/elsewhere\n`, headers: { "content-type": "text/plain" } },
      "/old": "<p>an old page</p>",
      "/fresh": "<p>a fresh page</p>",
      "/listed": '<p>in the text list</p><a href="/from-listed">more</a>',
      "/from-listed": "<p>only a link away from a listed page</p>",
    };
    return pages[request.path];
  };

  test.each([
    [
      "auto: those that robots.txt names are read, and what they list is visited",
      { sitemap: "auto" },
      ["/", "/fresh", "/from-listed", "/linked", "/listed", "/old"],
    ],
    ["only: links are not followed", { sitemap: "only" }, ["/", "/fresh", "/listed", "/old"]],
    ["off: only links count", { sitemap: "off" }, ["/", "/linked"]],
    ["never under --max-depth 0", { sitemap: "auto", maxDepth: 0 }, ["/"]],
  ])("%s", async (_, options, expected) => {
    const site = await serveSite(sitemapSite, { address: "127.0.5.1" });
    const seen = await look(`${site.origin}/`, options);
    expect(paths(seen, site)).toEqual(expected);
    if (seen.pages.has(`${site.origin}/listed`)) expect(seen.pages.get(`${site.origin}/listed`)?.depth).toBe(1);
    await site.close();
  });

  test("one named by its URL is read in place of those of robots.txt", async () => {
    const site = await serveSite(sitemapSite, { address: "127.0.5.2" });
    const seen = await look(`${site.origin}/`, { sitemap: `${site.origin}/b.txt` });
    expect(paths(seen, site)).toEqual(["/", "/from-listed", "/linked", "/listed"]);
    await site.close();
  });
});

describe("scope", () => {
  const tree: Record<string, PageSpec> = {
    "/docs/": '<a href="/docs/a">a</a><a href="/blog/x">x</a><a href="/docs/skip/me">skip</a><a href="/pic.png">pic</a>',
    "/docs/a": '<a href="/docs/a?x=1&amp;y=2">params</a>',
    "/docs/a?x=1": "<p>one parameter is enough</p>",
    "/docs/skip/me": "<p>not wanted</p>",
    "/blog/x": "<p>another part</p>",
  };
  test.each([
    ["prefix keeps to the seed's folder", { scope: "prefix", maxParams: 1 }, ["/docs/", "/docs/a", "/docs/a?x=1", "/docs/skip/me"]],
    ["page is the seed alone", { scope: "page" }, ["/docs/"]],
    ["exclude beats include", { include: ["/docs/**"], exclude: ["/docs/skip/**"], maxParams: 0 }, ["/docs/", "/docs/a"]],
    ["a regular expression", { exclude: ["/a|skip/"] }, ["/docs/", "/blog/x"].sort()],
  ] as const)("%s", async (_, options, expected) => {
    const site = await serveSite(tree, { address: "127.0.5.3" });
    expect(paths(await look(`${site.origin}/docs/`, options as Parameters<typeof crawl>[1]), site)).toEqual([...expected]);
    await site.close();
  });

  test("several seeds are one run; each host keeps its own pace and none is asked twice", async () => {
    const [one, two] = await Promise.all(
      ["127.0.5.4", "127.0.5.5"].map((address) => serveSite({ "/": '<a href="/a">a</a>', "/a": "<p>a page</p>" }, { address })),
    );
    const seen = await look([`${one!.origin}/`, `${two!.origin}/`, `${one!.origin}/a`]);
    expect(seen.pages.size).toBe(4);
    expect(seen.pages.get(`${one!.origin}/a`)?.depth).toBe(0);
    for (const site of [one!, two!]) expect(site.log.map(({ path }) => path).sort()).toEqual(["/", "/a", "/robots.txt"]);
    await Promise.all([one!.close(), two!.close()]);
  });
});

describe("private addresses", () => {
  test("a seed opens its own host and nothing else: no link, redirect, refresh, sitemap or robots.txt leads elsewhere", async () => {
    const canary = await serveSite(() => "<p>should never be asked</p>", { address: "127.0.5.7" });
    const port = new URL(canary.origin).port;
    const to = (host: string) => `http://${host}:${port}/secret`;
    const spellings = ["127.0.5.7", "2130707719", "0x7f000507", "0177.0.5.7", "127.1287", "[::ffff:127.0.5.7]", "localhost"].map(to);
    const hops = Object.fromEntries(
      spellings.map((url, index): [string, PageSpec] => [`/hop${index}`, { status: 302, headers: { location: url } }]),
    );
    const site = await serveSite(
      {
        "/robots.txt": { body: `User-agent: *\nAllow: /\nSitemap: ${to("127.0.5.7")}\n`, headers: { "content-type": "text/plain" } },
        "/": [...spellings, ...Object.keys(hops), "/refresh", "/base"].map((url) => `<a href="${url}">x</a>`).join(""),
        "/refresh": `<meta http-equiv="refresh" content="0;url=${to("127.0.5.7")}"><link rel="canonical" href="${to("127.0.5.7")}"><iframe src="${to("localhost")}"></iframe>`,
        "/base": `<base href="${to("127.0.5.7")}/"><a href="deeper">x</a>`,
        ...hops,
      },
      { address: "127.0.5.6" },
    );
    const seen = await look(`${site.origin}/`, { scope: "any", retries: 0 });
    expect(canary.log).toEqual([]);
    expect(seen.pages.size).toBe(3);
    expect(seen.fates.get(to("127.0.5.7"))).toBe("private-network");
    await Promise.all([site.close(), canary.close()]);
  });

  test("robots.txt that redirects to a private address closes the site instead of opening the address", async () => {
    const canary = await serveSite(() => ({ body: "User-agent: *\nAllow: /\n", headers: { "content-type": "text/plain" } }), {
      address: "127.0.5.9",
    });
    const site = await serveSite(
      { "/robots.txt": { status: 301, headers: { location: `${canary.origin}/robots.txt` } }, "/": "<p>home</p>" },
      { address: "127.0.5.8" },
    );
    const seen = await look(`${site.origin}/`, { retries: 0 });
    expect(canary.log).toEqual([]);
    expect(seen.pages.size).toBe(0);
    const [seed] = seen.result.seeds;
    expect(seed).toMatchObject({ url: `${site.origin}/`, reason: "private-network" });
    expect(seed!.rule).toContain(
      `robots.txt of ${site.origin} redirects to ${canary.origin}/robots.txt, and 127.0.5.9 is not a public address`,
    );
    expect(seed!.rule).toContain(`--allow-private ${new URL(canary.origin).host}`);
    await Promise.all([site.close(), canary.close()]);
  });

  test("--allow-private opens what it names", async () => {
    const other = await serveSite({ "/": "<p>the other</p>" }, { address: "127.0.5.11" });
    const site = await serveSite({ "/": `<a href="${other.origin}/">other</a>` }, { address: "127.0.5.10" });
    const seen = await look(`${site.origin}/`, { scope: "any", allowPrivate: ["127.0.5.11"] });
    expect(seen.pages.size).toBe(2);
    await Promise.all([site.close(), other.close()]);
  });
});

describe("traps end by themselves, and archives are read to the end", () => {
  const words = (seed: number, count: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        ["brook", "lantern", "meadow", "pillar", "quarry", "saddle", "thimble", "walnut"][(seed * 7 + index * ((seed % 5) + 1)) % 8]! +
        ((seed * 31 + index) % 97).toString(36).replace(/\d/g, "x"),
    ).join(" ");
  const trap = (path: string): PageSpec | undefined => {
    const [, year, month] = /^\/calendar\/(\d+)\/(\d+)$/.exec(path) ?? [];
    const after = new Date(Number(year), Number(month), 1);
    if (month)
      return `<h1>Month ${month} of ${year}</h1><p>No events in this month.</p><a href="/calendar/${after.getFullYear()}/${after.getMonth() + 1}">next</a>`;
    const [, number] = /^\/list\?page=(\d+)$/.exec(path) ?? [];
    if (number) return `<h1>List</h1><p>The same list on every page of it.</p><a href="/list?page=${Number(number) + 1}">next</a>`;
    if (path.startsWith("/grow/")) return '<p>A page that links to itself in a deeper folder.</p><a href="deeper/">deeper</a>';
    const [, item] = /^\/archive\?page=(\d+)$/.exec(path) ?? [];
    const page = Number(item);
    if (item && page <= 120)
      return `<h1>Archive</h1><ul><li>${words(page, 12)}</li><li>${words(page + 500, 12)}</li></ul>${page < 120 ? `<a href="/archive?page=${page + 1}">next</a>` : ""}`;
    return path === "/"
      ? '<a href="/calendar/2026/1">c</a><a href="/list?page=1">l</a><a href="/grow/">g</a><a href="/archive?page=1">a</a>'
      : undefined;
  };
  test("each trap stays under 60 requests; all 120 pages of the archive are fetched", async () => {
    const site = await serveSite((request) => trap(request.path), { address: "127.0.5.12" });
    const seen = await look(`${site.origin}/`, { maxDepth: "none", maxComponents: 1000 });
    expect(seen.result.stopReason).toBe("finished");
    const asked = (start: string) => site.log.filter(({ path }) => path.startsWith(start)).length;
    expect(asked("/archive")).toBe(120);
    for (const start of ["/calendar", "/list", "/grow"]) expect(asked(start), start).toBeLessThan(60);
    expect([...new Set(seen.fates.values())].filter((reason) => reason.startsWith("trap.")).length).toBeGreaterThanOrEqual(2);
    await site.close();
  });
});

test("what a page says it is, is kept with its source", async () => {
  const site = await serveSite(
    { "/": '<meta property="og:type" content="Article"><title>One</title><p>words</p>' },
    { address: "127.0.5.13" },
  );
  await using run = crawl(`${site.origin}/`, fast);
  for await (const { metadata } of run) expect(metadata.type).toEqual({ value: "article", source: "og:type" });
  await site.close();
});

describe("the demo town", () => {
  test("is crawled to the end: all its pages, none that are closed, everything named", async () => {
    const web = await startDemoWeb();
    const seen = await look(web.seeds, { rateLimit: "50/s", perHost: 1, maxConcurrent: 8 });
    const [hall, , university] = web.hosts;
    expect(seen.result.stopReason).toBe("finished");
    expect(seen.result.stats.pages).toBeGreaterThanOrEqual(79);
    const asked = web.hosts.flatMap(({ log }) => log.map(({ path }) => path));
    expect(asked.filter((path) => path.startsWith("/internal/") || path.startsWith("/readers/"))).toEqual(["/internal/annual-report"]);
    expect(web.hosts.at(-1)!.log).toEqual([]);
    const reasons = new Set(seen.fates.values());
    for (const reason of ["robots.disallow", "scope.host", "http.4xx", "http.5xx", "duplicate.redirect", "duplicate.content", "type"])
      expect(reasons).toContain(reason);
    expect(hall!.log[0]!.path).toBe("/robots.txt");
    expect(
      [...seen.pages.keys()].some((url) => url.startsWith(`${university!.origin}/research/`)),
      "links inside Drupal's settings",
    ).toBe(true);
    await web.close();
  });
});
