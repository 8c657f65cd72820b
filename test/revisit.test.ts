import type { CrawlResult } from "nuthatch";
import { type FakePage, fakeSite } from "nuthatch/testing";
import { describe, expect, test } from "vitest";
import { seedsBy } from "../dist/src/core/seed.js";
import { openApp } from "../dist/src/engine/app.js";
import { Config } from "../dist/src/engine/config/index.js";
import { duePreview } from "../dist/src/features/due/due.js";
import { nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { crawl } from "./near-library.ts";
import { serveSite } from "./site/index.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const XML = { "content-type": "application/xml" };

interface Looked extends CrawlResult {
  /** What was asked for, without robots.txt. */
  readonly paths: readonly string[];
}

/** A site whose pages change by a script, and its data file: the first crawl is made, whatever is looked at later is what is due. */
async function visited(pages: Record<string, FakePage>, db: string) {
  const site = fakeSite(pages);
  const options = { ...site.options, db, rateLimit: "none", readers: 1 } as const;
  const look = async (given: { due?: boolean; maxPages?: number } = {}): Promise<Looked> => {
    const before = site.requests.length;
    const result = await crawl(site.url, { ...options, due: true, ...given }).result;
    const paths = site.requests.slice(before).map(({ path }) => path);
    return { ...result, paths: paths.filter((path) => path !== "/robots.txt") };
  };
  return { site, look };
}

const link = (path: string) => `<a href="${path}">to ${path.slice(1)}</a>`;
const robots = "User-agent: *\nAllow: /\nSitemap: https://site.test/sitemap.xml\n";
const sitemap = (dates: readonly (readonly [path: string, at: number])[]) => {
  const urls = dates.map(([path, at]) => `<url><loc>https://site.test${path}</loc><lastmod>${new Date(at).toISOString()}</lastmod></url>`);
  return { body: `<urlset>${urls.join("")}</urlset>`, headers: XML };
};

const NOUNS = ["bridge", "mill", "road", "school", "market", "river", "garden", "library", "harbour", "square"];
/** Told in words: a number that goes up on all pages is a counter. */
const story = (edition: number, page: number) =>
  `The board spoke of the ${[...`${edition}${page}`].map((digit) => NOUNS[Number(digit)]).join(", the ")}.`;

test("over weeks, what changes often is visited often, nothing starves, and a sitemap that lies is not believed", async () => {
  using folder = tempFolder();
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
  const paths = ["news", "minutes", "archive"].flatMap((name) => numbers.map((number) => `/${name}/item-${number}`));
  const pages: Record<string, FakePage> = { "/": `<title>Town</title>${paths.map(link).join(" ")}`, "/robots.txt": robots };
  const { site, look } = await visited(pages, folder.file("town.db"));
  const edition = (days: number, shift: number) => Math.floor(site.clock.now() / DAY / days + shift / 8);
  for (const number of numbers) {
    pages[`/news/item-${number}`] = () => `<title>News ${number}</title><p>${story(edition(1, number), number)}</p>`;
    pages[`/minutes/item-${number}`] = () => `<title>Minutes ${number}</title><p>${story(edition(7, number), number)}</p>`;
    pages[`/archive/item-${number}`] = `<title>Archive ${number}</title><p>What was written in year ${1800 + number}.</p>`;
  }
  pages["/sitemap.xml"] = () => sitemap(paths.map((path) => [path, site.clock.wall()]));
  await look({ due: false });
  const first = site.requests.length;
  let hinted = 0;
  for (let run = 0; run < 60; run++) {
    site.clock.pass(12 * HOUR);
    const { due, stats, isComplete, stopReason } = await look();
    hinted += due!.hinted;
    expect([stopReason, isComplete]).toEqual(["finished", false]);
    expect(stats.changes).toMatchObject({ new: 0, gone: 0, unlinked: 0, unknown: 0 });
  }
  const later = site.requests.slice(first);
  const visits = (start: string) => later.filter(({ path }) => path.startsWith(start)).length;
  expect(visits("/news/")).toBeGreaterThan(2 * visits("/minutes/"));
  expect(visits("/minutes/")).toBeGreaterThan(2 * visits("/archive/"));
  for (const path of paths) expect([path, visits(path) > 0]).toEqual([path, true]);
  expect(hinted).toBeLessThan(60); // of 1440 times that it said a page had changed
});

describe("a page that is not due", () => {
  const numbers = Array.from({ length: 10 }, (_, number) => number);
  const paths = numbers.map((number) => `/archive/item-${number}`);
  const archive = Object.fromEntries(numbers.map((number) => [paths[number]!, `<p>What was written in year ${1800 + number}.</p>`]));

  test.each<[string, string, (dates: readonly [string, number][]) => FakePage]>([
    ["a sitemap", "/sitemap.xml", sitemap],
    [
      "a feed",
      "/feed.xml",
      (dates) => {
        const entries = dates.map(([path, at]) => `<entry><link href="${path}"/><updated>${new Date(at).toISOString()}</updated></entry>`);
        return {
          body: `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>${entries.join("")}</feed>`,
          headers: { "content-type": "application/atom+xml" },
        };
      },
    ],
  ])("is looked at when %s says that it changed", async (_, place, write) => {
    using folder = tempFolder();
    const pages: Record<string, FakePage> = {
      ...archive,
      "/": `<title>Home</title>${[...paths, "/feed.xml"].map(link).join(" ")}`,
      "/robots.txt": robots,
    };
    const { site, look } = await visited(pages, folder.file("site.db"));
    const old = site.clock.wall() - DAY;
    pages["/feed.xml"] = "<p>no feed yet</p>";
    pages[place] = write(paths.map((path) => [path, old]));
    await look({ due: false });
    for (const _day of numbers) {
      site.clock.pass(DAY);
      await look();
    }
    site.clock.pass(2 * HOUR);
    expect((await look()).due).toMatchObject({ hinted: 0 });
    site.clock.pass(HOUR);
    pages["/archive/item-3"] = "<p>What was written in year 1803, with a correction.</p>";
    pages[place] = write(paths.map((path) => [path, path.endsWith("3") ? site.clock.wall() : old]));
    site.clock.pass(HOUR);
    const { due, paths: asked, stats } = await look();
    expect(asked).toContain("/archive/item-3");
    expect(due).toMatchObject({ hinted: 1 });
    expect(stats.changes.changed).toBeGreaterThan(0);
  });
});

describe("a run of what is due", () => {
  const pages = (): Record<string, FakePage> => ({
    "/": `<title>Home</title>${["/a", "/b", "/c", "/moved", "/broken"].map(link).join(" ")}`,
    "/a": "<p>All of a.</p>",
    "/b": "<p>All of b.</p>",
    "/c": "<p>All of c.</p>",
    "/moved": { status: 301, headers: { location: "/a" } },
  });

  test("asks for nothing where nothing is due, and judges nothing", async () => {
    using folder = tempFolder();
    const { site, look } = await visited(pages(), folder.file("site.db"));
    await look({ due: false });
    site.clock.pass(HOUR);
    const { due, paths, stats, isComplete } = await look();
    expect([due, paths, isComplete]).toEqual([{ pages: 0, hinted: 0, nextAt: expect.stringMatching(/^2026-01-0[12]T/) }, [], false]);
    expect(stats.changes).toEqual({ new: 0, changed: 0, same: 0, gone: 0, unlinked: 0, unknown: 0 });
  });

  test("looks into a sitemap once an hour at most", async () => {
    using folder = tempFolder();
    const { site, look } = await visited({ ...pages(), "/robots.txt": robots, "/sitemap.xml": sitemap([]) }, folder.file("site.db"));
    await look({ due: false });
    const asked: (readonly string[])[] = [];
    for (let run = 0; run < 4; run++) {
      site.clock.pass(HOUR / 2 + 1);
      asked.push((await look()).paths);
    }
    expect(asked).toEqual([[], ["/sitemap.xml"], [], ["/sitemap.xml"]]);
  });

  test("visits what is new on the pages it sees, and what is neither due nor new it leaves alone", async () => {
    using folder = tempFolder();
    const site = pages();
    const { look, site: fake } = await visited(site, folder.file("site.db"));
    await look({ due: false });
    fake.clock.pass(2 * DAY);
    const all = await look();
    expect([all.due?.pages, all.paths.toSorted()]).toEqual([4, ["/", "/a", "/b", "/c"]]);
    site["/"] = `<title>Home</title>${["/a", "/b", "/c", "/moved", "/broken", "/news", "/news-too"].map(link).join(" ")}`;
    site["/news"] = `<p>News.</p>${link("/a")}${link("/deeper")}`;
    site["/deeper"] = "<p>What is behind the news.</p>";
    site["/news-too"] = "<p>More news.</p>";
    let { paths, stats } = all;
    for (let hours = 0; hours < 240 && !paths.includes("/news"); hours += 3) {
      fake.clock.pass(3 * HOUR);
      ({ paths, stats } = await look());
    }
    expect(paths).toEqual(expect.arrayContaining(["/", "/news", "/news-too", "/deeper"]));
    expect(paths).not.toContain("/moved");
    expect(paths).not.toContain("/broken");
    expect(stats.changes).toMatchObject({ new: 3, gone: 0, unlinked: 0, unknown: 0 });
  });

  test("says gone of what it asked for and is not there, and leaves it alone from then on", async () => {
    using folder = tempFolder();
    const site = pages();
    const { look, site: fake } = await visited(site, folder.file("site.db"));
    await look({ due: false });
    delete site["/b"];
    fake.clock.pass(2 * DAY);
    expect((await look()).stats.changes).toMatchObject({ gone: 1, same: 3 });
    fake.clock.pass(200 * DAY);
    expect((await look()).paths.toSorted()).toEqual(["/", "/a", "/c"]);
  });

  test("stops at a limit without a word on those it did not reach", async () => {
    using folder = tempFolder();
    const { look, site: fake } = await visited(pages(), folder.file("site.db"));
    await look({ due: false });
    fake.clock.pass(2 * DAY);
    const { stopReason, paths, stats } = await look({ maxPages: 2 });
    expect([stopReason, paths.length, stats.changes.unknown]).toEqual(["limit.pages", 2, 0]);
  });

  test("a site that nobody has seen is crawled", async () => {
    using folder = tempFolder();
    const { look } = await visited(pages(), folder.file("site.db"));
    expect((await look()).stats.changes).toMatchObject({ new: 4 });
  });

  test("what keywords point to counts for more", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const town = {
      "/": `<title>Town</title>${["/budget", "/weather"].map(link).join(" ")}`,
      "/budget": "<p>Sums.</p>",
      "/weather": "<p>Rain.</p>",
    };
    const { site: fake } = await visited(town, db);
    const keywords = { budget: 1 };
    await crawl(fake.url, { ...fake.options, db, rateLimit: "none", keywords }).result;
    fake.clock.pass(2 * DAY);
    const app = await openApp({ db, world: fake.options.world });
    const { pages: due } = await duePreview(app, { seeds: seedsBy("person", [fake.url]), config: Config.parse({ keywords }) });
    await app.close();
    expect(due[0]).toMatchObject({ url: "https://site.test/budget" });
    expect(due.map(({ importance }) => Math.round(importance))).toEqual([3, 1, 1]);
  });

  test("a seed that is no page is asked each time, its target only when it is due", async () => {
    using folder = tempFolder();
    const home: Record<string, FakePage> = { "/": { status: 301, headers: { location: "/home" } }, "/home": "<p>All there is.</p>" };
    const { look, site: fake } = await visited(home, folder.file("site.db"));
    await look({ due: false });
    fake.clock.pass(HOUR);
    expect((await look()).paths).toEqual(["/"]);
    fake.clock.pass(2 * DAY);
    expect((await look()).paths.toSorted()).toEqual(["/", "/home"]);
  });

  test("a later crawl of everything is complete, and finds what nobody names any more", async () => {
    using folder = tempFolder();
    const site = pages();
    const { look, site: fake } = await visited(site, folder.file("site.db"));
    await look({ due: false });
    site["/"] = `<title>Home</title>${["/a", "/b"].map(link).join(" ")}`;
    fake.clock.pass(2 * DAY);
    await look();
    const { isComplete, stats } = await look({ due: false });
    expect([isComplete, stats.changes.unlinked]).toEqual([true, 1]);
  });
});

describe("on the command line", () => {
  test("--dry-run tells what is due and why without asking anybody, and show when a page is looked at next", async () => {
    using folder = tempFolder();
    const pages: Record<string, FakePage> = { "/": `<title>Home</title>${["/a", "/b"].map(link).join(" ")}`, "/a": "<p>a</p>" };
    const { look, site } = await visited(pages, folder.file("site.db"));
    let words = "b as it was";
    pages["/b"] = () => `<p>${words}</p>`;
    await look({ due: false });
    for (let day = 0; day < 3; day++) {
      site.clock.pass(2 * DAY);
      words += " and then it was otherwise";
      await look();
    }
    const run = (...args: string[]) => nuthatchHere([...args, "--db", "site.db"], { cwd: folder.path });
    const { code, stdout } = await run("crawl", "https://site.test/", "--due", "--dry-run");
    const [first, mostDue] = stdout.split("\n");
    expect([code, first]).toEqual([0, "Dry run: 3 of 3 known pages are due; nothing was asked"]);
    expect(mostDue).toMatch(/^ {2}https:\/\/site\.test\/b {2}changes about every \d+ [hd].*\(4 looks, 3 changes\); due since \d+ d/);
    const shown = JSON.parse((await run("show", "https://site.test/b", "--json")).stdout);
    expect(shown.revisit).toMatchObject({ looks: 4, changes: 3, prior: "none", importance: 1, lastLookAt: "2026-01-07T00:00:00.000Z" });
    expect(Date.parse(shown.revisit.nextLookAt)).toBeGreaterThan(Date.parse(shown.revisit.lastLookAt));
  });

  test("that nothing is due is no failure", async () => {
    using folder = tempFolder();
    const served = await serveSite({ "/": "<title>Home</title><p>All there is.</p>" }, { address: "127.0.66.2" });
    await crawl(`${served.origin}/`, { db: folder.file("site.db") }).result;
    const { code, stderr } = await nuthatch(["crawl", `${served.origin}/`, "--due", "--db", "site.db"], { cwd: folder.path });
    await served.close();
    expect(code).toBe(0);
    expect(stderr).toContain("run 2 (what is due)\nFinished: nothing left that is due");
    expect(stderr).toMatch(/due +0 {2}the next from 20\d\d-/);
  });
});
