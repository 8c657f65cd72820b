/** Who leads a run when whoever began it is no more, or was thought so. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { type App, openApp } from "../dist/src/app.js";
import { resolveConfig } from "../dist/src/config/index.js";
import { crawl } from "../dist/src/operations/crawl.js";
import { startWorker } from "../dist/src/operations/worker.js";
import { startPostgres } from "./postgres.ts";

const server = await startPostgres();
/** Those who asked for the second page, and are not answered yet. */
const waiting: ServerResponse[] = [];
const site = createServer(({ url }, response) => {
  if (url === "/next") waiting.push(response);
  else response.writeHead(url === "/" ? 200 : 404, { "content-type": "text/html" }).end("<title>Home</title><a href='/next'>Next</a>");
}).listen(0, "127.0.0.1");
await once(site, "listening");
const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
const home = `http://${host}/`;
const options = { allowPrivate: [host], rateLimit: "none" };
let db: string;
const said: string[] = [];

beforeEach(() => {
  db = server.database();
  said.length = 0;
});
afterAll(async () => {
  site.close();
  await server.stop();
});

const workAt = async (app: App) =>
  startWorker(app, {
    name: "worker",
    maxConcurrent: 2,
    drains: true,
    configOf: (run) => resolveConfig([{ from: "the run", values: run.options }]),
    say: (line) => void said.push(line),
  });

const untilAsked = (times: number) => vi.waitUntil(() => waiting.length === times, { timeout: 20_000 });
const answer = () => waiting.shift()!.writeHead(200, { "content-type": "text/html" }).end("<title>Next</title><p>And no more.");
const status = () => server.ask("SELECT status FROM run", db).map((run) => run.status);

test("of two that take up a run at once one leads it, and the other works at it", async () => {
  const gone = await openApp({ db });
  const of = await gone.store.site(home, home);
  await gone.store.startRun({ sites: [of], seeds: [home], options, at: Date.now() });
  await gone.close();
  const apps = await Promise.all([openApp({ db }), openApp({ db })]);
  const workers = await Promise.all(apps.map(workAt));
  await untilAsked(1);
  answer();
  await Promise.all(workers.map(({ done }) => done));
  expect(status()).toEqual(["finished"]);
  for (const app of apps) await app.close();
  expect(said.filter((line) => line.startsWith("Leading"))).toHaveLength(1);
  expect(said.filter((line) => line.includes("left to others"))).toEqual([]);
});

test("who began a run and was taken for dead does not end it when it is told to stop: whoever followed it does", async () => {
  const [first, second] = await Promise.all([openApp({ db }), openApp({ db })]);
  const config = resolveConfig([{ from: "the test", values: options }]);
  const { control } = await crawl(first, { seeds: [home], config, mode: "new", emit: () => undefined });
  await untilAsked(1);
  server.ask("UPDATE host SET owner = NULL; DELETE FROM worker", db);
  const { done } = await workAt(second);
  await untilAsked(2);
  control.stop();
  answer();
  expect(await control.result).toMatchObject({ stopReason: "interrupted", isComplete: false });
  expect(status()).toEqual(["running"]);
  answer();
  await done;
  expect(status()).toEqual(["finished"]);
  expect(server.ask("SELECT url FROM page WHERE version_id IS NOT NULL ORDER BY url", db)).toEqual([{ url: home }, { url: `${home}next` }]);
  for (const app of [first, second]) await app.close();
});
