// The cost of knowing a million URLs: node dist/bench/known.js [--write]. Crawls a site of more than a million pages, kills the crawl when
// it knows a million, and restarts it: measures peak memory, size of the write-ahead log, and time to the next request.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { DatabaseSync } from "@photostructure/sqlite";
import { type BenchServer, openBenchServer } from "../src/features/bench/bench-server.ts";
import { lean } from "./contenders.ts";
import { busyNote, machine, recordLast } from "./report.ts";

const { values } = parseArgs({ options: { write: { type: "boolean", default: false }, pages: { type: "string", default: "1200000" } } });
const pages = Number(values.pages);
/** Number of visits after which nearly all pages are known: each page has fifty links. */
const VISITS = Math.ceil(pages / 14);
const MB = 1024 * 1024;
const LOOK_EVERY = 20;
/** Milliseconds to watch after the restart, enough to load the working set. */
const WATCHED = 3000;

interface Look {
  /** Milliseconds from the start of the process to its first request. */
  readonly firstAfter: number;
  readonly peakRss: number;
  readonly peakLog: number;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function peakRssOf({ pid }: ChildProcess): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

/** Crawls until `isEnough`, then kills the process. */
async function crawl(server: BenchServer, folder: string, isEnough: (requests: number, since: number) => boolean): Promise<Look> {
  const { program, args } = lean.run({ seeds: server.origins, connections: 64, perHost: 64 });
  await server.served();
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let [requests, firstAfter, peakRss, peakLog] = [0, 0, 0, 0];
  while (child.exitCode === null && !isEnough(requests, firstAfter === 0 ? 0 : performance.now() - startedAt - firstAfter)) {
    requests += (await server.served()).requests;
    if (requests > 0 && firstAfter === 0) firstAfter = performance.now() - startedAt;
    peakRss = Math.max(peakRss, peakRssOf(child));
    peakLog = Math.max(peakLog, sizeOf(join(folder, "bench.db-wal")));
    await pause(LOOK_EVERY);
  }
  if (child.exitCode !== null) throw new Error(`it ended by itself with code ${child.exitCode}`);
  child.kill("SIGKILL");
  await ended;
  return { firstAfter, peakRss, peakLog };
}

function countIn(file: string): { readonly known: number; readonly waiting: number } {
  const db = new DatabaseSync(file);
  const row = db.prepare("SELECT count(*) AS known, sum(verdict = 'queued') AS waiting FROM decision").get() as Record<string, number>;
  db.close();
  return { known: row.known!, waiting: row.waiting! };
}

const load = loadavg()[0]!;
const folder = mkdtempSync(join(tmpdir(), "nuthatch-known-"));
const server = await openBenchServer({ pages });
try {
  const first = await crawl(server, folder, (requests) => requests >= VISITS);
  const again = await crawl(server, folder, (_, since) => since > WATCHED);
  const file = join(folder, "bench.db");
  const { known, waiting } = countIn(file);
  const number = (value: number) => Math.round(value).toLocaleString("en");
  const rows = [
    ["URLs known", number(known)],
    ["of them waiting to be visited", number(waiting)],
    ["peak RSS of the crawl that heard of them, MiB", number(first.peakRss / MB)],
    ["from its start to its first request, s", (first.firstAfter / 1000).toFixed(2)],
    ["peak of its log (WAL), MiB", number(first.peakLog / MB)],
    ["the file, MiB", number(sizeOf(file) / MB)],
    ["started again after SIGKILL: to the first request, s", (again.firstAfter / 1000).toFixed(2)],
    ["peak RSS of that, MiB", number(again.peakRss / MB)],
  ];
  const table = ["|  |  |", "| --- | --: |", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");
  console.log(table);
  if (values.write)
    recordLast(`## A million known URLs

A lean crawl of a site of ${number(pages)} pages, killed after ${number(VISITS)} visits and started again.

${table}

Measured on ${new Date().toISOString().slice(0, 10)} with \`npm run bench -- known --write\`: ${machine()}.${busyNote(load)}
`);
} finally {
  await server.close();
  rmSync(folder, { recursive: true });
}
