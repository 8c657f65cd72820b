/** A data file where nothing can be written: on a disk mounted for reading alone, or in a folder that belongs to others. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { pages } from "nuthatch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { serveSite } from "./site/index.ts";

const folder = tempFolder();
const db = folder.file("crawl.db");
let origin: string;

/** Root may write everywhere but on such a disk; whoever is not root cannot mount one. */
const isRoot = process.getuid?.() === 0;
const canMount = isRoot && spawnSync("unshare", ["-m", "true"]).status === 0;

function locked(name: string): { readonly path: string; [Symbol.dispose](): void } {
  const path = folder.file(name);
  if (!canMount) {
    chmodSync(path, 0o555);
    return { path, [Symbol.dispose]: () => chmodSync(path, 0o755) };
  }
  execFileSync("mount", ["--bind", path, path]);
  execFileSync("mount", ["-o", "remount,ro,bind", path]);
  return { path, [Symbol.dispose]: () => void execFileSync("umount", ["-l", path]) };
}

beforeAll(async () => {
  const site = await serveSite(
    { "/": '<title>Harbour</title><p>ships</p><a href="/a">ferry</a>', "/a": "<title>Ferry</title><p>the ferry leaves at nine</p>" },
    {
      address: "127.0.84.2",
    },
  );
  origin = site.origin;
  const { code } = await nuthatch(["crawl", origin, "-k", "ferry", "--rate-limit", "100/s", "--db", db, "-q"]);
  expect(code).toBe(0);
  await site.close();
});
afterAll(() => folder[Symbol.dispose]());

describe.skipIf(isRoot && !canMount)("a data file where nothing can be written", () => {
  test("is looked at like any other, and nothing appears beside it", async () => {
    mkdirSync(folder.file("disk"));
    copyFileSync(db, folder.file("disk/crawl.db"));
    using place = locked("disk");
    const at = `${place.path}/crawl.db`;
    const looks: [args: string[], shown: RegExp][] = [
      [["pages"], /Ferry/],
      [["search", "leaves"], /the ferry \*\*leaves\*\* at nine/],
      [["show", `${origin}/a`], /title: Ferry/],
      [["changes"], /new 2/],
      [["runs"], /finished/],
      [["links"], /\/a/],
      [["explain", `${origin}/a`], /Visited/],
      [["export", "jsonl"], /"url":"http/],
      [["db", "check"], /is sound/],
    ];
    for (const [args, shown] of looks) {
      const { code, stdout, stderr } = await nuthatch([...args, "--db", at]);
      expect([args.join(" "), code, stderr.replace(/^.*\bpages?\b.*\n/gm, "")]).toEqual([
        args.join(" "),
        0,
        expect.not.stringContaining("nuthatch:"),
      ]);
      expect(stdout + stderr).toMatch(shown);
    }
    expect(await nuthatch(["export", "sqlite", "-o", folder.file("copy.db"), "--db", at])).toMatchObject({ code: 0 });
    const found: string[] = [];
    for await (const { url } of pages(at)) found.push(url);
    expect(found).toEqual([`${origin}/`, `${origin}/a`]);
    expect(readdirSync(place.path)).toEqual(["crawl.db"]);
  });

  test.each([
    ["a crawl", ["crawl", "http://127.0.84.9:9/"], /is where nothing can be written\n[\s\S]*try: .*--db/],
    ["what changes it", ["enrich", "--reset"], /readonly database\n[\s\S]*try: this command writes: .*--db/],
  ])("%s is refused with what to do", async (name, args, message) => {
    mkdirSync(folder.file(name));
    copyFileSync(db, folder.file(`${name}/crawl.db`));
    using place = locked(name);
    const { code, stderr } = await nuthatch([...args, "--db", `${place.path}/crawl.db`]);
    expect([code, stderr]).toEqual([5, expect.stringMatching(message)]);
  });

  test("every command that writes says so in one sentence, and changes nothing", async () => {
    mkdirSync(folder.file("all"));
    copyFileSync(db, folder.file("all/crawl.db"));
    const before = readFileSync(folder.file("all/crawl.db"));
    using place = locked("all");
    const page = `${origin}/a`;
    const writing = [
      ["fetch", page],
      ["enrich", page],
      ["context", page],
      ["map", page],
      ["robots", page],
      ["keywords", "set", "ferry"],
      ["hosts", "pause", "127.0.84.2", "2h"],
      ["ignore", "add", "ferry"],
      ["sites", "rm", "1", "--yes"],
      ["runs", "rm", "1", "--yes"],
      ["db", "vacuum"],
      ["keys", "create", "reader"],
      ["serve", "--port", "0"],
    ];
    for (const args of writing) {
      const { code, stderr } = await nuthatchHere([...args, "--db", `${place.path}/crawl.db`], { cwd: folder.path });
      expect([args.join(" "), code, stderr]).toEqual([
        args.join(" "),
        5,
        expect.stringMatching(/^nuthatch: [^\n]*(?:where nothing can be written|readonly)/),
      ]);
      expect(stderr).not.toMatch(/^ {4}at /m);
    }
    expect(readFileSync(folder.file("all/crawl.db")).equals(before)).toBe(true);
    expect(readdirSync(place.path)).toEqual(["crawl.db"]);
  });

  test("changes that are still in the log beside it are not passed over in silence", async () => {
    mkdirSync(folder.file("log"));
    copyFileSync(db, folder.file("log/crawl.db"));
    writeFileSync(folder.file("log/crawl.db-wal"), "not empty");
    using place = locked("log");
    const { code, stderr } = await nuthatch(["pages", "--db", `${place.path}/crawl.db`]);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/its latest changes are still in .*crawl\.db-wal\n[\s\S]*try: copy both files/),
    ]);
  });

  test("one of an earlier version says that it must be copied", async () => {
    mkdirSync(folder.file("old"));
    copyFileSync(db, folder.file("old/crawl.db"));
    const old = new DatabaseSync(folder.file("old/crawl.db"));
    old.exec("PRAGMA user_version = 3; PRAGMA journal_mode = DELETE");
    old.close();
    using place = locked("old");
    const { code, stderr } = await nuthatch(["pages", "--db", `${place.path}/crawl.db`]);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/is of schema 3, and cannot be brought to \d+ where nothing can be written\n[\s\S]*copy it/),
    ]);
  });
});
