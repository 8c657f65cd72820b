import { closeSync, existsSync, openSync, readdirSync, statSync, writeFileSync, writeSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCHEMA_VERSION } from "../src/store/sqlite/schema/schema.ts";
import { nuthatch, start, tempFolder } from "./cli.ts";
import { atWork } from "./faults/at-work.ts";
import { nuthatchHere } from "./in-process.ts";
import { generatedSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const db = folder.file("nuthatch.db");
const run = (...args: string[]) => nuthatchHere(args, { cwd: folder.path });
const change = (path: string, sql: string) => {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
};

beforeAll(async () => {
  const site = await serveSite(generatedSite({ pages: 60, links: 5, seed: 9, words: 200 }).pages, { address: "127.0.34.41" });
  expect((await nuthatchHere(["crawl", `${site.origin}/`, "--rate-limit", "none", "-q"], { cwd: folder.path })).code).toBe(0);
  await site.close();
});
afterAll(() => folder[Symbol.dispose]());

test("db path tells where the data file is, and makes none", async () => {
  expect((await run("db", "path")).stdout).toBe(`${db}\n`);
  using empty = tempFolder();
  const { stdout } = await nuthatchHere(["db", "path", "--json"], { cwd: empty.path });
  expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, path: empty.file("nuthatch.db"), exists: false, bytes: null });
  expect((await nuthatchHere(["db", "path"], { cwd: empty.path, env: { NUTHATCH_DB: "/tmp/other.db" } })).stdout).toBe("/tmp/other.db\n");
  expect(readdirSync(empty.path)).toEqual([]);
});

test.each([
  ["no verb", ["db"], /missing required argument/],
  ["a verb nobody knows", ["db", "chekc"], /did you mean nuthatch db check\?/],
  ["a file where none is needed", ["db", "check", "x.db"], /takes no file/],
  ["no data file", ["db", "check", "--db", "none.db"], /no data file none\.db/],
  ["a backup over a file", ["db", "backup", "kept"], /kept exists already\n {2}try: choose another name/],
  ["a backup into a folder that is not there", ["db", "backup", "none/x.db"], /cannot be written/],
] as [string, string[], RegExp][])("%s is refused", async (_, args, message) => {
  writeFileSync(folder.file("kept"), "mine");
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
  expect(existsSync(folder.file("none.db"))).toBe(false);
});

describe("db check", () => {
  test("finds nothing wrong with a file that is sound", async () => {
    const { code, stdout } = await run("db", "check", "--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { isSound: true, problems: [], sites: 1, runs: 1, pages: 60, schema: SCHEMA_VERSION },
    ]);
  });

  test.each([
    ["a counter that lies", "UPDATE run SET counters = json_set(counters, '$.pages', 61)", "run 1 says pages 61, its ledger says 60"],
    ["a row of the ledger that is lost", "DELETE FROM decision WHERE id = 7", "run 1 says pages 60, its ledger says 59"],
    [
      "a URL that was forgotten",
      "UPDATE decision SET verdict = 'queued', seq = NULL WHERE id = 7",
      "run 1 is finished, but 1 URLs still wait",
    ],
    ["a version that is lost", "DELETE FROM page_version WHERE id = 7", "1 pages name a version that is not there"],
    [
      "a page without its site",
      "PRAGMA foreign_keys = OFF; UPDATE page SET site_id = 9 WHERE id < 3",
      "2 rows of page name a site that is not there",
    ],
    ["an index that is lost", "DROP INDEX decision_hash", "the index decision_hash is missing"],
  ])("names %s, and exits with 5", async (_, sql, problem) => {
    using own = tempFolder();
    expect((await run("db", "backup", own.file("x.db"))).code).toBe(0);
    change(own.file("x.db"), sql);
    const { code, stdout, stderr } = await run("db", "check", "--db", own.file("x.db"));
    expect(code).toBe(5);
    expect([stdout, stderr]).toEqual([expect.stringMatching(/is not sound:\n[\s\S]*try: keep a copy/), ""]);
    expect(stdout).toContain(`  ${problem}\n`);
  });

  test("names a file whose bytes were damaged", async () => {
    using own = tempFolder();
    await run("db", "backup", own.file("x.db"));
    const file = openSync(own.file("x.db"), "r+");
    writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, 20 * 4096);
    closeSync(file);
    const { code, stderr } = await run("db", "check", "--db", own.file("x.db"));
    expect([code, stderr]).toEqual([5, expect.stringMatching(/x\.db.*(is damaged|malformed).*\n {2}try: /)]);
  });
});

test("db vacuum gives room back, and tells how much", async () => {
  using own = tempFolder();
  await run("db", "backup", own.file("x.db"));
  change(own.file("x.db"), "DELETE FROM body WHERE id > 5");
  const { stdout } = await run("db", "vacuum", "--json", "--db", own.file("x.db"));
  const { before, after } = JSON.parse(stdout) as { before: number; after: number };
  expect(after).toBeLessThan(before);
  expect(statSync(own.file("x.db")).size).toBe(after);
});

describe("db backup", () => {
  test("is whole, though a crawl is under way, and so is the file; the crawl carries on", async () => {
    using own = tempFolder();
    const generated = generatedSite({ pages: 200, links: 6, seed: 10, words: 60 });
    const site = await serveSite(generated.pages, { address: "127.0.34.42", latency: 5 });
    const crawl = start(["crawl", `${site.origin}/`, "--rate-limit", "100/s", "--json"], { cwd: own.path });
    await atWork(crawl, site, 20);
    const copies = [
      await nuthatch(["db", "backup", "a.db"], { cwd: own.path }),
      await nuthatchHere(["db", "backup", "--json"], { cwd: own.path }),
    ];
    expect(copies.map(({ code }) => code)).toEqual([0, 0]);
    for (let times = 0; times < 3; times++) {
      const { code, stdout } = await nuthatchHere(["db", "check"], { cwd: own.path });
      expect([code, stdout]).toEqual([0, expect.stringContaining("is sound")]);
    }
    const { path } = JSON.parse(copies[1]!.stdout) as { path: string };
    expect(path).toMatch(/^nuthatch\.db\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.bak$/);
    const ended = await crawl.ended;
    expect([ended.code, JSON.parse(ended.stdout).stats.pages]).toEqual([0, 200]);
    for (const copy of ["a.db", path]) {
      const checked = await nuthatchHere(["db", "check", "--db", copy, "--json"], { cwd: own.path });
      expect(JSON.parse(checked.stdout)).toMatchObject({ isSound: true, runs: 1 });
    }
    expect(readdirSync(own.path).filter((name) => name.endsWith(".part"))).toEqual([]);
    await site.close();
  });

  test("leaves nothing behind when it fails", async () => {
    using own = tempFolder();
    // The copy under way has a longer name than it will have, and this is as long as a name can be.
    const { code, stderr } = await run("db", "backup", own.file("x".repeat(255)));
    expect([code, stderr]).toEqual([5, expect.stringMatching(/no copy can be made: .*\n {2}try: check the folder/)]);
    expect(readdirSync(own.path)).toEqual([]);
  });
});
