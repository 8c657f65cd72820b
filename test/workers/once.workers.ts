import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Database, startDatabase } from "./database.ts";
import { type Crew, hire } from "./fleet.ts";
import { judge } from "./judge.ts";
import { type ManyHosts, startManyHosts } from "./site.ts";

const PACE = 100;
let database: Database;
let site: ManyHosts;
let crew: Crew;

beforeAll(async () => {
  [database, site] = await Promise.all([startDatabase(), startManyHosts({ hosts: 200, pages: 100 })]);
});
afterEach(() => crew.dismiss());
afterAll(async () => {
  site.close();
  await database.close();
});

test("four at work, 200 hosts, 20,000 pages: each is asked for once, and no host sooner than its pace", async () => {
  const url = await database.create("once");
  crew = hire({ maxConcurrent: 10 });
  const crawl = crew.crawl(url(), site, ["--rate-limit", `${1000 / PACE}/s`]);
  for (const name of ["second", "third", "fourth"]) crew.worker(url(), name);
  const { code, stdout, stderr } = await crawl.ended;
  expect(code, stderr).toBe(0);
  const { missing, foreign, repeats, closest } = await judge(site);
  expect({ missing, foreign, repeats }).toEqual({ missing: [], foreign: [], repeats: 0 });
  expect(closest, "pace").toBeGreaterThanOrEqual(PACE);
  expect(JSON.parse(stdout).stats).toMatchObject({ pages: site.pages.length, redirects: 2000, gone: 2000, failed: 0 });
  const [{ pages }] = (await database.query("once", "SELECT count(*)::int AS pages FROM page WHERE version_id IS NOT NULL")) as [
    { pages: number },
  ];
  expect(pages).toBe(site.pages.length);
  expect(pages).toBeGreaterThanOrEqual(20_000);
  expect(crew.losses).toEqual([]);
});
