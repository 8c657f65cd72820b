/**
 * What listening and asking costs a crawl: `npm run bench:serve`. A crawl of 200 pages a second runs over the API on a data file of 100,000 pages,
 * first alone, then beside 1,000 clients that wait for its end and 200 list calls a second. Its pace in both is compared, and how long the calls took.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { Agent, get, request as send } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBenchServer } from "../src/operations/bench-server.ts";
import { makeListsFile } from "./lists-file.ts";

const SIZE = { pages: 100_000, links: 200_000, decisions: 200_000 };
const RATE = 200;
const CALLS = 200;
const CLIENTS = 1000;
const SECONDS = Number(process.argv[2] ?? 30);

const LISTS = ["/pages", "/pages?sort=-seen", "/links", "/sites/1/links", "/crawls/2/decisions", "/sites/1/changes", "/crawls", "/sites"];

const db = join(tmpdir(), "nuthatch-bench-serve.db");
if (!existsSync(db)) await makeListsFile(db, SIZE);
const site = await openBenchServer({ pages: 4 * RATE * SECONDS });
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
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
}

const ask = (path: string, method = "GET", body?: unknown) =>
  new Promise<Answer>((resolve, reject) => {
    const began = performance.now();
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const request = send(`${url}/api/v1${path}`, { agent, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text, ms: performance.now() - began }));
    });
    request.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const pagesOf = async (id: number) => (JSON.parse((await ask(`/crawls/${id}`)).body) as { counters: { pages: number } }).counters.pages;

/** Pages a second of a run, over some time. */
async function paceOf(id: number): Promise<number> {
  const [before, began] = [await pagesOf(id), performance.now()];
  await sleep(SECONDS * 1000);
  return ((await pagesOf(id)) - before) / ((performance.now() - began) / 1000);
}

let heard = 0;
const listen = () =>
  new Promise<() => void>((resolve, reject) => {
    const request = get(`${url}/api/v1/events?types=crawl.finished`, { agent: false }, (response) => {
      response.on("data", (part: Buffer) => {
        heard += part.length;
      });
      resolve(() => request.destroy());
    });
    request.on("error", reject);
  });

const config = { rateLimit: `${RATE}/s`, perHost: 16, maxConcurrent: 16, maxPages: "none" };
const { id } = JSON.parse((await ask("/crawls", "POST", { url: `${site.origins[0]}/`, config })).body) as { id: number };
await sleep(3000);
const alone = await paceOf(id);

const leave: (() => void)[] = [];
for (let at = 0; at < CLIENTS; at += 50) leave.push(...(await Promise.all(Array.from({ length: 50 }, listen))));
const times: number[] = [];
let failures = 0;
const fail = () => {
  failures += 1;
};
const caller = setInterval(() => {
  for (let at = 0; at < CALLS / 50; at += 1)
    ask(LISTS[Math.floor(Math.random() * LISTS.length)]!).then(({ status, ms }) => void (status === 200 ? times.push(ms) : fail()), fail);
}, 20);
await sleep(1000);
const beside = await paceOf(id);
clearInterval(caller);
await sleep(500);
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1);
console.log(`crawl alone        ${alone.toFixed(1)} pages/s`);
console.log(`crawl beside them  ${beside.toFixed(1)} pages/s  (${((100 * beside) / alone).toFixed(1)} %)`);
console.log(`${times.length} list calls, ${failures} failed: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`);
console.log(`${CLIENTS} clients heard ${(heard / 1e6).toFixed(1)} MB`);
await ask(`/crawls/${id}/stop`, "POST");
for (const end of leave) end();
await new Promise((resolve) => child.once("exit", resolve) && child.kill("SIGTERM"));
await site.close();
process.exit(0);
