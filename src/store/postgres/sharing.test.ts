import { Worker } from "node:worker_threads";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { startPostgres } from "../../../test/postgres.ts";
import { seedsBy } from "../../core/seed.ts";
import type { StoredCandidate } from "../backlog.ts";
import { aNewUrl, aPage, aVersion, aVisit, hashOf, nothing, queuedFor } from "../contract/records.ts";
import { noCounts } from "../index.ts";
import type { Settlement } from "../settlement.ts";
import type { Store } from "../store.ts";
import { openPostgres } from "./open.ts";

const server = await startPostgres();
afterAll(async () => {
  vi.restoreAllMocks();
  await server.stop();
});
const url = server.database();

const LEASE = 30_000;
const armed = new Int32Array(new SharedArrayBuffer(4));
const stores: Store[] = [];
let now = Date.UTC(2026, 0, 1);

/** Another process, as far as the database can tell. */
function open(): Store {
  const store = openPostgres(url, undefined, undefined, { clock: () => now });
  stores.push(store);
  return store;
}

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  server.empty(url);
  hearts.length = 0;
});

/** Heartbeat timers, in the order they were started; the tests fire them. */
const hearts: (() => void)[] = [];
vi.spyOn(globalThis, "setInterval").mockImplementation((beat) => {
  hearts.push(beat as () => void);
  return { unref: () => undefined } as unknown as NodeJS.Timeout;
});

const ask = (text: string) => server.ask(text, url);

async function aRun(store: Store, ...urls: readonly string[]) {
  const site = await store.site("http://a.test/", "http://a.test/");
  const run = await store.startRun({ sites: [site], seeds: seedsBy("person", ["http://a.test/"]), options: {}, at: now });
  const at = handOf(store, run.id);
  await at.settle({ heard: urls.map((one) => aNewUrl(one, { siteId: site.id })) });
  return { ...at, run };
}

/** One worker of the run. */
function handOf(store: Store, runId: number) {
  const backlog = store.backlog(runId);
  const settle = (parts: Partial<Settlement>) =>
    store.settle({ runId, at: now, visits: [], heard: [], again: [], more: [], hosts: [], counters: noCounts(), state: {}, ...parts });
  const lease = async (limit = 100) => (await backlog.hosts(limit, nothing)).map(({ host }) => host).sort();
  const claim = (candidate: StoredCandidate, delay = 1000) =>
    backlog.claim([{ host: candidate.host, visit: candidate.id, delay, cause: "rate" }]);
  const load = (host: string) => queuedFor(backlog, host);
  return { store, backlog, settle, lease, claim, load };
}

async function joined(runId: number) {
  const store = open();
  await store.workers.join((await store.run(runId))!);
  return handOf(store, runId);
}

const recounted = () =>
  ask(`SELECT count(*) AS wrong FROM (
    SELECT run_id, host_id, queued FROM run_host WHERE queued <> 0
    EXCEPT SELECT run_id, host_id, count(*) FROM decision WHERE verdict = 'queued' GROUP BY run_id, host_id) AS more`)[0]!.wrong;

const pagesOn = (hosts: number) => Array.from({ length: hosts }, (_, index) => `http://h${index}.test/`);
const idle = (host: string, wait = 0) => ({ host, wait, delay: wait, cause: "rate" as const, failures: 0, isIdle: true });

test("two take different hosts, and each its share", async () => {
  const a = await aRun(open(), ...pagesOn(9));
  const b = await joined(a.run.id);
  const [first, second] = [await a.lease(), await b.lease()];
  expect([first.length, second.length]).toEqual([5, 4]);
  expect([...first, ...second].sort()).toEqual(pagesOn(9).map((one) => new URL(one).host));
  expect([a.backlog.sharing!.holds(first[0]!), b.backlog.sharing!.holds(first[0]!)]).toEqual([true, false]);
  expect(await b.load(first[0]!)).toEqual([]);
  expect((await a.load(first[0]!)).length).toBe(1);
  expect(await a.store.workers.leases({ limit: 99 })).toHaveLength(9);
  expect(await a.store.workers.list()).toMatchObject([
    { leases: 5, isAlive: true, runs: [a.run.id] },
    { leases: 4, isAlive: true, runs: [a.run.id] },
  ]);
});

test("who comes later gets some of what one has", async () => {
  const a = await aRun(open(), ...pagesOn(6));
  expect(await a.lease()).toHaveLength(6);
  const b = await joined(a.run.id);
  expect(await b.lease()).toEqual([]);
  hearts[0]!();
  expect(await b.lease()).toHaveLength(3);
  expect(await a.lease()).toHaveLength(3);
});

test("a host whose visit was put off before it was made is given up like any other", async () => {
  const a = await aRun(open(), ...["http://h0.test/1", "http://h0.test/2", "http://h1.test/1", "http://h1.test/2"]);
  for (const host of await a.lease()) {
    const [visit] = await a.load(host);
    await a.claim(visit!, 0);
    await a.backlog.giveBack(host);
    await a.claim(visit!, 0);
    await a.settle({ visits: [aVisit(visit!)], hosts: [idle(host)] });
  }
  const b = await joined(a.run.id);
  hearts[0]!();
  expect(await b.lease()).toHaveLength(1);
});

test("one that drains takes no more", async () => {
  const a = await aRun(open(), ...pagesOn(2));
  await a.store.workers.drain();
  expect(await a.lease()).toEqual([]);
  expect(await (await joined(a.run.id)).lease()).toHaveLength(2);
});

test("a lease that ran out is handed on, its host's pace is kept, and what the first says of it later is refused, and only that", async () => {
  const a = await aRun(open(), "http://h0.test/", "http://h0.test/2");
  await a.lease();
  const [visit] = await a.load("h0.test");
  expect(await a.claim(visit!)).toEqual([{ granted: true }]);
  now += LEASE + 1;
  const b = await joined(a.run.id);
  expect(await b.lease()).toEqual(["h0.test"]);
  const [again] = await b.load("h0.test");
  expect(again!.id).toBe(visit!.id);
  const [early] = await b.claim(again!);
  expect(early).toMatchObject({ granted: false });
  now += (early as { wait: number }).wait;
  expect((early as { wait: number }).wait).toBeGreaterThanOrEqual(1000);
  expect(await b.claim(again!)).toEqual([{ granted: true }]);

  const named = aNewUrl("http://new.test/", { parentId: visit!.id });
  const other = aNewUrl("http://other.test/");
  const late = await a.settle({
    visits: [aVisit(visit!, { page: aPage(aVersion("late")) })],
    heard: [named, other],
    hosts: [idle("h0.test")],
  });
  expect([...late.stale!]).toEqual([0]);
  expect(late.heardIds.map((id) => id > 0)).toEqual([false, true]);
  expect(late.pageIds).toEqual([undefined]);
  expect(ask("SELECT count(*) AS pages FROM page")[0]!.pages).toBe(0);
  expect(await a.claim(visit!)).toMatchObject([{ granted: false, isLost: true }]);

  const settled = await b.settle({ visits: [aVisit(again!, { page: aPage(aVersion("mine")) })] });
  expect([...settled.stale!]).toEqual([]);
  expect(await b.store.ledgerRows(a.run.id, [hashOf("http://h0.test/")])).toMatchObject([{ verdict: "fetched" }]);
  expect(recounted()).toBe(0);
});

test("of a host that was lost and is ours again, nothing is asked for that was in memory before", async () => {
  const a = await aRun(open(), "http://h0.test/1", "http://h0.test/2");
  await a.lease();
  const [first, second] = await a.load("h0.test");
  now += LEASE + 1;
  const b = await joined(a.run.id);
  await b.lease();
  await b.claim(first!, 0);
  await b.settle({ visits: [aVisit(first!)] });
  await b.store.releaseHosts(a.run.id);
  hearts[0]!();
  expect((await a.backlog.hosts(100, () => true)).map(({ host }) => host)).toEqual(["h0.test"]);
  expect(await a.claim(first!, 0)).toMatchObject([{ granted: false, isLost: true }]);
  await a.backlog.hosts(100, nothing);
  expect((await a.load("h0.test")).map(({ id }) => id)).toEqual([second!.id]);
  expect(await a.claim(second!, 0)).toEqual([{ granted: true }]);
});

test("who is found dead leaves its counts to the run and its visits to the end of the queue; come back, it begins anew", async () => {
  const a = await aRun(open(), ...pagesOn(2));
  const b = await joined(a.run.id);
  await a.lease();
  const [host] = await b.lease();
  const [visit] = await b.load(host!);
  await b.settle({ counters: { ...noCounts(), pages: 3, status: { "2xx": 3 } } });
  await b.claim(visit!);
  await a.settle({ counters: { ...noCounts(), pages: 4, status: { "2xx": 1 } } });
  expect((await a.store.run(a.run.id))!.counters).toMatchObject({ pages: 7, status: { "2xx": 4 } });
  for (let third = 0; third < 4; third++) {
    now += LEASE / 3;
    hearts[0]!();
  }
  expect(await a.store.workers.list()).toHaveLength(1);
  expect((await a.store.run(a.run.id))!.counters).toMatchObject({ pages: 7, status: { "2xx": 4 } });
  expect(ask("SELECT crashes, level FROM decision WHERE crashes > 0")).toEqual([{ crashes: 1, level: 7 }]);
  const late = await b.settle({ visits: [aVisit(visit!)], counters: { ...noCounts(), pages: 5, status: { "2xx": 5 } } });
  expect([...late.stale!]).toEqual([0]);
  expect([a, b].map(({ backlog }) => backlog.sharing!.lives())).toEqual([0, 1]);
  await b.settle({ counters: { ...noCounts(), pages: 4, status: { "2xx": 4 } } });
  expect((await a.store.run(a.run.id))!.counters).toMatchObject({ pages: 8, status: { "2xx": 5 } });
  expect(await a.store.workers.list()).toHaveLength(2);
  const end = { status: "finished", stopReason: "finished", at: now, state: {} } as const;
  await a.store.endRun(a.run.id, { ...end, counters: { ...noCounts(), pages: 6, status: { "2xx": 3 } } });
  expect((await a.store.run(a.run.id))!.counters).toMatchObject({ pages: 10, status: { "2xx": 7 } });
});

test("who leads and is taken for dead leads on, unless another has followed it", async () => {
  const a = await aRun(open());
  const b = await joined(a.run.id);
  const leaders = async () => [await a.store.workers.isLeader(a.run.id), await b.store.workers.isLeader(a.run.id)];
  const silence = () => {
    for (let third = 0; third < 4; third++) {
      now += LEASE / 3;
      hearts[1]!();
    }
  };
  expect(await leaders()).toEqual([true, false]);
  silence();
  expect(b.store.isAlive(a.run)).toBe(false);
  hearts[0]!();
  expect(b.store.isAlive(a.run)).toBe(true);
  expect(await leaders()).toEqual([true, false]);
  silence();
  await b.store.resumeRun(a.run.id, now);
  hearts[0]!();
  expect(await leaders()).toEqual([false, true]);
});

test("what two hear of is written once; who comes second is told what is known, and what is new of another's host comes to it", async () => {
  const a = await aRun(open(), "http://h0.test/");
  const b = await joined(a.run.id);
  expect(await a.lease()).toEqual(["h0.test"]);
  await a.backlog.hosts(100, () => true);
  const heard = [aNewUrl("http://h0.test/new", { depth: 3 }), aNewUrl("http://h1.test/")];
  const [first, second] = [await b.settle({ heard }), await a.settle({ heard: [{ ...heard[0]!, depth: 2 }] })];
  expect(first.known).toEqual([undefined, undefined]);
  expect(second).toMatchObject({ heardIds: [0], known: [{ depth: 3, mentions: 2 }] });
  // The smaller depth is stored at once, in case the process is killed before it propagates it.
  expect(await a.load("h0.test")).toContainEqual(expect.objectContaining({ url: heard[0]!.url, depth: 2 }));
  expect(await a.backlog.sharing!.rest(60_000)).toBe(true);
  expect(await a.backlog.hosts(100, () => true)).toContainEqual({ host: "h0.test", queued: 2 });
  expect(recounted()).toBe(0);
});

test("pages that all may fetch together are taken by one or the other", async () => {
  const a = await aRun(open());
  const b = await joined(a.run.id);
  const take = (hand: typeof b, wanted: number, stillOut: number) => hand.backlog.sharing!.takePages(wanted, 10, stillOut);
  expect(await take(a, 8, 0)).toBe(8);
  expect(await take(b, 8, 0)).toBe(2);
  expect(await take(b, 8, 2)).toBeUndefined();
  await b.settle({ counters: { ...noCounts(), pages: 2 } });
  expect(await take(b, 8, 0)).toBeUndefined();
  await a.settle({ counters: { ...noCounts(), pages: 5 } });
  expect(await take(a, 0, 0)).toBe(0);
  expect(await take(b, 8, 0)).toBe(3);
  await b.settle({ counters: { ...noCounts(), pages: 5 } });
  expect(await take(b, 8, 0)).toBe(0);
});

test("who has nothing left rests while others may still name something, and goes when nothing is left", async () => {
  const a = await aRun(open(), "http://h0.test/");
  const b = await joined(a.run.id);
  await a.lease();
  const [visit] = await a.load("h0.test");
  await a.claim(visit!);
  const rests = b.backlog.sharing!.rest(60_000);
  await a.settle({ visits: [aVisit(visit!)], hosts: [idle("h0.test")], heard: [aNewUrl("http://h1.test/")] });
  expect(await rests).toBe(true);
  expect(a.backlog.sharing!.holds("h0.test")).toBe(false);
  expect(await b.lease()).toEqual(["h1.test"]);
  const [last] = await b.load("h1.test");
  await b.claim(last!);
  await b.settle({ visits: [aVisit(last!)], hosts: [idle("h1.test")] });
  expect(await a.backlog.sharing!.rest(60_000)).toBe(false);
});

test("two runs that want one host get it in turns", async () => {
  const a = await aRun(open(), "http://h0.test/1", "http://h0.test/2");
  const store = open();
  const site = await store.site("http://b.test/", "http://b.test/");
  const other = await store.startRun({ sites: [site], seeds: seedsBy("person", ["http://b.test/"]), options: {}, at: now });
  const b = handOf(store, other.id);
  await b.settle({ heard: [aNewUrl("http://h0.test/1", { siteId: site.id })] });
  await a.lease();
  const [first, second] = await a.load("h0.test");
  await a.claim(first!);
  await a.settle({ visits: [aVisit(first!)], hosts: [idle("h0.test", 1000)] });
  expect(await b.lease()).toEqual([]);
  now += 1000;
  expect(await a.claim(second!)).toMatchObject([{ granted: false, isLost: true }]);
  expect(await b.lease()).toEqual(["h0.test"]);
});

test("a settlement whose commit was done and not heard of is not written twice", async () => {
  const line = await aLineThatBreaks();
  const store = openPostgres(line.url, undefined, undefined, { clock: () => now, say: (said) => line.said.push(said) });
  stores.push(store);
  const a = await aRun(store, "http://h0.test/");
  await a.lease();
  const [visit] = await a.load("h0.test");
  await a.claim(visit!);
  const version = aVersion("once");
  line.breakAtCommit();
  const settled = await a.settle({
    // Without its body, so that nothing is awaited between the host updates and the commit.
    visits: [aVisit(visit!, { page: aPage({ ...version, body: { ...version.body, data: undefined } }) })],
    heard: [aNewUrl("http://h0.test/2")],
    hosts: [idle("h0.test")],
    counters: { ...noCounts(), pages: 1 },
  });
  expect(line.said).toEqual([expect.stringContaining("is lost"), "the database is back"]);
  expect([...settled.stale!]).toEqual([]);
  expect(settled.heardIds[0]).toBeGreaterThan(0);
  expect(settled.pages[0]!()).toMatchObject({ url: "http://h0.test/" });
  expect(
    ask("SELECT (SELECT count(*) FROM page) AS pages, (SELECT count(*) FROM decision) AS rows, (SELECT count(*) FROM change) AS changes"),
  ).toEqual([{ pages: 1, rows: 2, changes: 1 }]);
  expect((await store.run(a.run.id))!.counters.pages).toBe(1);
  // It is unknown whether the host was released: the next claim shows it.
  expect(await a.claim((await a.load("h0.test"))[0]!, 0)).toEqual([{ granted: true }]);
  await store.close();
  await line.close();
});

/**
 * A proxy between a store and the server that breaks at the commit, so that no answer arrives. In its own thread, because a caller of the
 * store blocks.
 */
async function aLineThatBreaks() {
  const worker = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
    const { connect, createServer } = require("node:net");
    const isArmed = new Int32Array(workerData.armed);
    const server = createServer((near) => {
      const far = connect(workerData.port, "127.0.0.1");
      let isDeaf = false;
      near.on("data", (data) => {
        isDeaf ||= isArmed[0] === 1 && data.includes("COMMIT");
        far.write(data);
      });
      far.on("data", (data) => {
        if (!isDeaf) near.write(data);
        else if (data.includes("COMMIT")) { isArmed[0] = 0; near.destroy(); far.destroy(); }
      });
      for (const [socket, other] of [[near, far], [far, near]]) socket.on("error", () => {}).on("close", () => other.destroy());
    }).listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: { port: server.port, armed: armed.buffer } },
  );
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  return {
    url: url.replace(String(server.port), String(port)),
    said: [] as string[],
    breakAtCommit: () => void Atomics.store(armed, 0, 1),
    close: () => worker.terminate(),
  };
}

test("that a URL is nearer is owed until it is said with all that follows, whoever says it", async () => {
  const a = await aRun(open(), "http://h0.test/");
  const b = await joined(a.run.id);
  const [page] = await a.load("h0.test");
  await a.claim(page!);
  const far = aNewUrl("http://h1.test/", { depth: 3, siteId: page!.siteId });
  const { heardIds } = await a.settle({ visits: [aVisit(page!)], heard: [far] });
  const owed = async () => (await b.store.workers.pendingDepths(a.run.id)).map(({ id, url, depth }) => ({ id, url, depth }));
  expect(await owed()).toEqual([]);
  await b.settle({ heard: [{ ...far, depth: 1 }] });
  await a.settle({ heard: [{ ...far, depth: 2 }] });
  expect(await owed()).toEqual([{ id: heardIds[0], url: far.url, depth: 1 }]);
  const said = (depth: number) => ({ id: heardIds[0]!, depth, isNearer: true, level: 0, priority: 0, mentions: 1, requeue: false });
  await a.settle({ again: [said(2)] });
  expect(await owed()).toHaveLength(1);
  await a.settle({ again: [said(1)] });
  expect(await owed()).toEqual([]);
});

test("who rests is called when a run begins elsewhere", async () => {
  const [resting, other] = [open(), open()];
  await resting.workers.announce({ name: "a", maxConcurrent: 1 });
  let isWoken = false;
  const rest = resting.workers.waitForSignal(1_000_000).then(() => {
    isWoken = true;
  });
  await Promise.resolve();
  expect(isWoken).toBe(false);
  await aRun(other, "http://b.test/");
  await rest;
});
