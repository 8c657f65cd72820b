import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrations, SCHEMA_VERSION } from "../src/store/sqlite/schema/schema.ts";
import { version1 } from "../src/store/sqlite/schema/version-1.ts";
import { nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";

const folder = tempFolder();
const first = folder.file("first.db");
const PAGES = 1500;

const query = (path: string, sql: string) => {
  const db = new DatabaseSync(path);
  try {
    return db.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    db.close();
  }
};
const versionOf = (path: string) => query(path, "PRAGMA user_version")[0]!.user_version;
const columnsOf = (path: string, table: string) => query(path, `PRAGMA table_info(${table})`).map(({ name }) => name);
/** Of all that the first release wrote. */
const digest = (path: string) => {
  const tables = ["site", "host", "page", "page_version", "body", "decision", "change"];
  const rows = tables.map((table) => query(path, `SELECT ${columnsOf(first, table)} FROM ${table} ORDER BY 1, 2`));
  return createHash("sha256").update(JSON.stringify(rows)).digest("hex");
};

/** A file as the first release left it, with a finished run in it. */
beforeAll(() => {
  const db = new DatabaseSync(first);
  db.exec(`PRAGMA journal_mode = WAL; ${version1}; PRAGMA user_version = 1;
    INSERT INTO meta VALUES ('hash_seed', '00112233445566778');
    INSERT INTO site VALUES (1, 'site-1', 'http://127.0.34.9/', 'http://127.0.34.9/', 1);
    INSERT INTO host (id, name) VALUES (1, '127.0.34.9');
    INSERT INTO run (id, uid, status, stop_reason, started_at, ended_at, seeds, options, counters)
      VALUES (1, 'run-1', 'finished', 'finished', 1, 2, '["http://127.0.34.9/"]', '{}',
        '{"pages":${PAGES},"fetched":${PAGES},"notModified":0,"redirects":0,"gone":0,"refused":0,"failed":0,"bytes":9,"changes":{"new":${PAGES},"changed":0,"same":0,"gone":0,"unlinked":0,"unknown":0},"skipped":{},"status":{"2xx":${PAGES}},"scripted":0}');
    UPDATE run SET seq = ${PAGES};
    INSERT INTO run_site VALUES (1, 1, 0);
    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${PAGES}) SELECT i FROM n;
    INSERT INTO body (id, hash, size, coding, data) SELECT i, 'body-' || i, 1000, 'identity', randomblob(1000) FROM n;
    INSERT INTO page (id, uid, site_id, hash, host_id, url, depth, via, status, change, run_id, seq, first_run_id, first_seen_at, fetched_at, changed_at, duration, bytes, reader, version_id)
      SELECT i, 'page-' || i, 1, i, 1, 'http://127.0.34.9/' || i, 1, 'link', 200, 'new', 1, i, 1, 1, 1, 1, 1, 1000, 'reader', i FROM n;
    INSERT INTO page_version (id, page_id, number, run_id, fetched_at, type, charset, metadata, noindex, nofollow, text_hash, links_hash, simhash, word_count, link_count, body_hash)
      SELECT i, i, 1, 1, 1, 'html', 'utf-8', json_object('title', json_object('value', 'Page ' || i, 'source', 'title')), 0, 0, '', '', '', 1, 0, 'body-' || i FROM n;
    INSERT INTO decision (id, run_id, hash, host_id, site_id, kind, url, depth, hops, via, level, priority, verdict, reason, rule, page_id, at, seq, status)
      SELECT i, 1, i, 1, 1, 'page', 'http://127.0.34.9/' || i, 1, 0, 'link', 0, 0, 'fetched', 'ok', '', i, 1, i, 200 FROM n;
    INSERT INTO change SELECT 1, i, 'new', 1, NULL, i, '' FROM n;`);
  db.close();
});
afterAll(() => folder[Symbol.dispose]());

/** A folder of its own with a copy of that file in it. */
function aCopy() {
  const own = tempFolder();
  copyFileSync(first, own.file("nuthatch.db"));
  return own;
}

test("the first schema is as it was released", () => {
  expect(createHash("sha256").update(version1).digest("hex")).toBe("e1478ed747cbe4b7efb12ca9e4b5b6a42e55b2cb1561fce76090081170895ec9");
});

test("seeds of a run, and where they moved to, are rows of their own", () => {
  const db = new DatabaseSync(":memory:");
  db.exec(`${migrations.slice(0, 7).join("")}
    INSERT INTO run (id, uid, status, started_at, seeds, options, counters, state) VALUES
      (7, 'r', 'finished', 1, '["http://b.test/?typed","http://a.test/"]', '{}', '{}', '{"extraSeeds":["http://www.a.test/","http://www.a.test/"]}'),
      (8, 's', 'finished', 1, '["http://c.test/"]', '{}', '{}', '{}');
    ${migrations[7]}`);
  expect(db.prepare("SELECT run_id, url FROM run_seed ORDER BY run_id, position").all()).toEqual([
    { run_id: 7, url: "http://b.test/?typed" },
    { run_id: 7, url: "http://a.test/" },
    { run_id: 8, url: "http://c.test/" },
  ]);
  expect(db.prepare("SELECT * FROM run_home").all()).toEqual([{ run_id: 7, url: "http://www.a.test/" }]);
  db.exec(migrations[8]!);
  expect(db.prepare("SELECT DISTINCT named_by FROM run_seed").all(), "who named them nobody can say").toEqual([{ named_by: "unknown" }]);
  db.close();
});

describe("a file of the first schema", () => {
  test("is copied, brought to today's, and whole; said once", async () => {
    using own = aCopy();
    const before = digest(own.file("nuthatch.db"));
    const opened = await nuthatch(["pages", "--limit", "2", "--fields", "title"], { cwd: own.path });
    expect([opened.code, opened.stdout]).toEqual([0, "title\nPage 1\nPage 2\n"]);
    expect(opened.stderr.split("\n")).toEqual([
      `nuthatch.db was brought from schema 1 to ${SCHEMA_VERSION}; the file as it was: nuthatch.db.v1.bak`,
      expect.stringMatching(/^only the first 2 of 1,500 pages/),
      "",
    ]);
    expect([versionOf(own.file("nuthatch.db")), versionOf(own.file("nuthatch.db.v1.bak"))]).toEqual([SCHEMA_VERSION, 1]);
    for (const name of ["nuthatch.db", "nuthatch.db.v1.bak"]) expect(digest(own.file(name))).toBe(before);
    const again = await nuthatch(["db", "check"], { cwd: own.path });
    expect([again.code, again.stdout, again.stderr]).toEqual([0, expect.stringContaining(`is sound: 1 site, 1 run, 1,500 pages`), ""]);
    // Our own look at it may not have been let go of yet.
    const files = readdirSync(own.path).filter((name) => !/-(wal|shm)$/.test(name));
    expect(files.sort()).toEqual(["nuthatch.db", "nuthatch.db.v1.bak"]);
  });

  test("is brought to today's by db migrate, which tells from where to where, and never over an earlier copy", async () => {
    using own = aCopy();
    writeFileSync(own.file("nuthatch.db.v1.bak"), "mine");
    const migrated = await nuthatch(["db", "migrate", "--json"], { cwd: own.path });
    expect(JSON.parse(migrated.stdout)).toMatchObject({ from: 1, to: SCHEMA_VERSION, backup: "nuthatch.db.v1.2.bak" });
    expect(readFileSync(own.file("nuthatch.db.v1.bak"), "utf8")).toBe("mine");
    expect(versionOf(own.file("nuthatch.db.v1.2.bak"))).toBe(1);
    expect((await nuthatchHere(["db", "migrate"], { cwd: own.path })).stdout).toBe(`nuthatch.db is of today's schema, ${SCHEMA_VERSION}\n`);
  });

  test("stays as it is when there is no room for a copy", async () => {
    using own = aCopy();
    mkdirSync(own.file("nuthatch.db.v1.bak.part/full"), { recursive: true });
    const refused = await nuthatch(["pages"], { cwd: own.path });
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("no copy can be made")]);
    expect(versionOf(own.file("nuthatch.db"))).toBe(1);
    expect(existsSync(own.file("nuthatch.db.v1.bak"))).toBe(false);
  });

  test("stays as it is while an earlier nuthatch crawls into it", async () => {
    using own = aCopy();
    const stat = readFileSync(`/proc/${process.pid}/stat`, "utf8");
    const startedAt = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    query(
      own.file("nuthatch.db"),
      `UPDATE run SET status = 'running', stop_reason = NULL, owner = '${hostname()}/${process.pid}/${startedAt}' RETURNING 1`,
    );
    const refused = await nuthatch(["pages"], { cwd: own.path });
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("run 1")]);
    expect([versionOf(own.file("nuthatch.db")), existsSync(own.file("nuthatch.db.v1.bak"))]).toEqual([1, false]);
  });

  test("that many open at once is copied once and whole", async () => {
    using own = aCopy();
    const before = digest(own.file("nuthatch.db"));
    const opened = await Promise.all(Array.from({ length: 4 }, () => nuthatch(["pages", "--limit", "1", "--json"], { cwd: own.path })));
    for (const { code, stdout } of opened) expect([code, JSON.parse(stdout).pages.length]).toEqual([0, 1]);
    expect(opened.filter(({ stderr }) => stderr.includes("nuthatch.db.v1.bak"))).toHaveLength(1);
    expect(readdirSync(own.path).filter((name) => name.includes("bak"))).toEqual(["nuthatch.db.v1.bak"]);
    for (const name of ["nuthatch.db", "nuthatch.db.v1.bak"]) expect(digest(own.file(name))).toBe(before);
  });
});

test("a file of a newer nuthatch is refused, and nothing is changed", async () => {
  using own = aCopy();
  const newer = new DatabaseSync(own.file("nuthatch.db"));
  newer.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  newer.close();
  const before = readFileSync(own.file("nuthatch.db"));
  for (const args of [["pages"], ["db", "check"], ["db", "migrate"], ["prune", "--yes"], ["crawl", "http://127.0.34.9:9/"]]) {
    const { code, stdout, stderr } = await nuthatchHere(args, { cwd: own.path });
    expect([code, stdout]).toEqual([5, ""]);
    expect(stderr).toContain(`newer nuthatch (schema ${SCHEMA_VERSION + 1}, this one knows ${SCHEMA_VERSION})\n  try: update nuthatch`);
  }
  expect(readFileSync(own.file("nuthatch.db")).equals(before)).toBe(true);
  expect(readdirSync(own.path).filter((name) => name.includes("bak"))).toEqual([]);
});

/** Opens the file named, in a process that can be killed; says so just before, because what comes before is not ours. */
const OPENER = `import { openSqlite } from ${JSON.stringify(new URL("../dist/src/store/index.js", import.meta.url).href)};
process.once("message", (path) => { process.send("opening"); setImmediate(() => { openSqlite(path); process.send("open"); }); });
process.send("ready");`;

const told = (child: ChildProcess, what: string) =>
  new Promise<void>((resolve) => {
    child.on("message", (message) => message === what && resolve());
  });

test("SIGKILL at ten moments of the upgrade: the file is of the old schema or the new, and whole", async () => {
  using own = tempFolder();
  const script = own.file("opener.mjs");
  writeFileSync(script, OPENER);
  const before = digest(first);
  const ends = { old: 0, new: 0 };
  // How long it takes when nobody is killed: the moments are spread over that.
  let span = 0;
  for (let kill = -1; kill < 10; kill++) {
    const path = own.file(`${kill}.db`);
    copyFileSync(first, path);
    const child = fork(script, { stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await told(child, "ready");
    const opening = told(child, "opening");
    const open = told(child, "open");
    child.send(path);
    await opening;
    const began = performance.now();
    if (kill < 0) {
      await open;
      span = performance.now() - began;
    } else await sleep((span * kill) / 9);
    child.kill("SIGKILL");
    await ended;
    const version = Number(versionOf(path));
    ends[version === 1 ? "old" : "new"] += 1;
    expect(query(path, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
    expect(digest(path)).toBe(before);
    expect(columnsOf(path, "run").includes("stop_wanted")).toBe(version === SCHEMA_VERSION);
    // A copy that has its name is whole, and where the upgrade came through there is one.
    const copies = readdirSync(own.path).filter((name) => name.startsWith(`${kill}.db.v1`) && name.endsWith(".bak"));
    for (const name of copies) expect([versionOf(own.file(name)), digest(own.file(name))]).toEqual([1, before]);
    if (version === SCHEMA_VERSION) expect(copies).toHaveLength(1);
  }
  expect(ends.old, "kills before the end").toBeGreaterThan(0);
  expect(ends.new, "kills after it").toBeGreaterThan(0);
});
