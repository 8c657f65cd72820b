/**
 * The gain from more worker processes: `npm run bench -- workers [-- --pages n] [--rounds n] [--write]`. The same hosts, with 50 ms
 * latency, are crawled by 1, 2 and 4 processes with ten requests in flight each, over one PostgreSQL with durable commits; the other
 * workers are started before the crawl. The CPU time of the workers and of PostgreSQL is measured separately.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type BenchServer, openBenchServer } from "../src/features/bench/bench-server.ts";
import { type Database, startDatabase } from "../test/workers/database.ts";
import { cpuOf, cpuWithChildren } from "./processes.ts";
import { busyNote, machine, recordLast } from "./report.ts";

interface Round {
  readonly workers: number;
  readonly pagesPerSecond: number;
  /** CPU seconds per 1,000 pages, of all workers and of PostgreSQL. */
  readonly crewCpu: number;
  readonly databaseCpu: number;
  readonly isOnce: boolean;
}

interface WorkersResult {
  readonly pages: number;
  readonly hosts: number;
  readonly latency: number;
  readonly inFlight: number;
  readonly rounds: number;
  readonly load: number;
  readonly rows: readonly Round[];
}

/** The median of each figure. */
function middle(rounds: readonly Round[]): Round {
  const of = (read: (round: Round) => number) => rounds.map(read).sort((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
  return {
    workers: rounds[0]!.workers,
    pagesPerSecond: of((round) => round.pagesPerSecond),
    crewCpu: of((round) => round.crewCpu),
    databaseCpu: of((round) => round.databaseCpu),
    isOnce: rounds.every((round) => round.isOnce),
  };
}

function tableOfWorkers(rows: readonly Round[]): string {
  const alone = rows[0]!.pagesPerSecond / rows[0]!.workers;
  const cells = rows.map((row) => [
    row.workers,
    row.pagesPerSecond.toFixed(0),
    (row.pagesPerSecond / alone).toFixed(2),
    (row.pagesPerSecond / alone / row.workers).toFixed(2),
    row.crewCpu.toFixed(2),
    row.databaseCpu.toFixed(2),
    row.isOnce ? "yes" : "no",
  ]);
  const header = ["workers", "pages/s", "times one", "of linear", "CPU s per 1,000 pages, workers", "PostgreSQL", "each page once"];
  return [header, ["--:", "--:", "--:", "--:", "--:", "--:", "---"], ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function recordWorkers(result: WorkersResult): void {
  recordLast(`## Several workers, ${result.latency} ms away

${result.hosts} hosts of ${result.pages / result.hosts} pages, two connections to each at most, ${result.inFlight} requests in flight for each worker, over one PostgreSQL, which keeps what it commits, on the same machine as everything else.

${tableOfWorkers(result.rows)}

Measured on ${new Date().toISOString().slice(0, 10)}, ${result.rounds === 1 ? "one round" : `medians of ${result.rounds} rounds`}, with \`npm run bench -- workers\`: ${machine()}.${busyNote(result.load)}
`);
}

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    pages: { type: "string", default: "100" },
    rounds: { type: "string", default: "3" },
  },
});
const HOSTS = 200;
const LATENCY = 50;
const IN_FLIGHT = 10;
const CREWS = [1, 2, 4];
const pages = Number(values.pages);
const program = fileURLToPath(new URL("../bundle/nuthatch.js", import.meta.url));
const lean = `--rate-limit none --auto-slow off --max-pages none --max-depth 100 --per-host 2 --save none --no-enhance`.split(" ");

const startOne = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
const atOnce = ["--max-concurrent", `${IN_FLIGHT}`];

/** The crawl process leads the run and works in it. Its CPU time is sampled until it ends, because it cannot be read after the exit. */
async function crawl(db: string, seeds: readonly string[]): Promise<{ seconds: number; cpu: number }> {
  const child = startOne(["crawl", "-", "--db", db, "--json", "--quiet", ...atOnce, ...lean]);
  child.stdin!.end(seeds.join("\n"));
  let cpu = 0;
  const looking = setInterval(() => {
    cpu = cpuOf(child.pid!);
  }, 50);
  child.on("exit", () => clearInterval(looking));
  const said = child.stdout!.setEncoding("utf8").toArray() as Promise<string[]>;
  const code = await new Promise((ended) => child.on("close", ended));
  if (code !== 0) throw new Error(`the crawl ended with ${code}`);
  return { seconds: (JSON.parse((await said).join("")) as { durationMs: number }).durationMs / 1000, cpu };
}

async function play(
  workers: number,
  { database, server, name }: { database: Database; server: BenchServer; name: string },
): Promise<Round> {
  const db = (await database.create(name))();
  // Creates the tables before the workers start.
  await new Promise((made) => startOne(["db", "migrate", "--db", db]).on("close", made));
  const others = Array.from({ length: workers - 1 }, (_, at) =>
    startOne(["worker", "--db", db, "--quiet", ...atOnce, "--name", `worker ${at + 2}`]),
  );
  await sleep(3000);
  const costs = () => others.reduce((sum, { pid }) => sum + cpuOf(pid!), 0);
  const [cost, before] = [costs(), cpuWithChildren(database.pid)];
  await server.served();
  const { seconds, cpu } = await crawl(db, server.origins);
  const [after, served] = [cpuWithChildren(database.pid), await server.served()];
  const crew = cpu + costs() - cost;
  await Promise.all(
    others.map((child) => {
      child.kill("SIGTERM");
      return new Promise((ended) => child.on("close", ended));
    }),
  );
  const isOnce = served.different === pages * HOSTS && served.twice === 0;
  const each = (ms: number) => ms / served.different;
  return { workers, pagesPerSecond: served.different / seconds, crewCpu: each(crew), databaseCpu: each(after - before), isOnce };
}

const load = loadavg()[0]!;
const [database, server] = await Promise.all([
  startDatabase({ isForgetful: false }),
  openBenchServer({ pages, hosts: HOSTS, latency: LATENCY }),
]);
const rounds: Round[] = [];
try {
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const workers of CREWS) {
      const played = await play(workers, { database, server, name: `round_${round}_${workers}` });
      rounds.push(played);
      process.stderr.write(
        `  round ${round}  ${workers}: ${played.pagesPerSecond.toFixed(0)} pages/s${played.isOnce ? "" : ", NOT each page once"}\n`,
      );
    }
  }
} finally {
  await server.close();
  await database.close();
}
const result = {
  ...{ pages: pages * HOSTS, hosts: HOSTS, latency: LATENCY, inFlight: IN_FLIGHT, rounds: Number(values.rounds), load },
  rows: CREWS.map((workers) => middle(rounds.filter((round) => round.workers === workers))),
};
process.stdout.write(`${tableOfWorkers(result.rows)}\n`);
if (values.write) recordWorkers(result);
