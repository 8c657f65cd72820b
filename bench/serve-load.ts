/**
 * How much API clients slow down a crawl: `npm run bench -- serve [seconds]`. On a data file of 100,000 pages, first measures the cost of
 * one call of each list. Then a crawl of 200 pages a second runs over the API: alone, with 1,000 clients that wait for its end and 200 list
 * calls a second, and alone again. Calls are made at their due time even if earlier ones are unanswered, and their latency counts from
 * then.
 */

import { spawn } from "node:child_process";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { Agent, get, request as send } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { seedsBy } from "../src/core/seed.ts";
import { openApp } from "../src/engine/app.ts";
import { openBenchServer } from "../src/features/bench/bench-server.ts";
import { SCHEMA_VERSION } from "../src/store/index.ts";
import { childrenOf, cpuOf, frontCpuOf } from "./processes.ts";

/** A large data file, generated without a crawl: only its size and structure matter. */
interface ListsFile {
  readonly pages: number;
  readonly links: number;
  readonly decisions: number;
}

const numbers = (count: number) => `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
/** A deterministic pseudo-random number below `most` for each row. */
const any = (most: number, salt: number) => `((i * 2654435761 + ${salt} * 40503) % 1000003 * 7919 % ${most})`;
const urlOf = (kind: string) => `'https://town.test/' || ${any(40, 1)} || '/' || ${any(500, 2)} || '/${kind}-' || i`;
const metadata = `json_object('title', json_object('value', 'Page ' || i, 'source', 'h1', 'confidence', 0.9),
  'lang', json_object('value', iif(i % 10 = 0, 'de', 'en'), 'source', 'html', 'confidence', 1),
  'topics', json_object('value', json_array(json_object('name', 'topic-' || ${any(50, 3)}, 'source', 'content', 'confidence', 0.5, 'parents', json_array())), 'source', 'content'))`;

async function makeListsFile(path: string, { pages, links, decisions }: ListsFile): Promise<void> {
  const app = await openApp({ db: path });
  const site = await app.store.site("https://town.test/", "https://town.test/");
  for (const at of [1, 2]) {
    const run = await app.store.startRun({ sites: [site], seeds: seedsBy("person", [site.url]), options: {}, at });
    await app.store.endRun(run.id, { status: "finished", stopReason: "finished", at: at + 1, counters: run.counters, state: {} });
  }
  await app.close();
  const db = new DatabaseSync(path);
  db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN");
  db.exec(
    "INSERT INTO host (id, name) VALUES (1, 'town.test'); INSERT INTO word (id, word) VALUES (1, 'budget'), (2, 'agenda'), (3, 'minutes'), (4, 'audit')",
  );
  db.exec(
    "INSERT INTO keyword (site_id, word_id, weight, scorer) VALUES (1, 1, 1, 'x'), (1, 2, 0.8, 'x'), (1, 3, 0.5, 'x'), (1, 4, 0.3, 'x')",
  );
  db.exec(`${numbers(pages)} INSERT INTO page (id, uid, site_id, hash, host_id, url, depth, via, parent_url, status, content_type, change, run_id, seq, first_run_id,
      first_seen_at, fetched_at, changed_at, duration, bytes, version_id, reader)
    SELECT i, 'u' || i, 1, i * 1000003, 1, ${urlOf("page")}, ${any(9, 4)}, 'link', 'https://town.test/', iif(i % 97 = 0, 404, 200), 'text/html',
      iif(i % 20 = 0, 'changed', 'same'), 1 + i % 2, i, 1, 1, 1, 1, 100, 20000, i, 'r' FROM n`);
  db.exec(`${numbers(pages)} INSERT INTO page_version (id, page_id, number, run_id, fetched_at, type, charset, metadata, noindex, nofollow, text_hash, links_hash, simhash,
      word_count, link_count, link_index, links) SELECT i, i, 1, 1, 1, 'html', 'utf-8', ${metadata}, 0, 0, hex(i), hex(i), '', 300, 50, zeroblob(450), zeroblob(900) FROM n`);
  db.exec(
    `${numbers(pages)} INSERT INTO change (run_id, page_id, status, at, detail) SELECT 2, i, iif(i % 20 = 0, 'changed', 'new'), 1, '' FROM n`,
  );
  db.exec(
    `${numbers(links)} INSERT INTO link (id, hash, url) SELECT i, i * 1000003, ${urlOf("link")} || iif(i % 5 = 0, '.pdf', '') FROM n`,
  );
  db.exec(`${numbers(links)} INSERT INTO link_source (page_id, link_id, version_id, position, text, first_run_id, matches)
    SELECT 1 + i % ${pages}, i, 1, 1, 'Link ' || i, 1 + (i % 50 = 0), '{}' FROM n`);
  db.exec(`${numbers(links)} INSERT INTO link_keyword (site_id, link_id, word_id, match, holders, scorer, first_run_id)
    SELECT 1, i, 1 + i % 3, 0.01 + ${any(100, 5)} / 101.0, 1, 'x', 1 + (i % 50 = 0) FROM n
    UNION ALL SELECT 1, i, 4, 0.5, 1, 'x', 1 + (i % 50 = 0) FROM n WHERE i % 10000 = 0`);
  db.exec(
    "INSERT INTO link_score (site_id, link_id, score, first_run_id) SELECT site_id, link_id, round(score, 3), first_run_id FROM v_scores",
  );
  db.exec(`${numbers(decisions)} INSERT INTO decision (id, run_id, hash, host_id, site_id, kind, url, depth, hops, via, level, priority, verdict, reason, rule, at)
    SELECT i, 2, i * 1000003, 1, 1, 'page', ${urlOf("url")}, ${any(9, 6)}, 0, 'link', 3, 0.5,
      CASE WHEN i % 100 = 0 THEN 'failed' WHEN i % 3 = 0 THEN 'skipped' ELSE 'fetched' END,
      CASE WHEN i % 100 = 0 THEN 'http.5xx' WHEN i % 30 = 0 THEN 'robots.disallow' WHEN i % 3 = 0 THEN 'scope.host' ELSE 'ok' END, '', 1 FROM n`);
  db.exec("UPDATE run SET ledger_from = 0; COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

const SIZE = { pages: 100_000, links: 200_000, decisions: 200_000 };
const RATE = 200;
/** The delay counts from the answer and not from the request, so a host is asked slightly less often than its rate allows. */
const HOSTS = 20;
const HOST_RATE = 15;
const CALLS = 200;
const CLIENTS = 1000;
const SECONDS = Number(process.argv[2] ?? 30);
const WARM_UP = 10;

const LISTS = ["/pages", "/pages?sort=-seen", "/links", "/sites/1/links", "/crawls/2/decisions", "/sites/1/changes", "/crawls", "/sites"];

const made = join(tmpdir(), `nuthatch-bench-serve-v${SCHEMA_VERSION}.db`);
const db = join(tmpdir(), `nuthatch-bench-serve-${process.pid}.db`);
if (!existsSync(made)) await makeListsFile(made, SIZE);
copyFileSync(made, db);
const site = await openBenchServer({ pages: (2 * RATE * (3 * SECONDS + 4 * WARM_UP)) / HOSTS, hosts: HOSTS });
const child = spawn(
  process.execPath,
  ["dist/bundle/nuthatch.js", "serve", "--db", db, "--port", "0", "--no-dashboard", "--allow-private", "127.0.0.0/8"],
  { stdio: ["ignore", "ignore", "pipe"] },
);
const url = await new Promise<string>((resolve) => {
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    const found = /listens on (\S+)/.exec(said)?.[1];
    if (found) resolve(found);
    else process.stderr.write(text);
  });
});
const server = child.pid!;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

interface Answer {
  readonly status: number;
  readonly body: string;
}

const ask = (path: string, method = "GET", body?: unknown) =>
  new Promise<Answer>((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const request = send(`${url}/api/v1${path}`, { agent, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }));
    });
    request.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const shown = (value: number, digits = 1) => value.toFixed(digits).padStart(8);
const part = (sorted: readonly number[], share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** CPU cost of one list, requested repeatedly on an idle server. */
async function costOf(path: string): Promise<void> {
  for (let call = 0; call < 100; call += 1) await ask(path);
  const [all, front] = [cpuOf(server), frontCpuOf(server)];
  let bytes = 0;
  const calls = 300;
  for (let call = 0; call < calls; call += 1) bytes = (await ask(path)).body.length;
  const each = [cpuOf(server) - all, frontCpuOf(server) - front].map((ms) => ms / calls);
  console.log(
    `${path.padEnd(24)} CPU ${shown(each[0]!, 2)} ms a call, ${shown(each[1]!, 2)} of it where it comes in   ${(bytes / 1000).toFixed(0)} KB`,
  );
}

const counted = async (id: number) => (JSON.parse((await ask(`/crawls/${id}`)).body) as { counters: { pages: number } }).counters.pages;

/** Pages per second of a run, and the CPU time of each process, over some time. */
async function paceOf(id: number, about: string): Promise<number> {
  const [engine] = childrenOf(server);
  const costs = () => [
    cpuOf(engine!),
    frontCpuOf(server),
    cpuOf(server),
    process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
  ];
  const [pages, before, began] = [await counted(id), costs(), performance.now()];
  await sleep(SECONDS * 1000);
  const [more, after, ms] = [(await counted(id)) - pages, costs(), performance.now() - began];
  const [crawl, front, all, own] = after.map((cost, at) => ((cost - before[at]!) / ms).toFixed(2));
  console.log(
    `${about.padEnd(16)} ${shown((1000 * more) / ms)} pages/s   cores: crawl ${crawl}, server ${all} (${front} where calls come in), this bench ${own}`,
  );
  return (1000 * more) / ms;
}

let heard = 0;
const listen = () =>
  new Promise<() => void>((resolve, reject) => {
    const request = get(`${url}/api/v1/events?types=crawl.finished`, { agent: false }, (response) => {
      response.on("data", (data: Buffer) => {
        heard += data.length;
      });
      resolve(() => request.destroy());
    });
    request.on("error", reject);
  });

const times = new Map(LISTS.map((path) => [path, [] as number[]]));
let failures = 0;

const forget = () => {
  for (const list of times.values()) list.length = 0;
};

/** Calls a list whenever one is due. Returns a function that stops it. */
function callLists(): () => void {
  let due = performance.now();
  const call = async (path: string, at: number) => {
    const { status } = await ask(path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    times.get(path)!.push(performance.now() - at);
  };
  const timer = setInterval(() => {
    for (; due <= performance.now(); due += 1000 / CALLS)
      call(LISTS[Math.floor(Math.random() * LISTS.length)]!, due).catch(() => {
        failures += 1;
      });
  }, 1);
  return () => clearInterval(timer);
}

for (const path of LISTS) await costOf(path);

const config = { rateLimit: `${HOST_RATE}/s`, maxConcurrent: 32, maxPages: "none", autoSlow: "off" };
const urls = site.origins.map((origin) => `${origin}/`);
const { id } = JSON.parse((await ask("/crawls", "POST", { urls, config })).body) as { id: number };
await sleep(WARM_UP * 1000);
const first = await paceOf(id, "crawl alone");
const leave: (() => void)[] = [];
for (let at = 0; at < CLIENTS; at += 50) leave.push(...(await Promise.all(Array.from({ length: 50 }, listen))));
const stop = callLists();
await sleep(WARM_UP * 1000);
forget();
const beside = await paceOf(id, "beside the calls");
stop();
await sleep(1000);
for (const end of leave) end();
await sleep(WARM_UP * 500);
const alone = (first + (await paceOf(id, "alone again"))) / 2;
console.log(`beside the calls it keeps ${((100 * beside) / alone).toFixed(1)} % of its pace`);

const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b);
const told = (about: string, list: readonly number[]) =>
  console.log(`${about.padEnd(24)} ${list.length} calls, p50 ${shown(part(list, 0.5))} ms, p99 ${shown(part(list, 0.99))} ms`);
for (const [path, list] of times) told(path, sorted(list));
told("all lists", sorted([...times.values()].flat()));
console.log(`${failures} failed; ${CLIENTS} clients heard ${(heard / 1e6).toFixed(1)} MB`);
await ask(`/crawls/${id}/stop`, "POST");
await new Promise((resolve) => child.once("exit", resolve) && child.kill("SIGTERM"));
await site.close();
for (const end of ["", "-wal", "-shm"]) rmSync(`${db}${end}`, { force: true });
process.exit(0);
