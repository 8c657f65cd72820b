/**
 * Checks that the memory of a long-lived process stays constant. `npm run soak -- --hours 1` (or `--minutes 3`) crawls 200 misbehaving
 * hosts over TLS repeatedly: one crawler of the library in one process, one run after the other into one data file, with the malloc
 * settings that the server uses for its crawling process (`--plain` leaves them out). Samples the process every minute after a garbage
 * collection of its main thread, and once more after each run, when it is idle: memory during a run depends on its pages, and what remains
 * afterwards shows a leak sooner. At the end it prints the growth of each figure, by least squares over all but the first third, for both
 * kinds of samples. Exits with 1 if a run fails.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { mallocSettings } from "../src/core/malloc.ts";
import { type CrawlResult, createCrawler } from "../src/index.ts";
import { manyHosts } from "./real-site.ts";
import { makeCertificate } from "./web-server.ts";

const { values } = parseArgs({
  options: {
    hours: { type: "string" },
    minutes: { type: "string" },
    hosts: { type: "string", default: "200" },
    every: { type: "string", default: "60" },
    plain: { type: "boolean", default: false },
  },
});
if (!values.plain && process.env.MALLOC_MMAP_THRESHOLD_ === undefined) {
  const again = spawnSync(process.execPath, process.argv.slice(1), { stdio: "inherit", env: { ...process.env, ...mallocSettings } });
  process.exit(again.status ?? 1);
}
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MB = 1024 * 1024;
const lasts = values.minutes === undefined ? Number(values.hours ?? 1) * HOUR : Number(values.minutes) * MINUTE;
/** Time limit for a run whose hosts wait too long, so that many runs are made. */
const LONGEST_RUN = "3m";

interface Look {
  /** True if no run was active. */
  readonly isAtRest: boolean;
  readonly at: number;
  readonly figures: Readonly<Record<string, number>>;
}

const folder = mkdtempSync(join(tmpdir(), "nuthatch-soak-"));
const db = join(folder, "soak.db");
const totals = { runs: 0, pages: 0, failed: 0 };
const problems: string[] = [];
const end = new AbortController();

/** Total size of all data files, including the write-ahead log. */
const dataSize = (): number =>
  readdirSync(folder).reduce((sum, name) => sum + (name.startsWith("soak.db") ? statSync(join(folder, name)).size : 0), 0);

function look(at: number, isAtRest: boolean): Look {
  collectGarbage();
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const kinds: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) kinds[`handles: ${kind}`] = (kinds[`handles: ${kind}`] ?? 0) + 1;
  const memory = { "RSS MB": rss / MB, "heap MB": heapUsed / MB, "external MB": external / MB, "array buffers MB": arrayBuffers / MB };
  const held = { threads: readdirSync("/proc/self/task").length, "open files": readdirSync("/proc/self/fd").length };
  return { at, isAtRest, figures: { ...memory, ...held, "data MB": dataSize() / MB, ...totals, ...kinds } };
}

const shown = (value: number) => (Number.isInteger(value) ? `${value}` : value.toFixed(1));
const lineOf = ({ at, isAtRest, figures }: Look) =>
  `${(at / MINUTE).toFixed(1).padStart(6)} min  ${isAtRest ? "at rest  " : ""}${Object.entries(figures)
    .map(([name, value]) => `${name} ${shown(value)}`)
    .join("  ")}`;

/** Growth per hour, by least squares, with its standard error. */
function slopeOf(points: readonly (readonly [at: number, value: number])[]): readonly [slope: number, error: number] {
  const mean = (read: (point: readonly [number, number]) => number) => points.reduce((sum, point) => sum + read(point), 0) / points.length;
  const [middleAt, middleValue] = [mean(([at]) => at), mean(([, value]) => value)];
  const spread = points.reduce((sum, [at]) => sum + (at - middleAt) ** 2, 0);
  if (spread === 0 || points.length < 3) return [0, 0];
  const slope = points.reduce((sum, [at, value]) => sum + (at - middleAt) * (value - middleValue), 0) / spread;
  const rest = points.reduce((sum, [at, value]) => sum + (value - middleValue - slope * (at - middleAt)) ** 2, 0);
  return [slope * HOUR, Math.sqrt(rest / (points.length - 2) / spread) * HOUR];
}

function summary(looks: readonly Look[]): string {
  const settled = looks.filter(({ at }) => at >= lasts / 3);
  const names = [...new Set(looks.flatMap(({ figures }) => Object.keys(figures)))];
  const rows = names.map((name) => {
    const all = looks.map(({ figures }) => figures[name] ?? 0);
    const [slope, error] = slopeOf(settled.map(({ at, figures }) => [at, figures[name] ?? 0]));
    const cells = [all[0]!, Math.max(...all), all.at(-1)!].map((value) => shown(value).padStart(10));
    return `${name.padEnd(32)}${cells.join("")}${`${slope.toFixed(1)} ± ${error.toFixed(1)}`.padStart(18)}`;
  });
  const header = `${"".padEnd(32)}${["first", "most", "last"].map((word) => word.padStart(10)).join("")}${"an hour".padStart(18)}`;
  const when = looks.every(({ isAtRest }) => isAtRest) ? "between runs" : "while a run was under way";
  return [`${looks.length} looks ${when}, slopes from ${settled.length} of them`, header, ...rows, ""].join("\n");
}

async function openSite(): Promise<{ origins: readonly string[]; close(): Promise<void> }> {
  makeCertificate(folder, manyHosts(Number(values.hosts)));
  const program = fileURLToPath(new URL("./soak-site.js", import.meta.url));
  const child = spawn(process.execPath, [program, values.hosts, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const { value, done } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (done) throw new Error(`the site ended early (code ${child.exitCode})`);
  child.once("exit", (code) => {
    if (code === 0) return;
    problems.push(`the site ended with code ${code}`);
    end.abort();
  });
  return { origins: (JSON.parse(value) as { origins: string[] }).origins, close: () => ended(child) };
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  child.stdin?.end();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}

/** A run cut off at the end of the soak is interrupted; one cut off earlier reached its time limit. Both are expected. */
function judge({ stopReason, stats }: CrawlResult, isLast: boolean): string | undefined {
  if (stopReason === "failed") return "it failed";
  if (stopReason === "stopped" && !isLast) return "it was interrupted";
  return stats.pages === 0 && !isLast ? "it fetched no page" : undefined;
}

const site = await openSite();
const startedAt = performance.now();
const since = () => performance.now() - startedAt;
const timer = setTimeout(() => end.abort(), lasts);
const looks: Look[] = [];
const note = (isAtRest = false) => {
  const one = look(since(), isAtRest);
  looks.push(one);
  console.log(lineOf(one));
};
const looking = setInterval(() => note(), Number(values.every) * 1000);
const crawler = createCrawler({
  ...{ db, ca: join(folder, "cert.pem"), allowPrivate: ["127.0.0.0/8"], rateLimit: "none", autoSlow: "off" },
  ...{ maxConcurrent: 32, perHost: 1, maxPages: "none", retries: 1, timeout: "5s", maxTime: LONGEST_RUN, maxWait: "10s" },
});
note();
try {
  while (!end.signal.aborted) {
    let pages = 0;
    const run = crawler.run(site.origins, { new: true, signal: end.signal });
    run.on("page.fetched", () => {
      pages += 1;
      totals.pages += 1;
    });
    const result = await run.result;
    totals.runs += 1;
    totals.failed += result.stats.failed ?? 0;
    const problem = judge(result, end.signal.aborted);
    console.log(
      `run ${totals.runs}: ${result.stopReason}, ${pages} pages in ${(result.durationMs / 1000).toFixed(0)} s${problem ? `: ${problem}` : ""}`,
    );
    if (problem) problems.push(`run ${totals.runs}: ${problem}`);
    // Waits for keep-alive connections to close and threads to exit.
    await pause(2000);
    note(true);
  }
} catch (cause) {
  problems.push(`run ${totals.runs + 1}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
} finally {
  clearTimeout(timer);
  clearInterval(looking);
  await site.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const isAtRest of [false, true]) console.log(`\n${summary(looks.filter((one) => one.isAtRest === isAtRest))}`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
