/** Who leads a run when whoever began it is no more, or was thought so; and what becomes of what was out meanwhile. */
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { seedsBy } from "../dist/src/core/seed.js";
import { type App, openApp } from "../dist/src/engine/app.js";
import { resolveConfig } from "../dist/src/engine/config/index.js";
import { crawl, resumeRun } from "../dist/src/features/crawl/crawl.js";
import { startWorker } from "../dist/src/features/worker/worker.js";
import { aNewUrl } from "../dist/src/store/contract/records.js";
import { noCounts } from "../dist/src/store/index.js";
import { type HeldSite, holdSite } from "./held-site.ts";
import { startPostgres } from "./postgres.ts";

const server = await startPostgres();
const pages = {
  "/": "<title>Home</title><a href='/next'>Next</a>",
  "/next": "<title>Next</title><p>And no more.",
  "/far": "<title>Far</title><a href='/farther'>Farther</a>",
  "/farther": "<title>Farther</title><p>And no further.",
};
let site: HeldSite;
let db: string;
const said: string[] = [];

beforeEach(async () => {
  site = await holdSite(pages);
  db = server.database();
  said.length = 0;
});
afterEach(() => site.close());
afterAll(() => server.stop());

const options = () => ({ allowPrivate: [site.host], rateLimit: "none" });
const ask = (text: string) => server.ask(text, db);
const status = () => ask("SELECT status FROM run").map((run) => run.status);

/** A run whose process is gone, with what it had heard of. */
async function aRunLeftAlone(...urls: readonly [url: string, depth: number][]): Promise<void> {
  const { store, close } = await openApp({ db });
  const { home } = site;
  const of = await store.site(home, home);
  const { id: runId } = await store.startRun({ sites: [of], seeds: seedsBy("person", [home]), options: options(), at: Date.now() });
  const heard = urls.map(([url, depth]) => aNewUrl(url, { depth, siteId: of.id }));
  const nothing = { visits: [], again: [], more: [], hosts: [], counters: noCounts(), state: {} };
  await store.settle({ ...nothing, runId, at: Date.now(), heard });
  await close();
}

const workAt = async (app: App) =>
  startWorker(app, {
    name: "worker",
    maxConcurrent: 2,
    exitsWhenIdle: true,
    configOf: (run) => resolveConfig([{ from: "the run", values: run.options }]),
    say: (line) => void said.push(line),
  });

test("of two that take up a run at once one leads it, and the other works at it", async () => {
  await aRunLeftAlone();
  const apps = await Promise.all([openApp({ db }), openApp({ db })]);
  const workers = await Promise.all(apps.map(workAt));
  await site.untilAsked(1);
  site.answer();
  await Promise.all(workers.map(({ done }) => done));
  expect(status()).toEqual(["finished"]);
  for (const app of apps) await app.close();
  expect(said.filter((line) => line.startsWith("Leading"))).toHaveLength(1);
  expect(said.filter((line) => line.includes("left to others"))).toEqual([]);
});

test("who began a run and was taken for dead does not end it when it is told to stop: whoever followed it does", async () => {
  const [first, second] = await Promise.all([openApp({ db }), openApp({ db })]);
  const config = resolveConfig([{ from: "the test", values: options() }]);
  const { control } = await crawl(first, { seeds: seedsBy("person", [site.home]), config, mode: "new", emit: () => undefined });
  await site.untilAsked(1);
  ask("UPDATE host SET owner = NULL; DELETE FROM worker");
  const { done } = await workAt(second);
  await site.untilAsked(2);
  control.stop();
  site.answer();
  expect(await control.result).toMatchObject({ stopReason: "stopped", isComplete: false });
  expect(status()).toEqual(["running"]);
  site.answer();
  await done;
  expect(status()).toEqual(["finished"]);
  expect(ask("SELECT url FROM page WHERE version_id IS NOT NULL ORDER BY url")).toEqual(
    [site.home, `${site.home}next`].map((url) => ({ url })),
  );
  for (const app of [first, second]) await app.close();
});

test("who takes up a run with other options tells those who work at it", async () => {
  await aRunLeftAlone();
  const app = await openApp({ db });
  const run = (await app.store.run(1))!;
  const config = resolveConfig([{ from: "the test", values: { ...run.options, maxPages: 1, rateLimit: "20/s", maxConcurrent: 3 } }]);
  const { control } = await resumeRun(app, run, { config, emit: () => undefined });
  const kept = (await app.store.run(1))!.options;
  expect(kept).toMatchObject({ ...run.options, maxPages: 1, rateLimit: "20/s" });
  expect(kept).not.toHaveProperty("maxConcurrent");
  expect(await control.result).toMatchObject({ stopReason: "limit.pages", stats: { pages: 1 } });
  await app.close();
});

test("a page that others bring nearer while it is out leads to nearer ones, whoever had heard of it first", async () => {
  const far = `${site.home}far`;
  await aRunLeftAlone([far, 5]);
  const app = await openApp({ db });
  site.held = "/far";
  const { done } = await workAt(app);
  await site.untilAsked(1);
  ask(`UPDATE decision SET depth = 2 WHERE url = '${far}'`);
  site.answer();
  await done;
  expect(ask(`SELECT url, depth FROM decision WHERE url LIKE '${far}%' ORDER BY depth`)).toEqual([
    { url: far, depth: 2 },
    { url: `${far}ther`, depth: 3 },
  ]);
  await app.close();
});

test("a visit whose host has become another's is not counted, though nothing follows it", async () => {
  await aRunLeftAlone();
  const app = await openApp({ db });
  const { done } = await workAt(app);
  await site.untilAsked(1);
  ask("UPDATE host SET owner = 'another/1', epoch = epoch + 1, until = now_ms() + 1000000");
  const part = () => ask("SELECT counters::json ->> 'pages' AS pages, settlement FROM run_worker")[0]!;
  const before = part();
  expect(before.pages).toBe("1");
  site.answer();
  await vi.waitUntil(() => part().settlement !== before.settlement && part().pages === "1", { timeout: 20_000 });
  ask("UPDATE host SET owner = NULL");
  await site.untilAsked(1);
  site.answer();
  await done;
  expect((await app.store.run(1))!.counters).toMatchObject({ pages: 2, fetched: 2 });
  await app.close();
});
