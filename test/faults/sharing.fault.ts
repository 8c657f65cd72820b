import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, test } from "vitest";
import { nuthatch, start, tempFolder } from "../cli.ts";
import { gaps, generatedSite, type RunningSite, serveSite } from "../site/index.ts";
import { atWork } from "./at-work.ts";
import { isSound, pathsOf, recount } from "./ledger.ts";
import { mostWithin } from "./pace.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const PACE = 50;
const crawl = (site: RunningSite, db: string) => {
  const pace = ["--rate-limit", `${1000 / PACE}/s`, "--per-host", "3"];
  return ["crawl", `${site.origin}/`, "--db", db, "-q", "--json", ...pace];
};

/** Another program that holds the file. In WAL mode others could still read; so that they cannot, it takes the file for itself. */
function lock(db: string, how: "writing" | "alone"): () => void {
  const other = new DatabaseSync(db);
  other.exec(`PRAGMA busy_timeout = 5000; ${how === "alone" ? "PRAGMA locking_mode = EXCLUSIVE; " : ""}BEGIN EXCLUSIVE`);
  return () => {
    other.exec("ROLLBACK");
    other.close();
  };
}

describe("a data file that another program holds", () => {
  test.each([
    ["once, for seconds", 3000, 1],
    ["often, for an instant", 300, 10],
  ])("in mid-crawl, %s: the crawl carries on at its pace", async (_, held, times) => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const generated = generatedSite({ pages: 120, links: 8, seed: 41, words: 40 });
    const site = await serveSite(generated.pages, { address: "127.0.33.1", latency: 60 });
    const run = start(crawl(site, db));
    await atWork(run, site, 20);
    for (let time = 0; time < times; time++) {
      const letGo = lock(db, "writing");
      await sleep(held);
      letGo();
      await sleep(Math.random() * 100);
    }
    const ended = await run.ended;
    expect(ended.code, ended.stderr).toBe(0);
    expect(pathsOf(db)).toEqual(generated.paths.toSorted());
    expect(site.log.map(({ path }) => path)).toHaveLength(121);
    expect(Math.min(...gaps(site.log)), "no burst afterwards").toBeGreaterThanOrEqual(PACE / 5);
    expect(mostWithin(site.log, 1000)).toBeLessThanOrEqual(1000 / PACE + 1);
    expect(JSON.parse(ended.stdout).stats).toMatchObject(recount(db));
    await site.close();
  });

  test("in mid-crawl, and does not let go: says so, and nothing is lost", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const generated = generatedSite({ pages: 120, links: 8, seed: 42, words: 40 });
    const site = await serveSite(generated.pages, { address: "127.0.33.2", latency: 20 });
    const run = start(crawl(site, db));
    await atWork(run, site, 20);
    const letGo = lock(db, "writing");
    const lockedAt = performance.now();
    const ended = await run.ended;
    expect(ended.stderr).toContain("database is locked");
    expect(ended.stderr).toContain("another program holds the file");
    expect(ended.code).toBe(5);
    expect(performance.now() - lockedAt, "it waited").toBeGreaterThan(4000);
    expect(performance.now() - lockedAt, "but not for ever").toBeLessThan(60_000);
    letGo();
    isSound(db);
    const settled = pathsOf(db);
    const asked = site.log.length;
    const completed = await nuthatch(crawl(site, db));
    expect(completed.code, completed.stderr).toBe(0);
    expect(pathsOf(db)).toEqual(generated.paths.toSorted());
    expect(JSON.parse(completed.stdout).stats).toMatchObject(recount(db));
    const after = new Set(site.log.slice(asked).map(({ path }) => path));
    expect(
      settled.filter((path) => after.has(path)),
      "what was settled is not asked for again",
    ).toEqual([]);
    expect(mostWithin(site.log, 1000)).toBeLessThanOrEqual(1000 / PACE + 1);
    await site.close();
  });

  test.each(["writing", "alone"] as const)("at the start (%s): waits, then says so; nothing is asked", async (how) => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const site = await serveSite(generatedSite({ pages: 10, links: 4, seed: 43 }).pages, { address: "127.0.33.3" });
    expect((await nuthatch(crawl(site, db))).code).toBe(0);
    const asked = site.log.length;
    const letGo = lock(db, how);
    const startedAt = performance.now();
    const refused = await nuthatch(crawl(site, db));
    const waited = performance.now() - startedAt;
    expect(refused.stderr).toContain("database is locked");
    expect(refused.code).toBe(5);
    expect(site.log).toHaveLength(asked);
    expect(waited).toBeGreaterThan(4500);
    expect(waited).toBeLessThan(15_000);

    const patient = start(crawl(site, db));
    await sleep(2000);
    letGo();
    const ended = await patient.ended;
    expect(ended.code, ended.stderr).toBe(0);
    await site.close();
  });
});

test("two processes on one site: the second names the run and the process, and takes over once the first is dead", async () => {
  using folder = tempFolder();
  const db = folder.file("site.db");
  const generated = generatedSite({ pages: 150, links: 8, seed: 44, words: 40 });
  const site = await serveSite(generated.pages, { address: "127.0.33.4", latency: 20 });
  const first = start(crawl(site, db));
  await atWork(first, site, 10);
  const second = await nuthatch(crawl(site, db));
  expect(second.stderr).toMatch(new RegExp(`run 1 of .* is still at work \\(process ${first.pid}\\)`));
  expect(second.code).toBe(5);

  first.kill("SIGKILL");
  await first.ended;
  const heir = start(crawl(site, db));
  const startedAt = performance.now();
  await atWork(heir, site, 1);
  expect(performance.now() - startedAt, "at once").toBeLessThan(2000);
  const ended = await heir.ended;
  expect(ended.code, ended.stderr).toBe(0);
  expect(pathsOf(db)).toEqual(generated.paths.toSorted());
  expect(JSON.parse(ended.stdout)).toMatchObject({ run: 1, stats: recount(db) });
  expect(mostWithin(site.log, 1000), "the pace holds over the change").toBeLessThanOrEqual(1000 / PACE + 1);
  expect(site.log.length - 151).toBeLessThanOrEqual(3);
  await site.close();
});
