import { afterAll, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { query } from "./faults/ledger.ts";
import { startDatabase } from "./workers/database.ts";
import { hire, untilAsked } from "./workers/fleet.ts";
import { judge } from "./workers/judge.ts";
import { differences, rowsOf } from "./workers/rows.ts";
import { startManyHosts } from "./workers/site.ts";

const PACE = 50;
const CONCURRENCY = 4;
const options = ["--rate-limit", `${1000 / PACE}/s`, "--order", "breadth", "-k", "bridge", "-k", "old harbour=0.5"];

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/** In full, with other faults: npm run test:workers. */
test("three at one database, one of which is killed, leave what one leaves in a file, and keep every host's pace", async () => {
  const folder = tempFolder();
  const file = folder.file("site.db");
  const [database, site] = await Promise.all([startDatabase(), startManyHosts({ hosts: 20, pages: 15 })]);
  const crew = hire({ maxConcurrent: CONCURRENCY, lease: 10_000 });
  closers.push(folder[Symbol.dispose], database.close, site.close, crew.dismiss);
  const url = (await database.create("three"))();
  const crawl = crew.crawl(url, site, options);
  const [first] = ["first", "second"].map((name) => crew.worker(url, name));
  await untilAsked(site, 100, crew);
  first!.kill("SIGKILL");
  const { code, stderr } = await crawl.ended;
  expect(code, stderr).toBe(0);
  const { missing, foreign, repeats, closest } = await judge(site);
  expect({ missing, foreign }).toEqual({ missing: [], foreign: [] });
  expect(repeats).toBeLessThanOrEqual(CONCURRENCY);
  expect(closest).toBeGreaterThanOrEqual(PACE);
  const shared = await rowsOf((sql) => database.query("three", sql));
  expect(shared.pages).toHaveLength(site.pages.length);

  const alone = await crew.crawl(file, site, options).ended;
  expect(alone.code, alone.stderr).toBe(0);
  expect(differences(await rowsOf((sql) => query(file, sql)), shared)).toEqual([]);
  expect(crew.losses).toEqual([]);
}, 180_000);
