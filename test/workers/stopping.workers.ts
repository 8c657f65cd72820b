/** What ends, or waits, ends and waits well: a page limit, Ctrl-C, a signal to one of many, a database that is away or says nothing more. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { nuthatch } from "../cli.ts";
import { type Database, startDatabase } from "./database.ts";
import { type Crew, hire, type Member, untilAsked, untilEnded } from "./fleet.ts";
import { type Gate, openGate } from "./gate.ts";
import { judge } from "./judge.ts";
import { type ManyHosts, startManyHosts } from "./site.ts";

const HOSTS = 200;
const PAGES = 8;
let database: Database;
let site: ManyHosts;
let gate: Gate;
let crew: Crew;

beforeAll(async () => {
  [database, site] = await Promise.all([startDatabase(), startManyHosts({ hosts: HOSTS, pages: PAGES })]);
  gate = await openGate(database.port);
});
afterEach(() => crew.dismiss());
afterAll(async () => {
  site.close();
  await gate.shut();
  await database.close();
});

const told = async (member: Member) => JSON.parse((await member.ended).stdout) as { stopReason: string; stats: { pages: number } };

/** What is stored, and what the run says of it. */
async function pagesOf(name: string): Promise<{ stored: number; counted: number; status: string; reason: string }> {
  const [{ stored }] = (await database.query(name, "SELECT count(*)::int AS stored FROM page WHERE version_id IS NOT NULL")) as [Row];
  const [run] = (await database.query(name, "SELECT status, stop_reason, counters FROM run")) as [Row];
  const counted = (JSON.parse(String(run.counters)) as { pages: number }).pages;
  return { stored: Number(stored), counted, status: String(run.status), reason: String(run.stop_reason) };
}
type Row = Record<string, unknown>;

async function begin(name: string, { workers, concurrent = 20, lease = 10_000, port }: Given, more: readonly string[] = []) {
  await site.forget();
  const url = (await database.create(name))(port);
  crew = hire({ maxConcurrent: concurrent, lease });
  const lead = crew.crawl(url, site, more);
  const others = Array.from({ length: workers }, (_, at) => crew.worker(url, `worker ${at}`));
  return { url, lead, others };
}
interface Given {
  readonly workers: number;
  readonly concurrent?: number;
  readonly lease?: number;
  readonly port?: number;
}

/** Seconds of processor time that a process has had. */
function cpuOf(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]!.split(" ").slice(11, 13).map(Number) as [
    number,
    number,
  ];
  return (user + system) / 100;
}

test.each([0, 3])("a limit of pages over 200 hosts, with %i workers beside the crawl, ends at exactly so many", async (workers) => {
  const name = `limit${workers}`;
  const { lead } = await begin(name, { workers, concurrent: 50 }, ["--rate-limit", "5/s", "--max-pages", "600"]);
  expect(await told(lead)).toMatchObject({ stopReason: "limit.pages", stats: { pages: 600 } });
  expect(await pagesOf(name)).toEqual({ stored: 600, counted: 600, status: "stopped", reason: "limit.pages" });
});

test.runIf(process.platform === "linux")("who waits for pages that others hold does nothing meanwhile", async () => {
  // The crawl takes some pages of the limit, and stands still before it has fetched them.
  const { lead, others } = await begin("waiting", { workers: 2, concurrent: 10, lease: 30_000 }, [
    "--rate-limit",
    "2/s",
    "--max-pages",
    "400",
  ]);
  await untilAsked(site, 300, crew);
  lead.kill("SIGSTOP");
  // Until the others have used up what they hold.
  for (let [before, asked] = [-1, 0]; asked !== before; ) {
    [before, asked] = [asked, await site.count()];
    await sleep(2000);
  }
  const before = others.map(({ pid }) => cpuOf(pid));
  await sleep(5000);
  const shares = others.map(({ pid }, at) => (cpuOf(pid) - before[at]!) / 5);
  lead.kill("SIGCONT");
  expect(await told(lead)).toMatchObject({ stats: { pages: 400 } });
  expect((await pagesOf("waiting")).stored).toBe(400);
  for (const share of shares) expect(share, "of a core").toBeLessThan(0.1);
});

test("Ctrl-C at the crawl ends what its workers do for it, and the run is carried on with", async () => {
  const { url, lead, others } = await begin("interrupted", { workers: 2 }, ["--rate-limit", "2/s"]);
  await untilAsked(site, 500, crew);
  lead.kill("SIGINT");
  const result = await told(lead);
  await sleep(1000);
  const asked = await site.count();
  await sleep(3000);
  expect(await site.count(), "requests after the end").toBe(asked);
  expect(result.stopReason).toBe("stopped");
  expect(others.every(({ isAtWork }) => isAtWork)).toBe(true);
  const { stored, counted, status } = await pagesOf("interrupted");
  expect({ counted, status, told: result.stats.pages }).toEqual({ counted: stored, status: "stopped", told: stored });
  const resumed = await nuthatch(["resume", "1", "--db", url, "--json", "-q", "--rate-limit", "20/s", "--allow-private", "127.66.0.0/16"]);
  expect(resumed.code, resumed.stderr).toBe(0);
  const { missing, foreign, repeats } = await judge(site);
  expect({ missing, foreign, repeats }).toEqual({ missing: [], foreign: [], repeats: 0 });
});

test("a signal to the worker that leads ends that worker alone", async () => {
  const { lead, others } = await begin("handed", { workers: 3, lease: 3000 }, ["--rate-limit", "30/m"]);
  await untilAsked(site, 300, crew);
  lead.kill("SIGKILL");
  const leader = async () => {
    const [row] = await database.query("handed", "SELECT w.pid FROM run r JOIN worker w ON w.id = r.owner WHERE r.status = 'running'");
    return others.find(({ pid }) => pid === Number(row?.pid));
  };
  let first = await leader();
  for (; !first; first = await leader()) await sleep(50);
  first.kill("SIGTERM");
  expect((await first.ended).code).toBe(0);
  let second = await leader();
  for (; !second; second = await leader()) await sleep(50);
  expect(second).not.toBe(first);
  expect(await untilEnded(database, "handed", crew)).toBe("finished");
  const { missing, foreign } = await judge(site);
  expect({ missing, foreign }).toEqual({ missing: [], foreign: [] });
  expect(others.filter(({ isAtWork }) => isAtWork)).toHaveLength(2);
});

test("while the database is away each process tries seldom, Ctrl-C ends it, and the others carry on when it is back", async () => {
  const { lead, others } = await begin("away", { workers: 1, port: gate.port }, ["--rate-limit", "2/s"]);
  await untilAsked(site, 400, crew);
  gate.refuse();
  await sleep(15_000);
  const early = gate.tries;
  await sleep(15_000);
  // Two processes, which wait up to ten seconds between two tries.
  expect(gate.tries - early).toBeLessThanOrEqual(8);
  expect(early).toBeLessThanOrEqual(20);
  lead.kill("SIGINT");
  await Promise.race([lead.ended, sleep(10_000)]);
  expect(lead.isAtWork, "the crawl, ten seconds after Ctrl-C").toBe(false);
  expect((await lead.ended).stderr).toContain("waiting for it to come back");
  await gate.open();
  expect(await untilEnded(database, "away", crew)).toBe("finished");
  expect(others[0]!.isAtWork).toBe(true);
  const { missing, foreign } = await judge(site);
  expect({ missing, foreign }).toEqual({ missing: [], foreign: [] });
});

test("a connection over which nothing comes any more is given up, and a new one made", async () => {
  const { lead } = await begin("frozen", { workers: 2, port: gate.port, lease: 30_000 }, ["--rate-limit", "2/s"]);
  await untilAsked(site, 400, crew);
  gate.freeze();
  expect(await told(lead)).toMatchObject({ stopReason: "finished" });
  expect((await lead.ended).stderr).toContain("it has not answered for 10 s");
  const { missing, foreign } = await judge(site);
  expect({ missing, foreign }).toEqual({ missing: [], foreign: [] });
});

test("a statement that waits for a lock is waited for", async () => {
  const { lead } = await begin("locked", { workers: 1, port: gate.port, lease: 30_000 }, ["--rate-limit", "2/s"]);
  await untilAsked(site, 400, crew);
  await database.query("locked", "BEGIN; LOCK TABLE host; SELECT pg_sleep(25); COMMIT");
  expect(await told(lead)).toMatchObject({ stopReason: "finished" });
  expect((await lead.ended).stderr).not.toContain("not answered");
});
