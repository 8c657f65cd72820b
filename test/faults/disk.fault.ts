import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, test } from "vitest";
import { nuthatch, start, tempFolder } from "../cli.ts";
import { generatedSite, serveSite } from "../site/index.ts";
import { atWork } from "./at-work.ts";
import { isSound, pathsOf, recount } from "./ledger.ts";

const MB = 1024 ** 2;
const isRoot = process.getuid?.() === 0;
const preload = (file: string) => ({ NODE_OPTIONS: `--import=${new URL(file, import.meta.url).href}` });
const nobody = isRoot ? preload("./as-nobody.mjs") : {};

const crawl = (origin: string, db: string) => [
  "crawl",
  `${origin}/`,
  "--db",
  db,
  "-q",
  "--json",
  "--rate-limit",
  "none",
  "--per-host",
  "3",
];
const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

describe("a disk that is full", () => {
  test.skipIf(!isRoot)("stops the run with a clear word; when there is room again the same command completes it [needs root]", async () => {
    using folder = tempFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", folder.path]);
    try {
      const db = folder.file("site.db");
      writeFileSync(folder.file("filler"), Buffer.alloc(42 * MB));
      const generated = generatedSite({ pages: 3000, links: 10, seed: 31, words: 300 });
      const site = await serveSite(generated.pages, { address: "127.0.32.1" });
      const stopped = await nuthatch(crawl(site.origin, db));
      expect(stopped.stderr).toMatch(/disk is full|disk I\/O error/);
      expect(stopped.stderr).toContain("run the same command again");
      expect(stopped.code).toBe(5);
      const asked = site.log.length;
      expect(asked).toBeGreaterThan(40);

      const again = await nuthatch(crawl(site.origin, db));
      expect(again.code, "still full: says so again").toBe(5);
      rmSync(folder.file("filler"));
      isSound(db);
      const settled = pathsOf(db);
      expect(settled.length).toBeGreaterThan(40);

      const completed = await nuthatch(crawl(site.origin, db));
      expect(completed.code, completed.stderr).toBe(0);
      isSound(db);
      expect(pathsOf(db)).toEqual(generated.paths.toSorted());
      expect(JSON.parse(completed.stdout).stats).toMatchObject(recount(db));
      const after = new Set(site.log.slice(asked + 6).map(({ path }) => path));
      expect(
        settled.filter((path) => after.has(path)),
        "what was settled is not asked for again",
      ).toEqual([]);
      await site.close();
    } finally {
      execFileSync("umount", ["-l", folder.path]);
    }
  });

  test("a write that fails in mid-crawl (a limit on the size of files) ends in the same way", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const generated = generatedSite({ pages: 1500, links: 10, seed: 32, words: 200 });
    const site = await serveSite(generated.pages, { address: "127.0.32.2" });
    const run = start(crawl(site.origin, db));
    await atWork(run, site, 200);
    execFileSync("prlimit", ["--pid", String(run.pid), `--fsize=${Math.floor(statSync(`${db}-wal`).size / 2)}`]);
    const stopped = await run.ended;
    expect(stopped.stderr).toMatch(/disk I\/O error|disk is full/);
    expect(stopped.code).toBe(5);
    isSound(db);
    const completed = await nuthatch(crawl(site.origin, db));
    expect(completed.code, completed.stderr).toBe(0);
    expect(pathsOf(db)).toEqual(generated.paths.toSorted());
    expect(JSON.parse(completed.stdout).stats).toMatchObject(recount(db));
    await site.close();
  });
});

/** A small crawl, whose file is then damaged. */
async function finishedCrawl(folder: string, address: string) {
  const db = join(folder, "site.db");
  const generated = generatedSite({ pages: 60, links: 8, seed: 33, words: 100 });
  const site = await serveSite(generated.pages, { address });
  expect((await nuthatch(crawl(site.origin, db))).code).toBe(0);
  const asked = site.log.length;
  return { db, site, asked };
}

describe("a data file that cannot be written", () => {
  const ways: [string, (db: string, folder: string) => void][] = [
    ["the file is read-only", (db) => chmodSync(db, 0o444)],
    [
      "the folder is read-only",
      (db, folder) => {
        chmodSync(db, 0o444);
        chmodSync(folder, 0o555);
      },
    ],
  ];
  test.each(ways)("%s", async (_, close) => {
    using folder = tempFolder();
    const { db, site, asked } = await finishedCrawl(folder.path, "127.0.32.3");
    const before = digest(db);
    chmodSync(folder.path, 0o777);
    close(db, folder.path);
    const startedAt = performance.now();
    const ended = await nuthatch(crawl(site.origin, db), { env: nobody });
    chmodSync(folder.path, 0o777);
    expect(ended.stderr).toMatch(/readonly|unable to open/);
    expect(ended.stderr).toMatch(/try: .*writ/);
    expect(ended.code).toBe(5);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(site.log.length, "nothing was asked").toBe(asked);
    expect(digest(db)).toBe(before);
    await site.close();
  });

  test("it is a folder, or its folder is not there", async () => {
    using folder = tempFolder();
    mkdirSync(folder.file("a.db"));
    for (const [path, why] of [
      ["a.db", /is a (?:folder|directory)|unable to open database file|EISDIR/],
      ["nowhere/a.db", /no such file or directory/],
    ] as const) {
      const ended = await nuthatch(crawl("http://127.0.32.4:9", folder.file(path)));
      expect(ended.stderr).toMatch(why);
      expect(ended.stderr).toContain("try: ");
      expect(ended.code).toBe(5);
    }
    expect(statSync(folder.file("a.db")).isDirectory()).toBe(true);
  });
});

describe("a data file that was damaged is said to be so, and not overwritten", () => {
  const garbage = (length: number) => Buffer.alloc(length, "\xa5\x5a\x00\xff\x13\x37", "latin1");
  const pageAt = (bytes: Buffer, part: number) => 4096 * Math.floor((bytes.length * part) / 4096);
  const over = (bytes: Buffer, at: number, length: number) =>
    Buffer.concat([bytes.subarray(0, at), garbage(length), bytes.subarray(at + length)]);
  const damages: [string, (bytes: Buffer) => Buffer][] = [
    ["its first bytes", (bytes) => over(bytes, 0, 16)],
    ["its page size", (bytes) => over(bytes, 16, 2)],
    ["its list of tables", (bytes) => over(bytes, 100, 600)],
    ["the middle third", (bytes) => over(bytes, pageAt(bytes, 1 / 3), 4096 * Math.floor(bytes.length / 3 / 4096))],
    ...[0.1, 0.3, 0.5, 0.7, 0.95].map((part): [string, (bytes: Buffer) => Buffer] => [
      `one page, ${100 * part} % into the file`,
      (bytes) => over(bytes, pageAt(bytes, part), 4096),
    ]),
    ["cut in half", (bytes) => bytes.subarray(0, pageAt(bytes, 0.5))],
    ["cut to nothing but a header", (bytes) => bytes.subarray(0, 100)],
    ["another program's file", () => Buffer.from("%PDF-1.7\n".repeat(2000))],
  ];
  test.each(damages)("%s", async (_, damage) => {
    using folder = tempFolder();
    const { db, site, asked } = await finishedCrawl(folder.path, "127.0.32.5");
    const copy = folder.file("copy.db");
    copyFileSync(db, copy);
    writeFileSync(copy, damage(readFileSync(copy)));
    const before = digest(copy);
    const ended = await nuthatch(crawl(site.origin, copy));
    expect.soft(ended.stderr).toMatch(/damaged|malformed|not a database/);
    expect.soft(ended.stderr).toContain("move the file away and start anew, or restore a copy");
    expect.soft(ended.code).toBe(5);
    expect.soft(digest(copy)).toBe(before);
    expect.soft(site.log.length, "nothing was asked").toBe(asked);
    await site.close();
  });

  test("links of a page that cannot be unpacked", async () => {
    using folder = tempFolder();
    const { db, site, asked } = await finishedCrawl(folder.path, "127.0.32.7");
    const database = new DatabaseSync(db);
    database.exec("UPDATE page_version SET links = x'ffffffffffff'");
    database.close();
    const ended = await nuthatch(crawl(site.origin, db));
    expect(ended.stderr).toContain("move the file away and start anew, or restore a copy");
    expect(ended.code).toBe(5);
    expect(site.log.length - asked, "it ends at once").toBeLessThan(10);
    await site.close();
  });

  test("a single flipped byte anywhere ends in a crawl or in a sentence, never in a crash", async () => {
    using folder = tempFolder();
    const { db, site } = await finishedCrawl(folder.path, "127.0.32.6");
    const whole = readFileSync(db);
    for (let flip = 0; flip < 12; flip++) {
      const bytes = Buffer.from(whole);
      const at = flip < 4 ? 100 + Math.floor(Math.random() * 3000) : Math.floor(Math.random() * bytes.length);
      bytes[at] = bytes[at]! ^ (1 << Math.floor(Math.random() * 8));
      const copy = folder.file(`${flip}.db`);
      writeFileSync(copy, bytes);
      const ended = await nuthatch(crawl(site.origin, copy));
      expect([0, 1, 5], `byte ${at}: ${ended.stderr}`).toContain(ended.code);
      if (ended.code !== 0) expect(ended.stderr).toMatch(/^nuthatch: .*\n {2}try: /);
    }
    await site.close();
  });
});
