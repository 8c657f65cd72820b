import { describe, expect, test } from "vitest";
import { openSqlite } from "../dist/src/store/index.js";
import { nuthatch, start, tempFolder } from "./cli.ts";
import { generatedSite, serveSite } from "./site/index.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function storedPages(db: string): Promise<{ pages: string[]; integrity: string; runs: number }> {
  const store = openSqlite(db);
  const pages: string[] = [];
  for await (const { url } of store.pages({})) pages.push(new URL(url).pathname);
  const integrity = await store.check();
  const runs = (await store.runs({})).length;
  await store.close();
  return { pages, integrity, runs };
}

describe("nothing settled is lost, nothing is asked twice", () => {
  test("SIGKILL at five random moments of a 1,000-page crawl, restarted each time: exactly 1,000 pages", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const generated = generatedSite({ pages: 1000, links: 8, seed: 11, words: 30 });
    const site = await serveSite(generated.pages, { address: "127.0.3.1", latency: 20 });
    const concurrency = 4;
    const args = [
      "crawl",
      `${site.origin}/`,
      "--db",
      db,
      "--rate-limit",
      "200/s",
      "--per-host",
      String(concurrency),
      "--max-concurrent",
      String(concurrency),
      "-q",
    ];
    let asked = 0;
    for (let kill = 0; kill < 5; kill++) {
      const run = start(args);
      // Killed only once it is at work, and at a moment that differs from run to run.
      const before = site.log.length;
      while (site.log.length < before + 5) await sleep(5);
      await sleep(Math.random() * 700);
      run.kill("SIGKILL");
      const { signal } = await run.ended;
      expect(signal, "every kill hits a crawl at work").toBe("SIGKILL");
      expect(site.log.length, "every start makes progress").toBeGreaterThan(asked);
      asked = site.log.length;
    }
    const last = await nuthatch(args);
    expect(last.code, last.stderr).toBe(0);
    const { pages, integrity, runs } = await storedPages(db);
    expect(integrity).toBe("ok");
    expect(runs, "one run, resumed").toBe(1);
    expect(pages.sort()).toEqual([...generated.paths].sort());
    const fetched = site.log.filter(({ path }) => path !== "/robots.txt").length;
    expect(fetched - 1000, "repeats").toBeLessThanOrEqual(5 * concurrency);
    await site.close();
  });

  test("SIGTERM repeats nothing at all", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const generated = generatedSite({ pages: 300, links: 6, seed: 12, words: 30 });
    const site = await serveSite(generated.pages, { address: "127.0.3.2", latency: 10 });
    const args = ["crawl", `${site.origin}/`, "--db", db, "--rate-limit", "200/s", "--per-host", "3", "-q"];
    for (let stop = 0; stop < 3; stop++) {
      const run = start(args);
      const before = site.log.length;
      while (site.log.length < before + 5) await sleep(5);
      await sleep(Math.random() * 200);
      run.kill("SIGTERM");
      expect((await run.ended).code).toBe(143);
    }
    expect((await nuthatch(args)).code).toBe(0);
    const { pages } = await storedPages(db);
    expect(pages.sort()).toEqual([...generated.paths].sort());
    const paths = site.log.map(({ path }) => path);
    expect(paths).toHaveLength(new Set(paths).size);
    await site.close();
  });
});
