import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { tempFolder } from "../cli.ts";
import { query } from "../faults/ledger.ts";
import { type Database, startDatabase } from "./database.ts";
import { type Crew, hire } from "./fleet.ts";
import { differences, type Rows, rowsOf } from "./rows.ts";
import { type ManyHosts, startManyHosts } from "./site.ts";

const options = ["--rate-limit", "20/s", "--order", "breadth", "-k", "bridge", "-k", "old harbour=0.5"];
let database: Database;
let site: ManyHosts;
let crew: Crew;
let inFile: Rows;

beforeAll(async () => {
  [database, site] = await Promise.all([startDatabase(), startManyHosts({ hosts: 40, pages: 25 })]);
  using folder = tempFolder();
  const file = folder.file("site.db");
  crew = hire({ maxConcurrent: 10 });
  const { code, stderr } = await crew.crawl(file, site, options).ended;
  expect(code, stderr).toBe(0);
  inFile = await rowsOf((sql) => query(file, sql));
}, 300_000);
afterEach(() => crew.dismiss());
afterAll(async () => {
  site.close();
  await database.close();
});

test("what is compared is not nothing", () => {
  expect(Object.fromEntries(Object.entries(inFile).map(([part, lines]) => [part, lines.length]))).toMatchObject({
    ...{ pages: site.pages.length, changes: site.pages.length, counts: 40 },
    ...{ links: expect.toSatisfy((links: number) => links > 500), scores: expect.toSatisfy((scores: number) => scores > 300) },
  });
});

test.each([
  ["one worker leaves in PostgreSQL what it leaves in a file", "alone", 0],
  ["four do so too, page by page, link by link, and for every URL its verdict and reason", "four", 3],
])("%s", async (_, name, others) => {
  const url = await database.create(name);
  crew = hire({ maxConcurrent: 10 });
  const crawl = crew.crawl(url(), site, options);
  for (let other = 1; other <= others; other++) crew.worker(url(), `worker ${other}`);
  const { code, stderr } = await crawl.ended;
  expect(code, stderr).toBe(0);
  expect(differences(inFile, await rowsOf((sql) => database.query(name, sql)))).toEqual([]);
});
