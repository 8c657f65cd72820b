/** What processes that share a database tell each other of names: what is found out once is not asked for again, and opens nothing. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { DnsCache } from "../src/engine/fetch/dns-cache.ts";
import { PrivateHosts } from "../src/engine/fetch/private-hosts.ts";
import { openResolver } from "../src/engine/fetch/resolver.ts";
import { statementsFrom } from "../src/store/postgres/migrate.ts";
import { openPostgres } from "../src/store/postgres/open.ts";
import { STEPS_BEFORE_COUNT } from "../src/store/postgres/shared-tables.ts";
import { SyncDatabase } from "../src/store/postgres/sync/sync-database.ts";
import { WorkerCleanup } from "../src/store/postgres/worker-cleanup.ts";
import { LEASE_MS } from "../src/store/postgres/worker-session.ts";
import type { Store } from "../src/store/store.ts";
import { type NameAnswer, type NameServer, startNameServer } from "./faults/name-server.ts";
import { nuthatchHere } from "./in-process.ts";
import { openFetch, serve } from "./loopback.ts";
import { startPostgres } from "./postgres.ts";
import { privateSpellings } from "./private-spellings.ts";

/** Public ones, which nobody here connects to. */
const [PUBLIC, OTHER] = ["93.184.215.14", "93.184.215.15"] as const;
const answers: Readonly<Record<string, NameAnswer>> = {
  "a.test": [PUBLIC],
  "b.test": [OTHER],
  "inside.test": ["10.0.0.1"],
  "trouble.test": 2,
};

const server = await startPostgres();
const db = server.database();
const stores: Store[] = [];
let asked: NameServer;
let now = 0;

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  asked = await startNameServer("127.0.0.1", (name) => answers[name] ?? 3);
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  server.empty(db);
  asked.close();
});
afterAll(() => server.stop());

/** One of those at work, as far as names go. */
function aProcess(servers = [asked.place]) {
  const store = openPostgres(db, undefined, undefined, { clock: () => now });
  stores.push(store);
  const resolve = openResolver({ timeout: 400, servers, others: store.names });
  const names = new DnsCache(resolve, () => now);
  return { store, resolve, find: (name: string) => names.find(name).catch(({ code }) => code) };
}

const plant = (name: string, addresses: string) =>
  server.ask(`INSERT INTO known_name VALUES ('${name}', '${asked.place}', '${addresses}', ${now} + 60000)`, db);
const rows = () => server.ask("SELECT name, addresses FROM known_name ORDER BY name", db);

describe("what one has found out", () => {
  test.each([
    ["an address is not asked for by another", "a.test", [PUBLIC], true],
    ["nor is a name that does not exist", "none.test", expect.stringMatching(/ENOTFOUND|ENODATA/), true],
    ["a private address is for each to find out", "inside.test", ["10.0.0.1"], false],
    ["and so is trouble with a name server", "trouble.test", "ESERVFAIL", false],
  ])("%s", async (_, name, expected, isShared) => {
    expect(await aProcess().find(name)).toEqual(expected);
    const before = asked.asked.length;
    expect(before).toBeGreaterThan(0);
    expect(await aProcess().find(name)).toEqual(expected);
    expect(asked.asked.length === before).toBe(isShared);
    expect(rows().length).toBe(isShared ? 1 : 0);
  });

  test("counts no longer for another than for itself", async () => {
    const [a, b] = [aProcess(), aProcess()];
    await a.find("a.test");
    now += 50_000;
    await b.find("a.test");
    now += 9_000;
    await b.find("a.test");
    expect(asked.asked).toEqual(["a.test"]);
    now += 2_000;
    await b.find("a.test");
    expect(asked.asked).toEqual(["a.test", "a.test"]);
    expect(rows().length).toBe(1);
  });

  test("of a name that does not exist counts for seconds", async () => {
    await aProcess().find("none.test");
    now += 6_000;
    await aProcess().find("none.test");
    expect(asked.asked).toEqual(["none.test", "none.test"]);
  });

  test("at once, and by two ways, is told and heard at once", async () => {
    const { store, resolve } = aProcess();
    const alike = openResolver({ timeout: 400, servers: [asked.place], others: store.names });
    await Promise.all([resolve("a.test"), alike("a.test"), resolve("b.test"), resolve("none.test").catch(() => undefined)]);
    expect(rows()).toEqual([
      { name: "a.test", addresses: PUBLIC },
      { name: "b.test", addresses: OTHER },
      { name: "none.test", addresses: "" },
    ]);
    const { find } = aProcess();
    asked.asked.length = 0;
    const found = await Promise.all(["none.test", "inside.test", "b.test", "a.test"].map(find));
    expect(found).toEqual(["ENODATA", ["10.0.0.1"], [OTHER], [PUBLIC]]);
    expect(asked.asked).toEqual(["inside.test"]);
  });

  test("from one name server is nothing that another said", async () => {
    const another = await startNameServer("127.0.0.1", () => [OTHER]);
    expect([await aProcess().find("a.test"), await aProcess([another.place]).find("a.test")]).toEqual([[PUBLIC], [OTHER]]);
    another.close();
  });

  test("of this machine's own names is not told", async () => {
    plant("localhost", PUBLIC);
    expect(await aProcess().find("LOCALHOST.")).toEqual(["127.0.0.1", "::1"]);
    expect(rows().length).toBe(1);
  });
});

describe("what stands in the table", () => {
  const hosts = privateSpellings.flatMap((url) => /^http:\/\/\[?([^@\\[\]]+?)\]?:P\/secret$/.exec(url)?.[1] ?? []);

  test("leads nowhere that is private, however it is spelled, not even for a name that was opened here", async () => {
    expect(hosts.length).toBeGreaterThan(40);
    const canary = await serve(() => {}, "127.0.9.9");
    const opened = new PrivateHosts([]);
    const { resolve } = aProcess();
    for (const [index, host] of hosts.entries()) {
      const url = `http://n${index}.test:${canary.port}/`;
      opened.allowUrl(url);
      plant(`n${index}.test`, host);
      expect(await openFetch({ resolve, opened })(url), host).toMatchObject({ kind: "failed", reason: "dns" });
    }
    expect(canary.connections()).toBe(0);
    expect(new Set(asked.asked).size).toBe(hosts.length);
  });

  test.each([
    "127.0.0.1",
    `${OTHER} 10.0.0.1`,
    `${OTHER} ::ffff:7f00:1`,
    "rubbish",
    " ",
    `${PUBLIC} `,
    `${OTHER},${OTHER}`,
    `${OTHER}/8`,
    `${OTHER}:80`,
    `${OTHER} example.org`,
    `{${OTHER}}`,
    "null",
    "\t",
    "::g",
  ])("%j is passed over", async (addresses) => {
    plant("a.test", addresses);
    expect(await aProcess().find("a.test")).toEqual([PUBLIC]);
    expect(asked.asked).toEqual(["a.test"]);
    expect(rows()).toEqual([{ name: "a.test", addresses: PUBLIC }]);
  });

  test("counts no longer than what is in memory, whatever it says", async () => {
    plant("a.test", OTHER);
    server.ask("UPDATE known_name SET until = until + 1000000000", db);
    const { find } = aProcess();
    expect(await find("a.test")).toEqual([OTHER]);
    server.ask("DELETE FROM known_name", db);
    now += 61_000;
    expect(await find("a.test")).toEqual([PUBLIC]);
  });

  test.each([
    ["leaves", (store: Store) => store.close()],
    [
      "clears up",
      () => {
        const connection = new SyncDatabase(db);
        new WorkerCleanup(connection, LEASE_MS).cleanUp(now, true);
        connection.close();
      },
    ],
  ])("is removed when it has run out, by whoever %s", async (_, clear) => {
    const { store, find } = aProcess();
    await store.workers.announce({ name: "a", maxConcurrent: 1 });
    await find("a.test");
    await find("none.test");
    now += 30_000;
    await clear(store);
    expect(rows()).toEqual([{ name: "a.test", addresses: PUBLIC }]);
  });
});

const END_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";

test.each([
  ["is closed", (store: Store) => store.close()],
  ["has lost its connection", async () => server.ask(END_OTHERS, db)],
  ["has no such table", async () => server.ask("ALTER TABLE known_name RENAME TO hidden", db)],
])("a database that %s keeps nobody from finding a name", async (_, spoil) => {
  const { store, find } = aProcess();
  await store.sites();
  await spoil(store);
  expect(await find("a.test")).toEqual([PUBLIC]);
  server.ask("ALTER TABLE IF EXISTS hidden RENAME TO known_name", db);
});

test("a database of before is brought along, and one of later left as it is", async () => {
  const old = server.emptyDatabase();
  const steps = (url: string) => server.ask("SELECT shared FROM schema_version", url);
  const open = () => stores.push(openPostgres(old));
  for (const statement of statementsFrom(0, 0, STEPS_BEFORE_COUNT)) server.ask(statement, old);
  server.ask("ALTER TABLE schema_version DROP COLUMN shared", old);
  open();
  expect(steps(old)).toEqual(steps(db));
  expect(server.ask("SELECT count(*) AS names FROM known_name", old)).toEqual([{ names: 0 }]);
  server.ask("UPDATE schema_version SET shared = 99", old);
  open();
  expect(steps(old)).toEqual([{ shared: 99 }]);
});

test("a crawl hears what others know and tells what it has found out", async () => {
  now = Date.now();
  plant("known.test", "");
  // However long the crawl takes.
  server.ask("CREATE RULE kept AS ON DELETE TO known_name DO INSTEAD NOTHING", db);
  const urls = ["http://known.test/", "http://none.test/"];
  const flags = ["--db", db, "--resolver", asked.place, "--retries", "0", "--json"];
  await nuthatchHere(["crawl", ...urls, ...flags]);
  expect(new Set(asked.asked)).toEqual(new Set(["none.test"]));
  expect(rows().map(({ name }) => name)).toEqual(["known.test", "none.test"]);
  server.ask("DROP RULE kept ON known_name", db);
});
