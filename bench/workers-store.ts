/**
 * How many URLs per second several processes can claim and settle in one run on PostgreSQL: `npm run bench -- workers-store`. The ledger
 * work of a crawl without its network: every turn is claimed on disk and every outcome is settled with its links, by the process that has
 * leased the host, until nothing is left. The server makes commits durable (fsync, synchronous_commit on), and shares two cores with its
 * clients.
 */

import { type ChildProcess, fork } from "node:child_process";
import { parseArgs } from "node:util";
import { seedsBy } from "../src/core/seed.ts";
import { openPostgres } from "../src/store/postgres/open.ts";
import { startPostgres } from "../test/postgres.ts";
import { type Ledger, seedsOf } from "./workers-store-ledger.ts";

const { values } = parseArgs({
  options: {
    urls: { type: "string", default: "1000000" },
    hosts: { type: "string", default: "10000" },
    workers: { type: "string", default: "4" },
    batch: { type: "string", default: "250" },
    pages: { type: "boolean", default: false },
    known: { type: "string", default: "0" },
    db: { type: "string" },
  },
});
const ledger: Ledger = {
  urls: Number(values.urls),
  hosts: Number(values.hosts),
  batch: Number(values.batch),
  hasPages: values.pages,
  known: Number(values.known),
};
const workers = Number(values.workers);

const server = values.db
  ? undefined
  : await startPostgres(["shared_buffers=512MB", "max_wal_size=8GB", "checkpoint_timeout=15min", "max_connections=50"]);
const url = values.db ?? server!.database();
const store = openPostgres(url);
const site = await store.site("http://bench.test/", "http://bench.test/");
const run = await store.startRun({ sites: [site], seeds: seedsBy("person", ["http://bench.test/"]), options: {}, at: Date.now() });
const setup = { ...ledger, url, runId: run.id, siteId: site.id };
await seedsOf(store, setup);
// This process only observes and leases no hosts.
await store.workers.leave(run.id, run.counters);

const startedAt = performance.now();
const hands = Array.from({ length: workers }, () => fork(new URL("./workers-store-hand.js", import.meta.url), [JSON.stringify(setup)]));
const reports = await Promise.all(hands.map(reportOf));
const seconds = (performance.now() - startedAt) / 1000;

const settled = reports.reduce((sum, report) => sum + report.settled, 0);
const said = { workers, ...ledger, settled, seconds: Math.round(seconds * 10) / 10, perSecond: Math.round(settled / seconds), reports };
console.log(JSON.stringify(said, null, 2));
await store.close();
await server?.stop();

function reportOf(hand: ChildProcess): Promise<{ settled: number }> {
  return new Promise((resolve, reject) => {
    hand.once("message", resolve);
    hand.once("exit", (code) => code === 0 || reject(new Error(`a process ended with ${code}`)));
  });
}
