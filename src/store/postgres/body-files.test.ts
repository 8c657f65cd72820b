import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { tempFolder } from "../../../test/cli.ts";
import { startPostgres } from "../../../test/postgres.ts";
import { aNewUrl, aPage, aRun, aVersion, aVisit, hashOf, READER } from "../contract/records.ts";
import { type Store, WrongLocationError } from "../store.ts";
import { openPostgres } from "./open.ts";

const server = await startPostgres();
const folder = tempFolder();
const database = server.database();
const stores: Store[] = [];
let count = 0;
let directory: string;

beforeEach(() => {
  count += 1;
  directory = folder.file(`bodies-${count}`);
  server.empty(database);
  server.ask("DELETE FROM meta WHERE key = 'bodies'", database);
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});
afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

/** The body directory is passed in the database URL. */
function open(bodies?: string, isReadOnly = false): Store {
  const url = bodies === undefined ? database : `${database}?bodies=${encodeURIComponent(bodies)}`;
  const store = openPostgres(url, undefined, isReadOnly);
  stores.push(store);
  return store;
}

const { hash } = aVersion("one").body;
const fileOf = (place: string, name = `${hash}.br`) => join(place, name.slice(0, 2), name.slice(2, 4), name);
const textOf = async (store: Store) => Buffer.from((await store.body(hash)) ?? []).toString();
const inside = () => Number(server.ask("SELECT coalesce(sum(length(data)), 0) AS bytes FROM body", database)[0]!.bytes);

describe("bodies in a directory", () => {
  test("are files under their hash, read back by whoever has the directory, and not in the database", async () => {
    const { keep } = await aRun(open(directory));
    await keep("http://a.test/1", aVersion("one"));
    expect(readFileSync(fileOf(directory))).toEqual(Buffer.from(aVersion("one").body.data!));
    expect(inside()).toBe(0);
    expect(await textOf(open(directory, true))).toBe("one");
    expect(await textOf(open(undefined))).toBe("one");
    expect(readdirSync(join(directory, "parts"))).toEqual([]);
  });

  test("as they came, where packing them gained nothing", async () => {
    const { keep } = await aRun(open(directory));
    const version = aVersion("one");
    await keep("http://a.test/1", { ...version, body: { ...version.body, coding: "identity", data: Buffer.from("one") } });
    expect(readFileSync(fileOf(directory, hash), "utf8")).toBe("one");
    expect(await textOf(open())).toBe("one");
  });

  test("as the server compressed them", async () => {
    const { keep } = await aRun(open(directory));
    const version = aVersion("one");
    await keep("http://a.test/1", { ...version, body: { ...version.body, coding: "gzip", data: gzipSync("one") } });
    expect(readFileSync(fileOf(directory, `${hash}.gz`))).toEqual(gzipSync("one"));
    expect(await textOf(open())).toBe("one");
  });

  test("go with the pages that need them; one that another page has stays", async () => {
    const store = open(directory);
    const { keep, end, site } = await aRun(store);
    await keep("http://a.test/1", aVersion("one"));
    await keep("http://a.test/2", aVersion("two"));
    await end();
    const other = await aRun(store, "http://b.test/");
    await other.keep("http://b.test/", aVersion("two"));
    await other.end();
    await (await store.maintenance.plan({ what: "site", siteId: site.id })).execute();
    expect(existsSync(fileOf(directory))).toBe(false);
    expect(existsSync(fileOf(directory, `${aVersion("two").body.hash}.br`))).toBe(true);
  });

  test("of versions that have had their day go when the run ends", async () => {
    const store = open(directory);
    const { keep, end, site } = await aRun(store);
    await keep("http://a.test/1", aVersion("one"));
    await end();
    const next = await aRun(store);
    const [candidate] = await next.hear(aNewUrl("http://a.test/1"));
    const remembered = await store.findStored([site.id], hashOf("http://a.test/1"), READER);
    await next.settle({
      visits: [aVisit(candidate!, { page: aPage(aVersion("two"), { change: "changed" }), remembered })],
      keepVersions: 1,
    });
    expect(existsSync(fileOf(directory))).toBe(true);
    await next.end();
    expect(existsSync(fileOf(directory))).toBe(false);
  });

  test("whose file is lost are written anew when they come again", async () => {
    const store = open(directory);
    const { keep } = await aRun(store);
    await keep("http://a.test/1", aVersion("one"));
    rmSync(fileOf(directory));
    expect(await open().body(hash)).toBeUndefined();
    expect(await open().maintenance.problems()).toContain(`1 bodies are not in ${directory}`);
    await keep("http://a.test/2", aVersion("one"));
    expect(await textOf(open())).toBe("one");
    expect((await open().maintenance.problems()).join()).not.toContain("bodies");
  });

  test("what was in the database before stays there and is found", async () => {
    const { keep } = await aRun(open());
    await keep("http://a.test/1", aVersion("one"));
    expect(inside()).toBeGreaterThan(0);
    const { keep: keepMore } = await aRun(open(directory), "http://b.test/");
    await keepMore("http://b.test/", aVersion("two"));
    const all = open();
    expect(await textOf(all)).toBe("one");
    expect(Buffer.from((await all.body(aVersion("two").body.hash))!).toString()).toBe("two");
  });

  test("what somebody left who was killed is cleared away after a day", async () => {
    await aRun(open(directory));
    const [old, fresh] = ["old", "fresh"].map((name) => join(directory, "parts", name)) as [string, string];
    for (const path of [old, fresh]) writeFileSync(path, "half");
    utimesSync(old, 0, 0);
    await aRun(open(directory), "http://b.test/");
    expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
  });
});

describe("a directory is the one that the database names, whatever it is called", () => {
  test("of several that begin at once all find the same", async () => {
    const all = Array.from({ length: 4 }, () => open(directory));
    await Promise.all(all.map((store, index) => store.workers.announce({ name: `${index}`, maxConcurrent: 1 })));
    expect(server.ask("SELECT count(*) AS count FROM meta WHERE key = 'bodies'", database)[0]!.count).toBe(1);
  });

  test("nothing is made by whoever only looks", async () => {
    expect(await open(directory).body(hash)).toBeUndefined();
    expect(existsSync(directory)).toBe(false);
  });

  test.each([
    ["another directory, with nothing in it", (place: string) => void mkdirSync(place), "there is no nuthatch-bodies.json in it"],
    ["one that is not there", () => undefined, "there is no such directory"],
    [
      "that of another database",
      (place: string) => {
        mkdirSync(place);
        writeFileSync(join(place, "nuthatch-bodies.json"), '{"place":"elsewhere"}');
      },
      "that one is another database's",
    ],
  ])("%s is refused before anything is done", async (_, make, trouble) => {
    await aRun(open(directory));
    const other = folder.file(`other-${count}`);
    make(other);
    expect(() => open(other)).toThrow(WrongLocationError);
    expect(() => open(other)).toThrow(trouble);
  });

  test("so is one that keeps bodies of another database already, where this one has none", async () => {
    mkdirSync(directory);
    writeFileSync(join(directory, "nuthatch-bodies.json"), '{"place":"elsewhere"}');
    const store = open(directory);
    await expect(store.workers.announce({ name: "a", maxConcurrent: 1 })).rejects.toThrow("keeps the bodies of another database");
    await expect(aRun(store)).rejects.toThrow(WrongLocationError);
  });

  test("where it is not mounted, a worker says so and a look at what needs no body goes on", async () => {
    const { keep } = await aRun(open(directory));
    await keep("http://a.test/1", aVersion("one"));
    rmSync(directory, { recursive: true });
    const store = open();
    expect((await store.sites()).length).toBe(1);
    await expect(store.body(hash)).rejects.toThrow("is not at");
    await expect(store.workers.announce({ name: "a", maxConcurrent: 1 })).rejects.toMatchObject({
      hint: expect.stringContaining("mount the directory"),
    });
  });
});
