/**
 * What more workers bring: `npm run bench:workers [-- --pages n] [--rounds n] [--write]`. The same hosts, 50 ms away, are crawled by 1, 2 and 4 processes with ten
 * requests in flight each, over one PostgreSQL that keeps what it commits; the others are there before the crawl begins. What they and PostgreSQL cost is counted apart.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type BenchServer, openBenchServer } from "../src/operations/bench-server.ts";
import { type Database, startDatabase } from "../test/workers/database.ts";
import { cpuOf, cpuWithChildren } from "./process-cpu.ts";
import { middle, type Round, recordWorkers, tableOfWorkers } from "./workers-report.ts";

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

/** The crawl leads and works; it is looked at until its end, because what it cost is not to be had afterwards. */
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
  // Whoever is first makes the tables.
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
