import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { nuthatchHere } from "../../../../test/in-process.ts";
import { startPostgres } from "../../../../test/postgres.ts";
import { aRun, aVersion } from "../../contract/records.ts";
import { inExclusiveTransaction, inTransaction } from "../../sqlite/rows.ts";
import { SCHEMA_VERSION } from "../../sqlite/schema/schema.ts";
import { StorageError } from "../../store.ts";
import { ConnectionLost } from "../errors.ts";
import { inspect } from "../inspect.ts";
import { openPostgres } from "../open.ts";
import { SyncDatabase } from "./sync-database.ts";

const server = await startPostgres();
const url = server.database();
const db = new SyncDatabase(url);
afterAll(async () => {
  db.close();
  await server.stop();
});

const asUser = (user: string, address = url) => address.replace("postgres@", `${user}@`);
server.ask("CREATE ROLE guarded LOGIN PASSWORD 'right'; CREATE ROLE powerless LOGIN");

describe("a database that cannot be used", () => {
  const empty = server.emptyDatabase();
  const newer = server.emptyDatabase();
  server.ask("CREATE TABLE schema_version (version) AS SELECT 99", newer);
  const another = server.emptyDatabase();
  server.ask("CREATE TABLE page (songs TEXT)", another);
  server.ask("REVOKE CREATE ON SCHEMA public FROM PUBLIC", empty);

  test.each([
    ["where nobody listens", "postgres://me:sesame@127.0.0.1:1/x", /ECONNREFUSED/, /runs there/],
    ["that is not there", `${url}-not`, /does not exist/, /createdb/],
    ["with a wrong password", asUser("guarded:sesame"), /password/, /password/],
    ["without a password", asUser("guarded"), /password/, /PGPASSWORD/],
    ["without the right to make tables", asUser("powerless:sesame", empty), /permission denied/, /GRANT/],
    ["of a newer nuthatch", newer, /newer nuthatch \(schema 99/, /update/],
    ["of another program", another, /another program/, /nothing was changed/],
  ])("%s is refused with what to do", (_, address, message, hint) => {
    const attempt = () => openPostgres(address);
    expect(attempt).toThrow(StorageError);
    expect(attempt).toThrow(expect.objectContaining({ message: expect.stringMatching(message), hint: expect.stringMatching(hint) }));
    expect(attempt).not.toThrow(/sesame/);
  });

  test("to be read alone is not made", () => {
    expect(() => openPostgres(empty, undefined, true)).toThrow(/holds nothing of nuthatch yet/);
    expect(inspect(empty)).toMatchObject({ version: 0, today: SCHEMA_VERSION });
  });

  test("is shown without its password", async () => {
    const store = openPostgres(asUser("postgres:sesame"));
    expect(store.path).toBe(asUser("postgres"));
    await store.close();
  });
});

const driver = db as unknown as Database;
const insert = db.prepare("INSERT INTO answer (key, text, at) VALUES (?, ?, ?)");
const keys = () =>
  db
    .prepare("SELECT key FROM answer ORDER BY key")
    .all()
    .map(({ key }) => key);
const endOther = () =>
  void server.ask(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}' AND pid <> pg_backend_pid()`,
  );

beforeEach(() => void db.query("DELETE FROM answer"));

describe("a transaction", () => {
  test.each([
    ["of somebody who settles is shared with others who do, and with nobody who removes", inTransaction, { settle: 1, remove: 0 }],
    ["of somebody who removes is shared with nobody", inExclusiveTransaction, { settle: 0, remove: 0 }],
  ])("%s", (_, begin, may) => {
    const other = "SELECT pg_try_advisory_xact_lock_shared(7042) AS settle, pg_try_advisory_xact_lock(7042) AS remove";
    begin(driver, () => {
      keys();
      expect(server.ask(other, url)).toEqual([may]);
    });
  });

  test("whose statement fails, though nobody waited for it, leaves nothing, and the next one works", () => {
    const work = () => {
      insert.run("a", "", 1);
      insert.run("b", null, 1);
      insert.run("c", "", 1);
    };
    expect(() => inTransaction(driver, work)).toThrow(/null value in column "text"/);
    expect([db.isTransaction, keys()]).toEqual([false, []]);
    inTransaction(driver, () => insert.run("d", "", 1));
    expect(keys()).toEqual(["d"]);
  });

  test("whose failure somebody swallowed is not taken for done", () => {
    const work = () => {
      insert.run("a", "", 1);
      expect(() => db.query("SELECT 1 / 0")).toThrow(/division/);
    };
    expect(() => inTransaction(driver, work)).toThrow(/division|had failed/);
    expect(keys()).toEqual([]);
  });

  test.each([
    ["a deadlock", "40P01"],
    ["two at once", "40001"],
  ])("is tried again after %s", (_, code) => {
    const fails = `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}'; END $$`;
    let tries = 0;
    const afterwards = (good: number) => () => {
      tries += 1;
      insert.run(`try ${tries}`, "", 1);
      if (tries < good) db.query(fails);
    };
    inTransaction(driver, afterwards(4));
    expect([tries, keys()]).toEqual([4, ["try 4"]]);
    expect(() => inTransaction(driver, afterwards(99))).toThrow(expect.objectContaining({ code }));
    expect([tries, keys()]).toEqual([14, ["try 4"]]);
  });

  test("says what came of a statement to whoever asks", () => {
    inTransaction(driver, () => {
      expect(insert.run("a", "", 1).changes).toBe(1);
      expect(db.prepare("UPDATE answer SET at = ? WHERE key = ?").run(2, "none").changes).toBe(0);
    });
  });
});

describe("a connection that is lost", () => {
  test("in the middle of a transaction leaves nothing of it; the next call makes another", () => {
    const work = () => {
      expect(insert.run("a", "", 1).changes).toBe(1);
      endOther();
      insert.run("b", "", 1);
      insert.run("c", "", 1);
    };
    expect(() => inTransaction(driver, work)).toThrow(ConnectionLost);
    expect([db.isTransaction, keys()]).toEqual([false, []]);
    inTransaction(driver, () => insert.run("d", "", 1));
    expect(keys()).toEqual(["d"]);
  });

  test("while nobody asks is made anew without a word", () => {
    db.query("SELECT 1");
    endOther();
    let rows: unknown;
    // The error may still be on its way.
    for (let tries = 0; rows === undefined && tries < 9; tries++) {
      try {
        rows = db.query("SELECT 2 AS two").rows;
      } catch (cause) {
        expect(cause).toBeInstanceOf(ConnectionLost);
      }
    }
    expect(rows).toEqual([{ two: 2 }]);
  });
});

test("many rows are read some at a time, while others write, and a reader may leave", () => {
  inTransaction(driver, () => {
    for (let number = 0; number < 2500; number++) insert.run(String(number).padStart(4, "0"), "", number);
  });
  const select = db.prepare("SELECT at FROM answer ORDER BY key");
  let sum = 0;
  for (const { at } of select.iterate()) {
    if (at === 1200) db.query("DELETE FROM answer");
    sum += Number(at);
  }
  expect(sum).toBe((2499 * 2500) / 2);
  inTransaction(driver, () => insert.run("a", "", 1));
  for (const { at } of select.iterate()) {
    expect(at).toBe(1);
    break;
  }
  expect(keys()).toEqual(["a"]);
});

test.each([
  ["NUL", "a\0b"],
  ["half a character", "a\ud800b"],
  ["what looks like an escape", "a\\u0000\\\\u0000 \\ud800"],
])("%s in what a page says is no obstacle", async (_, title) => {
  const store = openPostgres(url);
  const { keep, end } = await aRun(store);
  await keep("http://a.test/", aVersion("text", [], { metadata: { title: { value: title, source: "h1" } } }));
  await end();
  const pages = [];
  for await (const page of store.pages({ sort: "title" })) pages.push(page.metadata.title?.value);
  expect(pages).toHaveLength(1);
  expect(pages[0]).toMatch(/^a.*b$|^a\\u0000/);
  await (await store.maintenance.plan({ what: "site", siteId: 1 })).execute();
  await store.close();
  server.empty(url);
});

describe("from the command line", () => {
  const prepared = server.emptyDatabase();
  server.ask(`ALTER DATABASE ${new URL(prepared).pathname.slice(1)} OWNER TO guarded`);
  afterEach(() => {
    delete process.env.PGPASSWORD;
  });

  test.each([
    ["who only looks makes nothing", ["pages"], 2, /holds nothing of nuthatch yet\n {2}try: .*nuthatch db migrate/],
    ["it is prepared", ["db", "migrate"], 0, /is of today's schema/],
    ["it is sound", ["db", "check"], 0, /is sound/],
    ["its version is told", ["doctor"], 0, /PostgreSQL \d+.*schema \d/],
    ["what is for files says so", ["db", "backup"], 5, /pg_dump/],
  ])("%s, and no password is printed", async (_, args, code, said) => {
    const ended = await nuthatchHere([...args, "--db", asUser("guarded:right", prepared)]);
    expect(ended.stdout + ended.stderr).toMatch(said);
    expect(ended.stdout + ended.stderr).not.toContain("right");
    expect(ended.code).toBe(code);
  });
});
