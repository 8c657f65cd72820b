import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Change, type CrawlRun, changeFeed, changes, explain, exportTo, pages, type RunEvent, SetupError } from "nuthatch";
import { type FakePage, fakeSite } from "nuthatch/testing";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { isLetGo } from "./let-go.ts";
import { crawl, createCrawler } from "./near-library.ts";
import { type PageSpec, serveSite } from "./site/index.ts";

const fast = { rateLimit: "none", perHost: 2, maxConcurrent: 2 } as const;
const numbered = (count: number): Record<string, PageSpec> => ({
  "/": Array.from({ length: count }, (_, index) => `<a href="/${index}">${index}</a>`).join(""),
  ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`/${index}`, `<h1>${index}</h1><p>The words of page ${index}</p>`])),
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("a run", () => {
  test("is a loop over pages with a receipt, and its data is an object", async () => {
    const site = await serveSite(numbered(5), { address: "127.0.35.1" });
    await using run = crawl(`${site.origin}/`, fast);
    const seen = await collect(run);
    expect(seen.map(({ url }) => url.replace(site.origin, "")).sort()).toEqual(["/", "/0", "/1", "/2", "/3", "/4"]);
    expect(seen.every(({ data }) => Object.keys(data).length === 0)).toBe(true);
    expect(await run.result).toMatchObject({ stopReason: "finished", plugins: {}, stats: { pages: 6 } });
    expect((await run.explain(`${site.origin}/3`)).verdict).toBe("fetched");
    await site.close();
  });

  test.each([
    ["and nobody listens", undefined],
    ["and somebody listens", () => undefined],
  ])("is depth first when it is to be, %s", async (_, onEvent) => {
    const to = (...names: string[]) => names.map((name) => `<a href="/${name}">${name}</a>`).join(" ");
    const many = Array.from({ length: 20 }, (_each, index) => `a${index}`);
    const leaves = Object.fromEntries(many.map((name) => [`/${name}`, `<p>${name}`]));
    const site = fakeSite({ "/": to(...many), ...leaves, "/a0": to("b"), "/b": to("c"), "/c": to("d"), "/d": "<p>d" });
    const options = { order: "depth", maxConcurrent: 1, sitemap: "off" } as const;
    await using run = crawl(site.url, { ...options, ...site.options, ...(onEvent && { onEvent }) });
    await run.result;
    const paths = site.requests.map(({ url }) => new URL(url).pathname).filter((path) => path !== "/robots.txt");
    expect(paths.slice(0, 6)).toEqual(["/", "/a0", "/b", "/c", "/d", "/a1"]);
  });

  test("asks for nothing while it is paused, and for everything when it goes on", async () => {
    const site = await serveSite(numbered(20), { address: "127.0.35.2", latency: 5 });
    await using run = crawl(`${site.origin}/`, fast);
    let isPaused = false;
    run.on("page.fetched", () => {
      if (isPaused) return;
      isPaused = true;
      run.pause();
    });
    const { result } = run;
    while (!isPaused) await sleep(5);
    await sleep(100);
    const asked = site.log.length;
    expect(asked).toBeLessThan(10);
    await sleep(200);
    expect(site.log.length).toBe(asked);
    run.resume();
    expect((await result).stats.pages).toBe(21);
    await site.close();
  });

  test("waits for a loop that is slow", async () => {
    const site = await serveSite(numbered(100), { address: "127.0.35.7" });
    await using run = crawl(`${site.origin}/`, fast);
    let most = 0;
    let seen = 0;
    for await (const _ of run) {
      seen += 1;
      await sleep(5);
      most = Math.max(most, site.log.length - seen);
    }
    expect(seen).toBe(101);
    expect(most).toBeLessThan(45);
    await site.close();
  });

  test("that is over has an empty loop and the same result", async () => {
    const site = fakeSite({ "/": "home" });
    await using run = crawl(site.url, site.options);
    const [first, second] = await Promise.all([collect(run), collect(run)]);
    expect([first.length, second.length]).toEqual([1, 1]);
    expect(await collect(run)).toEqual([]);
    expect(await collect(run.events())).toEqual([]);
    expect((await run.result).stats.pages).toBe(1);
  });

  test("that is over has closed its file, and opens it again to explain", async () => {
    using folder = tempFolder();
    const db = folder.file("a.db");
    const site = fakeSite({ "/": '<a href="/a">a</a>', "/a": "a" });
    const run = crawl(site.url, { db, ...site.options });
    const early = new Promise((resolve) => run.on("page.fetched", ({ page }) => resolve(run.explain(page.url))));
    for await (const _ of run) expect(existsSync(`${db}-wal`)).toBe(true);
    expect(await early).toMatchObject({ verdict: "fetched" });
    expect(await isLetGo(db)).toBe(true);
    expect(await run.explain(`${site.url}a`)).toMatchObject({ verdict: "fetched" });
    expect(await isLetGo(db)).toBe(true);
  });

  test("can be paused before it begins, and stopped while it is paused", async () => {
    const site = await serveSite(numbered(3), { address: "127.0.35.3" });
    await using run = crawl(`${site.origin}/`, fast);
    run.pause();
    const { result } = run;
    await sleep(100);
    expect(site.log).toEqual([]);
    expect((await run.stop()).stopReason).toBe("stopped");
    expect((await result).stats.pages).toBe(0);
    await site.close();
  });

  test("tells its events in order, from the start to the end", async () => {
    const site = fakeSite({ "/": '<a href="/a">a</a>', "/a": "a" });
    await using run = crawl(site.url, site.options);
    const types = (await collect(run.events())).map(({ type }) => type);
    expect(types[0]).toBe("crawl.started");
    expect(types.at(-1)).toBe("crawl.finished");
    expect(types.filter((type) => type === "page.fetched")).toHaveLength(2);
    expect(types).toContain("link.heard");
  });

  test("calls back for the kind of event that was asked for, until it is taken back", async () => {
    const site = fakeSite({
      "/": '<a href="/a">a</a><a href="/b">b</a>',
      "/a": "a",
      "/b": { status: 429, headers: { "Retry-After": "9" } },
    });
    await using run = crawl(site.url, { retries: 1, ...site.options });
    const slowed: string[] = [];
    const visited: string[] = [];
    run.on("host.slowed", ({ host, cause }) => slowed.push(`${host} ${cause}`));
    const forget = run.on("page.fetched", ({ page }) => {
      visited.push(page.url);
      forget();
    });
    await run.result;
    expect(slowed[0]).toBe("site.test retry-after");
    expect(visited).toEqual([site.url]);
  });

  test("a listener that throws ends it with that error, and what was settled is kept", async () => {
    using folder = tempFolder();
    const site = await serveSite(numbered(20), { address: "127.0.35.4" });
    await using run = crawl(`${site.origin}/`, { ...fast, db: folder.file("a.db") });
    run.on("page.fetched", () => {
      throw new Error("enough of this");
    });
    await expect(run.result).rejects.toThrow("enough of this");
    expect((await collect(pages(folder.file("a.db")))).length).toBeGreaterThan(0);
    await site.close();
  });

  type Leave = (url: string, db: string) => Promise<unknown>;
  test.each<[string, Leave]>([
    [
      "the loop over its pages",
      async (url, db) => {
        await using run = crawl(url, { ...fast, db });
        let count = 0;
        for await (const _ of run) if (++count === 4) break;
        expect((await run.result).stopReason).toBe("stopped");
      },
    ],
    [
      "the loop over its events",
      async (url, db) => {
        await using run = crawl(url, { ...fast, db });
        for await (const event of run.events()) if (event.type === "page.fetched") break;
        expect((await run.result).stopReason).toBe("stopped");
      },
    ],
    [
      "by a signal",
      async (url, db) => {
        const leave = new AbortController();
        await using run = crawl(url, { ...fast, db, signal: leave.signal });
        for await (const _ of run) leave.abort();
        expect((await run.result).stopReason).toBe("stopped");
      },
    ],
  ])("is left politely: %s; the same call takes it up, and nothing is asked twice", async (_, leave) => {
    using folder = tempFolder();
    const site = await serveSite(numbered(30), { address: "127.0.35.5", latency: 2 });
    await leave(`${site.origin}/`, folder.file("a.db"));
    const asked = site.log.length;
    expect(asked).toBeLessThan(32);
    await using run = crawl(`${site.origin}/`, { ...fast, db: folder.file("a.db") });
    expect(await run.result).toMatchObject({ stopReason: "finished", runId: 1, stats: { pages: 31 } });
    const paths = site.log.map(({ path }) => path);
    expect(paths.length).toBe(new Set(paths).size);
    await site.close();
  });

  type Stop = (run: CrawlRun) => unknown;
  test.each<[string, Stop]>([
    ["while pages are on their way", (run) => sleep(15).then(() => void run.stop())],
    ["and waited for in the loop, behind which pages wait", (run) => sleep(500).then(() => run.stop())],
  ])("that is stopped %s gives the loop what is still being finished", async (_, stop) => {
    using folder = tempFolder();
    const db = folder.file("a.db");
    const site = await serveSite(numbered(40), { address: "127.0.35.8", latency: 30 });
    const seen: string[] = [];
    await using run = crawl(`${site.origin}/`, { ...fast, db });
    for await (const { url } of run) if (seen.push(url) === 4) await stop(run);
    const { stopReason, stats } = await run.result;
    expect([stopReason, stats.pages]).toEqual(["stopped", seen.length]);
    await using rest = crawl(`${site.origin}/`, { ...fast, db });
    for await (const { url } of rest) seen.push(url);
    expect([seen.length, new Set(seen).size]).toEqual([41, 41]);
    await site.close();
  });

  test("with a signal that has gone off already asks for nothing", async () => {
    const site = await serveSite(numbered(3), { address: "127.0.35.6" });
    await using run = crawl(`${site.origin}/`, { ...fast, signal: AbortSignal.abort() });
    expect((await run.result).stopReason).toBe("stopped");
    expect(site.log).toEqual([]);
    await site.close();
  });

  test("that could not begin says why to everyone who asks, and harms nobody who does not", async () => {
    using folder = tempFolder();
    const run = crawl("https://a.test/", { db: folder.file("no/such/folder.db") });
    await expect(collect(run)).rejects.toThrow("cannot use");
    await expect(run.stop()).rejects.toThrow("cannot use");
    run.pause();
    run.resume();
    await run[Symbol.asyncDispose]();
  });

  test("that nobody reads opens nothing", async () => {
    using folder = tempFolder();
    {
      await using run = crawl("https://never.test/", { db: folder.file("a.db") });
      expect(run.seeds).toEqual(["https://never.test/"]);
    }
    expect(existsSync(folder.file("a.db"))).toBe(false);
  });

  test("with a seed that cannot be crawled makes no file", async () => {
    using folder = tempFolder();
    await using run = crawl("example.org", { db: folder.file("a.db") });
    await expect(run.result).rejects.toThrow(SetupError);
    expect(existsSync(folder.file("a.db"))).toBe(false);
  });

  test.each<[string, () => unknown, string]>([
    ["an unknown option", () => crawl("https://a.test/", { maxdepth: 3 } as object), "unknown option maxdepth in the options of crawl()"],
    ["an option of the run", () => createCrawler().run("https://a.test/", { maxDepth: -1 }), "maxDepth"],
  ])("a mistake is told at once: %s", (_, start, message) => {
    expect(start).toThrow(message);
  });
});

describe("a crawler", () => {
  test("has its options for every run, and those of the run are stronger", async () => {
    const site = fakeSite({ "/": '<a href="/a">a</a>', "/a": '<a href="/b">b</a>', "/b": "b" });
    const crawler = createCrawler({ maxDepth: 1, ...site.options });
    const events: RunEvent["type"][] = [];
    const pagesOf = async (more?: Parameters<typeof crawler.run>[1]) => {
      await using run = crawler.run(site.url, more);
      return (await run.result).stats.pages;
    };
    expect(await pagesOf()).toBe(2);
    expect(await pagesOf({ maxDepth: 2, onEvent: ({ type }) => events.push(type) })).toBe(3);
    expect(await pagesOf({ maxDepth: undefined })).toBe(2);
    expect(events.at(-1)).toBe("crawl.finished");
  });
});

describe("what is stored, with one call", () => {
  test("pages, changes, explanations and exports", async () => {
    using folder = tempFolder();
    const db = folder.file("a.db");
    const table: Record<string, string> = { "/": '<a href="/a">a</a><a href="/b">b</a>', "/a": "<p>first</p>", "/b": "<p>stays</p>" };
    const site = fakeSite(table);
    const once = async () => {
      await using run = crawl(site.url, { db, ...site.options });
      await run.result;
    };
    await once();
    const between = new Date(site.clock.wall() + 1000);
    site.clock.pass(86_400_000);
    table["/a"] = "<p>second and quite different</p>";
    await once();

    expect((await collect(pages(db))).map(({ url }) => new URL(url).pathname).sort()).toEqual(["/", "/a", "/b"]);
    expect((await collect(pages(db, { change: "changed", run: 2 }))).map(({ url }) => url)).toEqual(["https://site.test/a"]);
    expect(await collect(changes(db, { site: "site.test" }))).toMatchObject([{ url: "https://site.test/a", change: "changed", runId: 2 }]);
    expect(await collect(changes(db, { since: between }))).toHaveLength(1);
    // What the first crawl found is what later runs are compared with, and no news.
    expect(await collect(changes(db, { since: "2020-01-01" }))).toMatchObject([{ url: "https://site.test/a", change: "changed" }]);
    expect(await changeFeed(db, { since: "2020-01-01" })).toMatchObject({
      from: { id: 1 },
      firstCrawls: [{ url: "https://site.test/", run: { id: 1 }, pages: 3 }],
      counts: { new: 0, changed: 1 },
    });
    expect(await explain("https://site.test/a", { db })).toMatchObject({ verdict: "fetched", run: 2 });
    expect(await exportTo(folder.file("pages.jsonl"), { db })).toEqual({ file: folder.file("pages.jsonl"), records: 3 });
    expect(readFileSync(folder.file("pages.jsonl"), "utf8").trim().split("\n")).toHaveLength(3);
    expect((await exportTo(folder.file("changes.csv"), { db, what: "changes", run: 1 })).records).toBe(3);
    expect(readFileSync(folder.file("changes.csv"), "utf8").split("\r\n")).toHaveLength(5);
  });

  test("changes are those that were asked for, and unknown only if it is named", async () => {
    using folder = tempFolder();
    const db = folder.file("a.db");
    const table: Record<string, FakePage> = {
      "/": '<a href="/a">a</a><a href="/b">b</a><a href="/c">c</a>',
      "/a": "a",
      "/b": "b",
      "/c": "c",
    };
    const site = fakeSite(table);
    for (const more of [{}, { "/a": "quite another page", "/b": { status: 404 }, "/c": { status: 403 } }]) {
      Object.assign(table, more);
      await using run = crawl(site.url, { db, ...site.options });
      await run.result;
      site.clock.pass(86_400_000);
    }
    const listed = async (only?: readonly Change[]) => (await collect(changes(db, { only }))).map(({ change }) => change).sort();
    expect(await listed()).toEqual(["changed", "gone"]);
    expect(await listed(["gone"])).toEqual(["gone"]);
    expect(await listed(["changed", "unknown"])).toEqual(["changed", "unknown"]);
  });

  test("a signal ends a reading", async () => {
    using folder = tempFolder();
    const db = folder.file("a.db");
    const site = fakeSite({ "/": '<a href="/a">a</a>', "/a": "a" });
    await using run = crawl(site.url, { db, ...site.options });
    await run.result;
    await expect(collect(pages(db, { signal: AbortSignal.abort() }))).rejects.toThrow("aborted");
  });

  test.each<[string, (folder: ReturnType<typeof tempFolder>, db: string) => Promise<unknown>, string]>([
    ["pages with a mistyped name", () => collect(pages("no.db", { chnage: "new" } as object)), "unknown option chnage of pages()"],
    ["changes with a mistyped name", () => collect(changes("no.db", { sinec: "7d" } as object)), "unknown option sinec of changes()"],
    ["pages of a file that is not there", (folder) => collect(pages(folder.file("no.db"))), "there is no data file"],
    ["changes of a file that is not there", (folder) => collect(changes(folder.file("no.db"))), "there is no data file"],
    ["a site nobody knows", (_, db) => collect(pages(db, { site: "unknown.test" })), "no site matches unknown.test"],
    ["since a moment that is none", (_, db) => collect(changes(db, { since: "lately" })), "lately is neither a run nor a moment"],
    ["a file that exists", (folder, db) => exportTo(folder.file("there.csv"), { db }), "exists already"],
    ["a format that is none", (folder, db) => exportTo(folder.file("pages.doc"), { db }), "does not end in a format"],
  ])("a mistake changes nothing: %s", async (_, mistake, message) => {
    using folder = tempFolder();
    const db = folder.file("a.db");
    const site = fakeSite({ "/": "home" });
    await using run = crawl(site.url, { db, ...site.options });
    await run.result;
    await exportTo(folder.file("there.csv"), { db });
    const before = readFileSync(folder.file("there.csv"), "utf8");
    await expect(mistake(folder, db)).rejects.toThrow(message);
    expect(existsSync(folder.file("no.db"))).toBe(false);
    expect(readFileSync(folder.file("there.csv"), "utf8")).toBe(before);
  });
});
