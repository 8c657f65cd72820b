import type { CrawlEvent, CrawlInput, RunResult } from "nuthatch";
import { describe, expect, test } from "vitest";
import { largeSites } from "./farm/large.ts";
import { moreTraps } from "./farm/more-traps.ts";
import { archivePaths, realPage, realPaths } from "./farm/real.ts";
import { sameTraps } from "./farm/same.ts";
import { copies, DOMAIN, strangers, wildcardNames } from "./farm/subdomains.ts";
import { thinPage, thinPaths, thinSites } from "./farm/thin.ts";
import { type Trap, traps } from "./farm/traps.ts";
import { anchors } from "./farm/words.ts";
import { crawl } from "./near-library.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

/** Nobody waits a second between two requests to himself; and no guard asks what a page says about itself, which is half of the work. */
const hasty = { rateLimit: "none", enhance: false } as const;
/** Only the pace is not the default. */
const asByDefault = { rateLimit: "none", enhance: true } as const;
const MOST_REQUESTS = 150;

async function crawlAll(seed: string, options: CrawlInput = {}): Promise<{ result: RunResult; reasons: Set<string> }> {
  const reasons = new Set<string>();
  const onEvent = (event: CrawlEvent) => {
    if (event.type === "url.settled") reasons.add(event.reason);
    if (event.type === "link.heard") reasons.add(event.fate);
  };
  await using run = crawl(seed, { ...hasty, ...options, onEvent });
  return { result: await run.result, reasons };
}

const askedIn = (site: RunningSite, trap: Trap) => site.log.filter(({ path }) => trap.holds(path)).length;
const asked = (site: RunningSite) => [...new Set(site.log.map(({ path }) => path))];

async function farm(kinds: readonly Trap[], address: string, more: readonly string[] = []): Promise<RunningSite> {
  const entries = [...kinds.map(({ entry }) => entry), ...more];
  const doors = anchors(...entries.map((entry): [string, string] => [entry.replaceAll("&", "&amp;"), entry]));
  return serveSite(({ path }) => kinds.find((trap) => trap.holds(path))?.page(path) ?? realPage(path, doors), { address });
}

describe("a trap alone ends by itself, and every real page is fetched", () => {
  test.each([...traps, ...moreTraps, ...sameTraps].map((trap) => [trap.name, trap] as const))("%s", async (_, trap) => {
    const site = await farm([trap], "127.0.5.40");
    const { result, reasons } = await crawlAll(`${site.origin}/`);
    await site.close();
    expect(result.stopReason).toBe("finished");
    expect(askedIn(site, trap)).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(askedIn(site, trap)).toBeGreaterThan(1);
    expect(asked(site)).toEqual(expect.arrayContaining([...realPaths]));
    // Without its session id each of these URLs is one that is known, and nothing is left to skip.
    if (trap.name === "a session id as a parameter") return;
    expect([...reasons].filter((reason) => /^(trap\.|depth$|components$|duplicate\.content)/.test(reason)).length).toBeGreaterThan(0);
  });
});

test("all traps on one site end by themselves, and every real page is fetched", async () => {
  const kinds = [...traps, ...moreTraps];
  const site = await farm(kinds, "127.0.5.41", archivePaths.slice(0, 1));
  const { result, reasons } = await crawlAll(`${site.origin}/`, asByDefault);
  await site.close();
  expect(result.stopReason).toBe("finished");
  expect(kinds.filter((trap) => askedIn(site, trap) > MOST_REQUESTS).map(({ name }) => name)).toEqual([]);
  expect(asked(site)).toEqual(expect.arrayContaining([...realPaths, ...archivePaths]));
  for (const reason of ["trap.calendar", "trap.session", "trap.growing", "duplicate.content"]) expect(reasons).toContain(reason);
});

describe("sitemaps that name sitemaps without end", () => {
  /** Each map is an index of others that nobody has seen. */
  async function trees(options: CrawlInput, { lines = 1, branches = 3 } = {}) {
    let named = 0;
    const index = (address: string) =>
      `<sitemapindex>${Array.from({ length: branches }, () => `<sitemap><loc>${address}/maps/${named++}.xml</loc></sitemap>`).join("")}</sitemapindex>`;
    const site: RunningSite = await serveSite(
      ({ path }) => {
        if (path === "/robots.txt")
          return {
            headers: { "content-type": "text/plain" },
            body: Array.from({ length: lines }, () => `Sitemap: /maps/${named++}.xml`).join("\n"),
          };
        return path.startsWith("/maps/")
          ? { headers: { "content-type": "application/xml" }, body: index(site.origin) }
          : realPage(path, "");
      },
      { address: "127.0.5.45" },
    );
    const { result, reasons } = await crawlAll(`${site.origin}/`, options);
    await site.close();
    const maps = site.log.filter(({ path }) => path.startsWith("/maps/")).length;
    return { result, reasons, maps, pages: asked(site) };
  }

  test("are read three indexes deep, and every real page is fetched", async () => {
    const { result, reasons, maps, pages } = await trees({});
    expect(result.stopReason).toBe("finished");
    expect(maps).toBe(1 + 3 + 9 + 27);
    expect(reasons).toContain("limit.sitemaps");
    expect(result.stats.skipped["limit.sitemaps"]).toBe(81);
    expect(pages).toEqual(expect.arrayContaining([...realPaths]));
  });

  test("are read up to --max-sitemaps", async () => {
    const { result, maps } = await trees({ maxSitemaps: 20 }, { branches: 30 });
    expect(result.stopReason).toBe("finished");
    expect(maps).toBe(20);
  });

  test("end beside lists of identical leaves and pages in any letters, on one site", async () => {
    let named = 0;
    const indexes = (address: string) =>
      `<sitemapindex>${Array.from({ length: 30 }, () => `<sitemap><loc>${address}/maps/${named++}.xml</loc></sitemap>`).join("")}</sitemapindex>`;
    const doors = anchors(...sameTraps.map(({ entry }): [string, string] => [entry, entry]));
    const site: RunningSite = await serveSite(
      ({ path }) => {
        if (path === "/robots.txt") return { headers: { "content-type": "text/plain" }, body: "Sitemap: /maps/first.xml" };
        if (path.startsWith("/maps/")) return { headers: { "content-type": "application/xml" }, body: indexes(site.origin) };
        return sameTraps.find((trap) => trap.holds(path))?.page(path) ?? realPage(path, doors);
      },
      { address: "127.0.5.46" },
    );
    const { result } = await crawlAll(`${site.origin}/`);
    await site.close();
    expect(result.stopReason).toBe("finished");
    expect(sameTraps.filter((trap) => askedIn(site, trap) > MOST_REQUESTS).map(({ name }) => name)).toEqual([]);
    expect(site.log.filter(({ path }) => path.startsWith("/maps/")).length).toBeLessThanOrEqual(1000);
    expect(asked(site)).toEqual(expect.arrayContaining([...realPaths]));
  });

  test("are hardly read where three pages are all that is wanted", async () => {
    const { result, maps } = await trees({ maxPages: 3 }, { branches: 30 });
    expect(result.stopReason).toBe("limit.pages");
    expect(maps).toBeLessThanOrEqual(13);
  });

  test("of ten thousand in a robots.txt a hundred are read", async () => {
    const { maps } = await trees({}, { lines: 10_000, branches: 0 });
    expect(maps).toBe(100);
  });
});

describe("infinite subdomains", () => {
  test.each([
    ["of strangers", strangers],
    ["of copies", copies],
  ])("%s", async (_, page) => {
    const names = await wildcardNames("127.0.5.42");
    const home = `www.${DOMAIN}`;
    const site = await serveSite(
      ({ host, path }) => {
        const [name, port] = host.split(":") as [string, string];
        if (path === "/robots.txt") return undefined;
        if (name !== home) return page(name, path, port);
        return realPage(path, anchors([`http://a.${DOMAIN}:${port}/`, "elsewhere"]));
      },
      { address: "127.0.5.42" },
    );
    const port = new URL(site.origin).port;
    const options: CrawlInput = { resolver: names.resolver, allowPrivate: ["127.0.5.42"], scope: "domain" };
    const { result } = await crawlAll(`http://${home}:${port}/`, options);
    await site.close();
    names.close();
    expect(result.stopReason).toBe("finished");
    const outside = site.log.filter(({ host }) => !host.startsWith(home));
    expect(outside.length).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(outside.length).toBeGreaterThan(10);
    expect(asked(site)).toEqual(expect.arrayContaining([...realPaths]));
  });
});

describe("1,500 pages that say nothing but their number are all fetched", () => {
  test.each(thinSites.map((thin) => [thin.name, thin] as const))("%s", async (_, thin) => {
    const page = thinPage(thin);
    const site = await serveSite(({ path }) => page(path), { address: "127.0.5.43" });
    const { result } = await crawlAll(`${site.origin}/`);
    await site.close();
    expect(result.stopReason).toBe("finished");
    expect(
      asked(site)
        .filter((path) => path !== "/robots.txt")
        .sort(),
    ).toEqual(thinPaths(thin));
  });
});

describe("what looks like a trap from afar is fetched whole", () => {
  test.each(largeSites.map((large) => [large.name, large] as const))("%s", async (_, large) => {
    const site = await serveSite(({ path }) => large.page(path), { address: "127.0.5.44" });
    const { result } = await crawlAll(`${site.origin}/`);
    await site.close();
    expect(result.stopReason).toBe("finished");
    expect(asked(site)).toEqual(expect.arrayContaining([...large.paths]));
  });
});
