/** Who is at work in a shared database, as the server, its metrics and the command line tell it; and bodies in a directory that is not the database's. */
import { readdirSync, symlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type App, openApp } from "../dist/src/engine/app.js";
import { routes } from "../dist/src/interfaces/rest/index.js";
import { aNewUrl, aRun } from "../dist/src/store/contract/records.js";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";

const folder = tempFolder();
const bodies = folder.file("bodies");
const otherName = folder.file("mounted");
let server: TestPostgres;
let db: string;
let app: App;
let runId: number;

/** A worker with a lease of two hosts, beside one that has not been heard of for two minutes. */
beforeAll(async () => {
  server = await startPostgres();
  db = server.database();
  app = await openApp({ db: `${db}?bodies=${bodies}` });
  await app.store.workers.announce({ name: "oak", maxConcurrent: 5 });
  const { run, hear, backlog } = await aRun(app.store as never);
  runId = run.id;
  await hear(aNewUrl("http://a.test/1"), aNewUrl("http://a.test/2"), aNewUrl("http://b.test/1"));
  await backlog.hosts(10, () => false);
  await app.store.userData.setHost("b.test", { delay: 5000, pausedUntil: undefined }, Date.now());
  server.ask(
    "INSERT INTO worker (id, name, machine, pid, version, started_at, seen_at) VALUES ('elm/7/1/1', 'elm', 'elm', 7, '0', 0, now_ms() - 120000)",
    db,
  );
});
afterAll(async () => {
  await app?.close();
  await server?.stop();
  folder[Symbol.dispose]();
});

/** What a route answers, held against what it says of itself. */
async function ask(id: string, params: Record<string, string> = {}): Promise<Record<string, unknown>[]> {
  const route = routes.find((one) => one.id === id)!;
  if (route.at === "events") throw new Error(`${id} is for listeners`);
  const query = route.query!.parse({});
  const input = { params, query, body: undefined, live: {}, asked: { url: route.path } };
  const { data } = await route.work({ app, signal: new AbortController().signal } as never, input as never);
  return (route.answers[200]!.shape!.parse(data) as { data: Record<string, unknown>[] }).data;
}

describe("the server", () => {
  test("tells who is at work, with what, and who has fallen silent", async () => {
    const [elm, oak] = await ask("listWorkers");
    expect(elm).toMatchObject({ name: "elm", alive: false, leases: 0, crawlIds: [] });
    expect(elm!.silentMs).toBeGreaterThanOrEqual(120_000);
    expect(oak).toMatchObject({ name: "oak", pid: process.pid, alive: true, draining: false, maxConcurrent: 5, leases: 2, inFlight: 0 });
    expect(oak!.crawlIds).toEqual([runId]);
  });

  test("tells which hosts are a worker's, and refuses to tell of one that is not there", async () => {
    const oak = (await ask("listWorkers")).find(({ name }) => name === "oak")!;
    const leases = await ask("listLeases", { worker: String(oak.id) });
    expect(leases.map(({ host, queued, crawlId, worker }) => [host, queued, crawlId, worker === oak.id]).sort()).toEqual([
      ["a.test", 2, runId, true],
      ["b.test", 1, runId, true],
    ]);
    expect(await ask("listLeases", { worker: "elm/7/1/1" })).toEqual([]);
    await expect(ask("listLeases", { worker: "ash/1/1/1" })).rejects.toThrow("there is no worker ash/1/1/1");
  });

  test("tells of the hosts of a run that another process leads, and whose they are", async () => {
    const oak = (await ask("listWorkers")).find(({ name }) => name === "oak")!;
    const hosts = await ask("listHosts");
    expect(hosts.map(({ host, queued, done, worker, crawlId }) => [host, queued, done, worker, crawlId])).toEqual([
      ["a.test", 2, null, oak.id, runId],
      ["b.test", 1, null, oak.id, runId],
    ]);
  });
});

describe("the command line", () => {
  test("tells which worker has a host, beside what was said of it", async () => {
    const { stdout } = await nuthatchHere(["hosts", "--db", db, "--json"]);
    expect(JSON.parse(stdout).hosts).toMatchObject([
      { host: "a.test", pausedUntil: null, rate: null, worker: "oak" },
      { host: "b.test", pausedUntil: null, rate: 0.2, worker: "oak" },
    ]);
  });

  test.each([
    [
      "a directory that is not the database's",
      () => ["worker", "--db", db, "--bodies", folder.path],
      "there is no nuthatch-bodies.json in it",
    ],
    [
      "a directory beside a file",
      () => ["pages", "--db", folder.file("x.db"), "--bodies", bodies],
      "keeps the bodies of its pages in itself",
    ],
  ])("%s is a mistake", async (_, args, trouble) => {
    const { code, stderr } = await nuthatchHere(args());
    expect([code, stderr]).toEqual([2, expect.stringContaining(trouble)]);
  });

  test("the database's own is taken under any name, or none", async () => {
    symlinkSync(bodies, otherName);
    for (const more of [[], ["--bodies", otherName]]) expect((await nuthatchHere(["pages", "--db", db, ...more])).code).toBe(0);
  });
});

test("a worker at a file is told what to do, and leaves none behind", async () => {
  using empty = tempFolder();
  const { code, stderr } = await nuthatchHere(["worker"], { cwd: empty.path });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("nuthatch worker --db postgres://") });
  expect(readdirSync(empty.path)).toEqual([]);
});
