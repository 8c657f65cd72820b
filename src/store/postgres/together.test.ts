import { fork } from "node:child_process";
import { afterAll, expect, test } from "vitest";
import { type Setup, seedsOf } from "../../../bench/workers-store-ledger.ts";
import { startPostgres } from "../../../test/postgres.ts";
import { seedsBy } from "../../core/seed.ts";
import { openPostgres } from "./open.ts";

const server = await startPostgres();
afterAll(() => server.stop());
const hand = new URL("../../../dist/bench/workers-store-hand.js", import.meta.url);

test("four that settle URLs of each other's hosts at once: nothing stands still, each URL is settled once, and what waits is counted right", async () => {
  const url = server.database();
  const store = openPostgres(url);
  const site = await store.site("http://bench.test/", "http://bench.test/");
  const run = await store.startRun({ sites: [site], seeds: seedsBy("person", ["http://bench.test/"]), options: {}, at: Date.now() });
  const ledger = { urls: 4000, hosts: 200, batch: 40, hasPages: true, known: 3 };
  const setup: Setup = { ...ledger, url, runId: run.id, siteId: site.id };
  await seedsOf(store, setup);
  await store.workers.leave(run.id, run.counters);
  const reports = await Promise.all(Array.from({ length: 4 }, () => reportOf(setup)));
  const rows = server.ask(
    `SELECT (SELECT count(*) FROM decision WHERE verdict = 'fetched') AS fetched, (SELECT count(*) FROM page) AS pages, (SELECT stored + gone FROM page_count) AS counted,
      (SELECT count(*) FROM run_host WHERE queued <> 0 OR is_open) AS wrong, (SELECT count(*) FROM host WHERE owner IS NOT NULL) AS leased,
      (SELECT count(DISTINCT seq) FROM decision) AS places`,
    url,
  );
  expect(rows).toMatchObject([{ fetched: ledger.urls, pages: ledger.urls, wrong: 0, leased: 0, places: ledger.urls }]);
  expect(reports.reduce((sum, { settled }) => sum + settled, 0)).toBe(ledger.urls);
  expect((await store.run(run.id))!.counters.fetched).toBe(ledger.urls);
  await store.close();
}, 60_000);

function reportOf(setup: Setup): Promise<{ settled: number }> {
  return new Promise((resolve, reject) => {
    const child = fork(hand, [JSON.stringify(setup)]);
    let report: { settled: number } | undefined;
    child.once("message", (said) => {
      report = said as { settled: number };
    });
    child.once("exit", (code) => (report && code === 0 ? resolve(report) : reject(new Error(`a process ended with ${code}`))));
  });
}
