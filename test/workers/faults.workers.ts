import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Database, startDatabase } from "./database.ts";
import { type Crew, clockOff, hire, type Member, untilAsked, untilEnded } from "./fleet.ts";
import { type Gate, openGate } from "./gate.ts";
import { judge } from "./judge.ts";
import { type ManyHosts, startManyHosts } from "./site.ts";

const PACE = 500;
const LEASE = 10_000;
const CONCURRENCY = 5;
let database: Database;
let site: ManyHosts;
let gate: Gate;
let crew: Crew;

beforeAll(async () => {
  [database, site] = await Promise.all([startDatabase(), startManyHosts({ hosts: 40, pages: 30, latency: 30 })]);
  gate = await openGate(database.port);
});
afterEach(() => crew.dismiss());
afterAll(async () => {
  site.close();
  await gate.shut();
  await database.close();
});

interface Fleet {
  readonly lead: Member;
  readonly others: readonly Member[];
}

/** What goes wrong in mid-crawl; answers how many of the fleet had requests out that may be made again. */
type Fault = (fleet: Fleet) => Promise<number>;

const restart: Fault = async () => {
  for (let time = 1; time <= 5; time++) {
    await database.stopAtOnce();
    await sleep(Math.random() * 1000);
    await database.start();
    await untilAsked(site, (await site.count()) + 40, crew);
  }
  return 4 * 5;
};

const standStill = async (member: Member): Promise<number> => {
  member.kill("SIGSTOP");
  await sleep(2 * LEASE);
  member.kill("SIGCONT");
  return 1;
};

const faults: [string, string, Fault][] = [
  [
    "one is killed",
    "killed",
    async ({ others }) => {
      others[0]!.kill("SIGKILL");
      return 1;
    },
  ],
  [
    "the one that leads is killed",
    "led",
    async ({ lead }) => {
      lead.kill("SIGKILL");
      return 1;
    },
  ],
  ["one stands still for longer than its lease, and then goes on", "still", ({ others }) => standStill(others[0]!)],
  ["the one that leads does, and another leads meanwhile", "followed", ({ lead }) => standStill(lead)],
  ["PostgreSQL is stopped at once and started again, five times", "restarted", restart],
  [
    "nobody reaches PostgreSQL for a minute",
    "cut",
    async () => {
      await gate.shut();
      await sleep(60_000);
      await gate.open();
      return 4;
    },
  ],
  ["the clock of one is an hour ahead, and of another an hour back", "clocks", async () => 0],
];

test.each(faults)(
  "%s: the run ends with all pages, and nothing is asked for sooner or more often than it must be",
  async (_, name, fault) => {
    await site.forget();
    const url = (await database.create(name))(gate.port);
    crew = hire({ maxConcurrent: CONCURRENCY, lease: LEASE });
    const lead = crew.crawl(url, site, ["--rate-limit", `${1000 / PACE}/s`]);
    const clocks = name === "clocks" ? [clockOff(1), clockOff(-1)] : [];
    const others = [0, 1, 2].map((at) => crew.worker(url, `worker ${at}`, clocks[at]));
    await untilAsked(site, site.urls.length / 4, crew);
    const mayRepeat = (await fault({ lead, others })) * CONCURRENCY;
    expect(await untilEnded(database, name, crew)).toBe("finished");
    const { missing, foreign, repeats, closest } = await judge(site);
    expect({ missing, foreign }).toEqual({ missing: [], foreign: [] });
    expect(repeats, "repeats").toBeLessThanOrEqual(mayRepeat);
    expect(closest, "pace").toBeGreaterThanOrEqual(PACE);
    await isWhole(name);
    if (name !== "led") expect(JSON.parse((await lead.ended).stdout).stats, "as told").toMatchObject({ pages: site.pages.length });
    expect(crew.losses).toEqual([]);
    expect(others.filter(({ isAtWork }) => !isAtWork)).toHaveLength(name === "killed" ? 1 : 0);
    await crew.dismiss();
  },
);

/** What is stored is what the site has, and the run says so. */
async function isWhole(name: string): Promise<void> {
  const stored = await database.query(name, "SELECT url FROM page WHERE version_id IS NOT NULL");
  expect(stored.map((row) => String(row.url)).sort()).toEqual(site.pages.toSorted());
  const ends = await database.query(name, "SELECT verdict, count(*)::int AS urls FROM decision WHERE seq IS NOT NULL GROUP BY 1");
  const [run] = await database.query(name, "SELECT counters FROM run");
  expect(JSON.parse(String(run!.counters)), JSON.stringify(ends)).toMatchObject({ pages: site.pages.length, fetched: site.pages.length });
}
