import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isLetGo } from "../../../test/let-go.ts";
import { aNewUrl, aRun } from "../contract/records.ts";
import { storeContract } from "../contract.ts";
import { isOwnerAlive } from "./files/owner.ts";
import { openSqlite } from "./open.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nuthatch-store-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const file = (name = "test.db") => join(folder, name);

/** Runs statements on the file without the store. */
function behind(path: string, statements: string): void {
  const db = new DatabaseSync(path);
  db.exec(statements);
  db.close();
}

storeContract("sqlite", () => {
  const home = mkdtempSync(join(tmpdir(), "nuthatch-contract-"));
  const path = join(home, "contract.db");
  return {
    open: () => openSqlite(path),
    simulateCrash: () => behind(path, `UPDATE run SET owner = '${hostname()}/4194305/1'; UPDATE host SET owner = NULL`),
    dispose: () => rm(home, { recursive: true, force: true }),
  };
});

describe("a file that is not ours", () => {
  const foreign = (statements: string) => {
    behind(file(), statements);
    return readFileSync(file());
  };

  test.each([
    ["a text", () => Buffer.from("Dear diary, today I crawled the web.\n".repeat(50)), /not a database/],
    ["a damaged database", () => Buffer.from(`SQLite format 3\0${"\xff".repeat(4000)}`, "latin1"), /not a database|malformed/],
    ["one of a newer nuthatch", () => foreign("CREATE TABLE decision (x); PRAGMA user_version = 99"), /newer nuthatch \(schema 99/],
    ["a database of another program", () => foreign("CREATE TABLE songs (title)"), /another program/],
    [
      "one of another program that counts its versions",
      () => foreign("CREATE TABLE songs (title); PRAGMA user_version = 7"),
      /another program/,
    ],
  ])("%s is refused and stays as it was", (_, make, message) => {
    const before = make();
    writeFileSync(file(), before);
    expect(() => openSqlite(file())).toThrow(message);
    expect(readFileSync(file()).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(["test.db"]);
  });

  test.each([
    ["a folder that is not there", () => join(folder, "nowhere", "test.db")],
    ["a folder", () => folder],
  ])("%s is refused with a hint", (_, path) => {
    expect(() => openSqlite(path())).toThrow(expect.objectContaining({ name: "StorageError", hint: expect.stringContaining("--db") }));
  });

  test("a file that was closed is let go", async () => {
    await openSqlite(file()).close();
    expect(await isLetGo(file())).toBe(true);
  });

  test("an empty file becomes ours", async () => {
    writeFileSync(file(), "");
    const store = openSqlite(file());
    expect(await store.check()).toBe("ok");
    await store.close();
  });
});

describe("the owner of a lease", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });
  const start = (script: string): ChildProcess => {
    const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
    children.push(child);
    return child;
  };
  const firstLine = (child: ChildProcess) =>
    new Promise<string>((resolve) => child.stdout!.once("data", (data) => resolve(String(data).trim())));
  const ownerOf = (pid: number) => `${hostname()}/${pid}/${readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")[19]}`;

  test("that is killed is replaced at once", async () => {
    const child = start("echo ready; exec sleep 60");
    await firstLine(child);
    const store = openSqlite(file());
    const site = await store.site("http://a.test/", "a");
    const run = await store.startRun({ sites: [site], seeds: [], options: {}, at: 1 });
    const backlog = store.backlog(run.id);
    const turn = { host: "h.test", visit: 0, delay: 0, cause: "rate" } as const;
    const lease = `owner = '${ownerOf(child.pid!)}/9', until = ${Date.now() + 100_000}`;
    behind(file(), `INSERT INTO host (name) VALUES ('h.test'); UPDATE host SET ${lease}`);
    expect(await backlog.claim([turn])).toMatchObject([{ granted: false }]);
    const isOver = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await isOver;
    expect(await backlog.claim([turn])).toMatchObject([{ granted: true }]);
    await store.close();
  });

  test("is dead though nobody has buried it", async () => {
    // The parent becomes a sleep, which never waits for its child, so the child stays a zombie.
    const parent = start("sleep 60 & echo $!; exec sleep 60");
    const pid = Number(await firstLine(parent));
    const until = async (isSo: () => boolean) => {
      for (let tries = 0; !isSo() && tries < 300; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    await until(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8").trim() === "sleep");
    const owner = ownerOf(pid);
    expect(isOwnerAlive(owner)).toBe(true);
    process.kill(pid, "SIGKILL");
    const state = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]![0];
    await until(() => state() === "Z");
    expect(isOwnerAlive(owner)).toBe(false);
  });

  test.each([
    ["this process lives", () => ownerOf(process.pid), true],
    ["one with our number that began at another time does not", () => `${hostname()}/${process.pid}/1`, false],
    ["of another machine we cannot tell", () => "elsewhere/1/1", true],
  ])("%s", (_, owner, expected) => {
    expect(isOwnerAlive(owner())).toBe(expected);
  });
});

test("several open a new file at the same moment", async () => {
  const stores = Array.from({ length: 5 }, () => openSqlite(file()));
  expect(new Set(stores.map(({ hashSeed }) => `${hashSeed.hi}.${hashSeed.lo}`)).size).toBe(1);
  for (const store of stores) await store.close();
});

test("an error in the middle leaves the connection usable", async () => {
  const store = openSqlite(file());
  await expect(store.startRun({ sites: [{ id: 99, uid: "", url: "" }], seeds: [], options: {}, at: 1 })).rejects.toThrow(/FOREIGN KEY/);
  expect(await store.runs({})).toEqual([]);
  await store.site("http://a.test/", "a");
  await store.close();
});

test("a ledger whose removal was killed in the middle goes the next time", async () => {
  const store = openSqlite(file());
  for (const path of ["1", "2"]) {
    const { hear, end } = await aRun(store);
    await hear(aNewUrl(`http://a.test/${path}`, { verdict: "skipped", reason: "depth" }));
    await end();
  }
  behind(file(), "UPDATE run SET pruned_at = 1 WHERE id = 1");
  const request = { what: "old", siteId: undefined, keep: 1, before: Date.now() + 1, gone: false } as const;
  expect(await (await store.maintenance.plan(request)).execute()).toMatchObject({ ledgers: 1, decisions: 1 });
  expect((await store.maintenance.plan(request)).removes).toMatchObject({ ledgers: 0, decisions: 0 });
  await store.close();
});
