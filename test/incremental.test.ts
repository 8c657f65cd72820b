import { type Change, changeFeed, type RunResult } from "nuthatch";
import { describe, expect, test } from "vitest";
import { summaryOf } from "../dist/src/features/changes/change-words.js";
import { tempFolder } from "./cli.ts";
import { crawl } from "./near-library.ts";
import { generatedSite, type PageSpec, serveSite } from "./site/index.ts";

const fast = { rateLimit: "none", perHost: 16, maxConcurrent: 16 } as const;

async function look(seed: string, db: string, options = {}): Promise<{ result: RunResult; changes: Map<string, Change> }> {
  const changes = new Map<string, Change>();
  await using run = crawl(seed, { ...fast, db, ...options });
  for await (const { url, change } of run) changes.set(new URL(url).pathname, change);
  return { result: await run.result, changes };
}

describe("a second run", () => {
  test("of 1,000 unchanged pages finds every one the same; then exactly what was changed, removed and unlinked", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const generated = generatedSite({ pages: 1000, links: 12, seed: 3, words: 40 });
    const site = await serveSite(generated.pages, { address: "127.0.2.1" });
    const seed = `${site.origin}/`;
    const first = await look(seed, db);
    expect(first.result.stats.changes).toMatchObject({ new: 1000, same: 0 });

    const second = await look(seed, db);
    expect(second.result.stats.changes).toEqual({ new: 0, changed: 0, same: 1000, gone: 0, unlinked: 0, unknown: 0 });
    expect(second.result.stats.notModified).toBe(1000);

    const late = generated.paths.slice(-400);
    const touched = new Set<string>();
    const changed = late.slice(0, 50);
    const removed = late.slice(100, 110);
    const unlinked = late.slice(200, 205);
    for (const path of changed) generated.mutate.change(path);
    for (const path of removed) for (const from of generated.mutate.remove(path)) touched.add(from);
    for (const path of unlinked) for (const from of generated.mutate.unlink(path)) touched.add(from);
    const gone = new Set([...removed, ...unlinked]);
    const expected = new Set([...changed, ...touched].filter((path) => !gone.has(path)));

    const third = await look(seed, db);
    const those = (status: Change) =>
      [...third.changes]
        .filter(([, change]) => change === status)
        .map(([path]) => path)
        .sort();
    expect(those("changed")).toEqual([...expected].sort());
    expect(third.result.stats.changes).toEqual({
      new: 0,
      changed: expected.size,
      same: 1000 - expected.size - 15,
      gone: 10,
      unlinked: 5,
      unknown: 0,
    });
    expect(those("unlinked")).toEqual([...unlinked].sort());
    await site.close();
  });

  test("an unfinished run never says gone", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const generated = generatedSite({ pages: 60, links: 5, seed: 5 });
    const site = await serveSite(generated.pages, { address: "127.0.2.2" });
    await look(`${site.origin}/`, db);
    generated.mutate.remove(generated.paths.at(-1)!);
    const { result } = await look(`${site.origin}/`, db, { maxPages: 20 });
    expect(result.stopReason).toBe("limit.pages");
    expect(result.stats.pages).toBe(20);
    expect(result.stats.changes.gone).toBe(0);
    expect(result.stats.changes.unknown).toBe(40);
    await site.close();
  });

  test("a limit that is met by the last page of the site leaves open what nobody names any more", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    let week = 1;
    const home = () => `<title>home</title><a href="/a">a</a>${week === 1 ? '<a href="/b">b</a>' : ""}`;
    const site = await serveSite({ "/": home, "/a": "<p>a</p>", "/b": "<p>b</p>" }, { address: "127.0.2.9" });
    await look(`${site.origin}/`, db);
    week = 2;
    const second = await look(`${site.origin}/`, db, { maxPages: 2 });
    expect(second.result).toMatchObject({ stopReason: "limit.pages", stats: { pages: 2, changes: { unlinked: 0, unknown: 1 } } });
    const third = await look(`${site.origin}/`, db, { maxPages: 3 });
    expect(third.result).toMatchObject({ stopReason: "finished", stats: { changes: { unlinked: 1, unknown: 0 } } });
    await site.close();
  });

  test("pages without validators are compared by their fingerprint, and noise outside the main text is no change", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    let day = 1;
    const noisy: Record<string, PageSpec> = {
      "/": () =>
        `<title>home</title><script>var t = ${day}</script><p>Words that stay as they are.</p><a href="/b" class="x${day}">b</a><footer>Served in ${day} ms</footer>`,
      "/b": () => `<title>b</title><p>Today is day ${day} of the fair.</p>`,
    };
    const site = await serveSite(noisy, { address: "127.0.2.3" });
    await look(`${site.origin}/`, db);
    day = 2;
    const { changes } = await look(`${site.origin}/`, db);
    expect(Object.fromEntries(changes)).toEqual({ "/": "same", "/b": "changed" });
    await site.close();
  });

  test("a page that errs is unknown, a page that moved has changed once, a 404 is gone once", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    let week = 1;
    const site = await serveSite(
      {
        "/": '<title>home</title><a href="/errs">errs</a><a href="/moves">moves</a><a href="/goes">goes</a>',
        "/errs": () => (week === 1 ? "<p>fine for now</p>" : { status: 403 }),
        "/moves": () => (week === 1 ? "<p>still here</p>" : { status: 301, headers: { location: "/there" } }),
        "/goes": () => (week === 1 ? "<p>not for long</p>" : { status: 404 }),
        "/there": "<p>the new place</p>",
      },
      { address: "127.0.2.4" },
    );
    await look(`${site.origin}/`, db);
    week = 2;
    const second = await look(`${site.origin}/`, db);
    expect(second.result.stats.changes).toMatchObject({ new: 1, changed: 1, same: 1, gone: 1, unknown: 1 });
    const third = await look(`${site.origin}/`, db);
    expect(third.result.stats.changes).toMatchObject({ new: 0, changed: 0, gone: 0, unknown: 1 });
    await site.close();
  });

  test("a page that comes back has changed, and is told to be there again whether it says the same or not", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    let week = 1;
    const site = await serveSite(
      {
        "/": '<title>home</title><a href="/pool">pool</a><a href="/bath">bath</a>',
        "/pool": () => (week === 2 ? { status: 404 } : "<title>Pool</title><p>Open from nine to five.</p>"),
        "/bath": () => (week === 2 ? { status: 410 } : `<title>Bath</title><p>Open from ${week} to five.</p>`),
      },
      { address: "127.0.2.4" },
    );
    for (week = 1; week <= 3; week++) await look(`${site.origin}/`, db);
    const { counts, pages } = await changeFeed(db);
    expect(counts).toMatchObject({ new: 0, changed: 2 });
    const lines = pages.map((page) => [page.title, page.detail, summaryOf(page)]);
    expect(lines).toEqual([
      ["Bath", "was gone, and is there again", "was gone, and is there again, 2 words changed"],
      ["Pool", "was gone, and is there again", "was gone, and is there again"],
    ]);
    await site.close();
  });

  test("a change of the options that make readings is not taken for a change of the pages", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const site = await serveSite(
      {
        "/": '<title>home</title><p>Some words here.</p><a href="/b?session=1&x=2">b</a><a href="http://else.test/?y=1&x=2">else</a>',
        "/b": "<p>All the b there is.</p>",
      },
      { address: "127.0.2.5" },
    );
    await look(`${site.origin}/`, db);
    const { result } = await look(`${site.origin}/`, db, { sortParams: true, embeddedLinks: "off" });
    expect(result.stats.changes).toMatchObject({ new: 0, changed: 0, same: 2 });
    const again = await look(`${site.origin}/`, db, { sortParams: true, embeddedLinks: "off" });
    expect(again.result.stats.changes).toMatchObject({ new: 0, changed: 0, same: 2 });
    await site.close();
  });
});
