/**
 * The cost of politeness: `npm run bench -- turns [seconds] [--write]`. Ten thousand hosts, each asked once a second, by the real frontier:
 * with a backlog in memory, and with SQLite's, where every turn is claimed on disk. Nothing is fetched: answers arrive on a timer, and
 * those that arrive together are settled together. The cost of the same workers without a frontier is subtracted, and so is settling, which
 * stores the outcomes.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../src/core/clock.ts";
import type { Visit } from "../src/core/records.ts";
import { seedsBy } from "../src/core/seed.ts";
import { type Backlog, Frontier, seededRandom } from "../src/engine/frontier/index.ts";
import { FrontierOptions } from "../src/engine/frontier/options.ts";
import { type HostUpdate, noCounts, openStore, type SettledVisit } from "../src/store/index.ts";
import { busyNote, machine, recordLast } from "./report.ts";
import { heardAt, type Setup, storedFrom } from "./workers-store-ledger.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: "boolean", default: false } } });
const SECONDS = Number(positionals[0] ?? 20);
const WARM_UP = 5;
const HOSTS = 10_000;
const URLS = HOSTS * (WARM_UP + SECONDS + 2);
const DELAY = 1000;
/** Answers take a random time up to this many milliseconds. */
const LATENCY = 200;
const TICK = 10;
const AT_ONCE = 5000;

const ledger: Setup = { urls: URLS, hosts: HOSTS, batch: 0, hasPages: false, known: 0, url: "", runId: 1, siteId: 1 };
const options = { ...FrontierOptions.parse({ maxConcurrent: HOSTS }), rateLimit: DELAY, perHost: 1 };

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** CPU time of some calls. They return promises, but do their work synchronously before that. */
class Meter {
  ms = 0;
  of<T>(work: () => Promise<T>): Promise<T> {
    const from = cpuMs();
    const result = work();
    this.ms += cpuMs() - from;
    return result;
  }
}

/** Timer that wakes all waiters of the same ten milliseconds together. */
class Ring {
  readonly #due = new Map<number, (() => void)[]>();
  #tick = 0;

  after(milliseconds: number): Promise<void> {
    const at = this.#tick + 1 + Math.floor(milliseconds / TICK);
    return new Promise((resolve) => {
      const others = this.#due.get(at);
      if (others) others.push(resolve);
      else this.#due.set(at, [resolve]);
    });
  }

  turn(): void {
    this.#tick += 1;
    for (const resolve of this.#due.get(this.#tick) ?? []) resolve();
    this.#due.delete(this.#tick);
  }
}

interface Scheduler {
  next(ring: Ring): Promise<Visit | undefined>;
  settle(visits: readonly Visit[]): Promise<void>;
  stop(): void;
  readonly meters: Readonly<Partial<Record<Part, Meter>>>;
}

type Part = "claims" | "loads" | "settling";

/** Microseconds per turn. */
type Spent = Readonly<Partial<Record<Part, number>>> & { readonly turns: number; readonly all: number };

/** As many workers as hosts, and simulated answers. The first answers take up to a second, which spreads the turns evenly from then on. */
async function crawl(scheduler: Scheduler): Promise<Spent> {
  const ring = new Ring();
  let turns = 0;
  let came: { visit: Visit; resolve: () => void }[] = [];
  const ticks = setInterval(async () => {
    ring.turn();
    await undefined;
    const batch = came;
    came = [];
    if (batch.length > 0) await scheduler.settle(batch.map(({ visit }) => visit));
    for (const { resolve } of batch) resolve();
  }, TICK);
  const random = seededRandom(1);
  const work = async () => {
    let most = DELAY;
    for (let visit = await scheduler.next(ring); visit; visit = await scheduler.next(ring)) {
      await ring.after(most * random());
      await new Promise<void>((resolve) => came.push({ visit: visit!, resolve }));
      most = LATENCY;
      turns += 1;
    }
  };
  const done = Promise.all(Array.from({ length: HOSTS }, work));
  await pause(WARM_UP);
  turns = 0;
  const meters = Object.entries(scheduler.meters);
  for (const [, meter] of meters) meter.ms = 0;
  const from = cpuMs();
  await pause(SECONDS);
  const aTurn = (ms: number) => (1000 * ms) / turns;
  const spent = { turns, all: aTurn(cpuMs() - from), ...Object.fromEntries(meters.map(([part, { ms }]) => [part, aTurn(ms)])) };
  scheduler.stop();
  await done;
  clearInterval(ticks);
  return spent;
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Workers that are woken once a second each. */
function noScheduler(): Scheduler {
  let isOver = false;
  const visit = {} as Visit;
  return {
    next: async (ring) => {
      await ring.after(DELAY);
      return isOver ? undefined : visit;
    },
    settle: async () => undefined,
    stop: () => {
      isOver = true;
    },
    meters: {},
  };
}

type Settle = (visits: readonly Visit[], hosts: readonly HostUpdate[]) => Promise<unknown>;

function polite(backlog: Backlog, settle: Settle, meters: Scheduler["meters"]): Scheduler {
  const frontier = new Frontier(options, { backlog, clock: systemClock, gate: () => ({ kind: "go", crawlDelay: undefined }) });
  const opened = frontier.open();
  const settling = new Meter();
  return {
    next: async () => {
      await opened;
      const job = await frontier.next();
      return job?.kind === "visit" ? job.visit : undefined;
    },
    settle: async (visits) => {
      const now = systemClock.now();
      const hosts = visits.map(({ turn }): HostUpdate => {
        const { name, dueAt, delay, cause, pace } = frontier.learn(turn, { kind: "answered", duration: LATENCY }, LATENCY)!;
        return { host: name, wait: Math.max(0, dueAt - now), delay, cause, failures: pace.failures, isIdle: true };
      });
      await settling.of(() => settle(visits, hosts));
      for (const { turn } of visits) frontier.free(turn);
    },
    stop: () => frontier.stop(),
    meters: { ...meters, settling },
  };
}

/** A backlog without a disk: each host has an unlimited number of candidates. */
function memory(loads: Meter): Backlog {
  const granted = { granted: true } as const;
  const firsts = new Map(Array.from({ length: HOSTS }, (_, index) => [heardAt(ledger, index).host, heardAt(ledger, index)]));
  let id = 0;
  return {
    hosts: async () => [...firsts.keys()].map((host) => ({ host, queued: URLS / HOSTS })),
    load: (wants) =>
      loads.of(async () =>
        wants.map(({ host, share }) => {
          const first = firsts.get(host)!;
          return Array.from({ length: share(first.level) }, () => storedFrom(first, ++id));
        }),
      ),
    claim: async (turns) => turns.map(() => granted),
    giveBack: async () => undefined,
    release: async () => undefined,
  };
}

async function onDisk(): Promise<Spent> {
  const folder = mkdtempSync(join(tmpdir(), "nuthatch-turns-"));
  const store = await openStore(join(folder, "data.db"));
  const site = await store.site("http://bench.test/", "http://bench.test/");
  const { id: runId } = await store.startRun({ sites: [site], seeds: seedsBy("person", [site.url]), options: {}, at: Date.now() });
  const none = { runId, again: [], more: [], counters: noCounts(), state: {} };
  for (let from = 0; from < URLS; from += AT_ONCE) {
    const heard = Array.from({ length: AT_ONCE }, (_, index) => heardAt({ ...ledger, runId, siteId: site.id }, from + index));
    await store.settle({ ...none, at: Date.now(), visits: [], heard, hosts: [] });
  }
  const [claims, loads] = [new Meter(), new Meter()];
  const disk = store.backlog(runId);
  const backlog: Backlog = {
    hosts: (...given) => disk.hosts(...given),
    load: (wants) => loads.of(() => disk.load(wants)),
    claim: (turns) => claims.of(() => disk.claim(turns)),
    giveBack: (host) => disk.giveBack(host),
    release: (host) => disk.release(host),
  };
  const settle: Settle = (visits, hosts) => store.settle({ ...none, at: Date.now(), visits: visits.map(settled), heard: [], hosts });
  const spent = await crawl(polite(backlog, settle, { claims, loads }));
  await store.close();
  rmSync(folder, { recursive: true });
  return spent;
}

const settled = (visit: Visit): SettledVisit => ({
  ...{ candidate: visit, depth: 1, verdict: "fetched", reason: "ok", rule: "", status: 200, isRetry: false, attempts: 0 },
  ...{ target: undefined, page: undefined, remembered: undefined },
});

const load = loadavg()[0]!;
const alone = await crawl(noScheduler());
const making = new Meter();
const inMemory = await crawl(polite(memory(making), async () => undefined, { loads: making }));
const whole = await onDisk();
const { claims = 0, loads = 0, settling = 0 } = whole;
const rows: [string, number][] = [
  ["the frontier, in memory", inMemory.all - (inMemory.loads ?? 0) - (inMemory.settling ?? 0) - alone.all],
  ["the frontier, with SQLite", whole.all - claims - loads - settling - alone.all],
  ["claiming turns on disk", claims],
  ["reading what waits on disk", loads],
  ["all of it, with SQLite", whole.all - settling - alone.all],
  ["not counted: workers and their timers", alone.all],
  ["not counted: settling", settling],
];
const table = [
  "|  | CPU µs a turn | of one core |",
  "| --- | --: | --: |",
  ...rows.map(([name, micros]) => `| ${name} | ${micros.toFixed(1)} | ${((100 * micros * HOSTS) / 1e6).toFixed(1)} % |`),
].join("\n");
const made = `${inMemory.turns.toLocaleString("en")} turns in memory and ${whole.turns.toLocaleString("en")} on disk, in ${SECONDS} s each`;
console.log(`${made}\n\n${table}`);
if (values.write)
  recordLast(`## Ten thousand hosts at one request a second each

What whose turn it is costs, without the web: CPU of the process a turn, less what the same workers take without a frontier, and what of one core ten thousand turns a second
come to. ${made}.

${table}

Measured on ${new Date().toISOString().slice(0, 10)} with \`npm run bench -- turns ${SECONDS} --write\`: ${machine()}.${busyNote(load)}
`);
