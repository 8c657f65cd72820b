/** One of the processes of workers-store.ts: a frontier without a clock, a fetcher without a network. */
import type { StoredCandidate } from "../src/engine/frontier/index.ts";
import type { PageUpdate, SettledVisit } from "../src/store/index.ts";
import { openPostgres } from "../src/store/postgres/open.ts";
import { knownTo, namedBy, type Setup, storedFrom } from "./workers-store-ledger.ts";

const setup = JSON.parse(process.argv[2]!) as Setup;
const { runId, batch } = setup;
const store = openPostgres(setup.url);
const run = (await store.run(runId))!;
const { counters } = run;
await store.workers.announce({ name: `hand ${process.pid}`, maxConcurrent: batch });
await store.workers.join(run);
const backlog = store.backlog(runId);
const sharing = backlog.sharing!;

interface Host {
  readonly name: string;
  readonly queue: StoredCandidate[];
  onDisk: number;
}
const SHARE = 16;
const AT_ONCE = 32;
const hosts = new Map<string, Host>();
/** Hosts with queued work, in the order of their turns. */
const ready = new Set<Host>();
/** Ids of the URLs in the current batch, already taken from their queues. */
const taken = new Set<number>();
const spent = { hosts: 0, load: 0, claim: 0, settle: 0, rest: 0 };
const calls = { hosts: 0, load: 0, claim: 0, settle: 0, rest: 0 };
const tally = { settled: 0, lost: 0, refused: 0, stale: 0 };

async function timed<T>(what: keyof typeof spent, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  try {
    return await work();
  } finally {
    spent[what] += performance.now() - from;
    calls[what] += 1;
  }
}

async function adopt(): Promise<number> {
  const found = await timed("hosts", () => backlog.hosts(20_000, (name) => hosts.has(name)));
  for (const { host: name, queued } of found) {
    const host = hosts.get(name) ?? { name, queue: [], onDisk: 0 };
    host.onDisk = Math.max(1, queued - host.queue.length);
    hosts.set(name, host);
    ready.add(host);
  }
  return found.length;
}

/** As in the frontier: hosts with an empty queue that are next in turn are loaded together. */
async function load(): Promise<void> {
  const short: Host[] = [];
  for (const host of ready) {
    if (host.queue.length === 0 && host.onDisk > 0) short.push(host);
    if (short.length >= AT_ONCE) break;
  }
  const wants = short.map(({ name }) => ({ host: name, share: () => SHARE, inMemory: (id: number) => taken.has(id) }));
  const loaded = await timed("load", () => backlog.load(wants));
  for (const [index, host] of short.entries()) {
    host.queue.push(...loaded[index]!);
    host.onDisk = loaded[index]!.length < SHARE ? 0 : 1;
  }
}

async function picks(): Promise<{ host: Host; candidate: StoredCandidate }[]> {
  const picked: { host: Host; candidate: StoredCandidate }[] = [];
  for (const host of ready) {
    if (picked.length >= batch) break;
    if (host.queue.length === 0 && host.onDisk > 0) await load();
    ready.delete(host);
    const candidate = host.queue.shift();
    if (candidate) {
      taken.add(candidate.id);
      picked.push({ host, candidate });
    } else hosts.delete(host.name);
  }
  return picked;
}

function outcomeOf(candidate: StoredCandidate): SettledVisit {
  const page: PageUpdate | undefined = setup.hasPages
    ? {
        ...{ status: 200, change: "new", contentType: "text/html", bytes: 17_000, duration: 50, etag: '"1"', lastModified: undefined },
        ...{
          fromCache: false,
          movedTo: undefined,
          duplicateOf: undefined,
          nearDuplicateOf: undefined,
          version: undefined,
          reader: "bench",
        },
      }
    : undefined;
  return {
    candidate,
    depth: 1,
    verdict: "fetched",
    reason: "ok",
    rule: "",
    status: 200,
    isRetry: false,
    attempts: 0,
    target: undefined,
    page,
    remembered: undefined,
  };
}

async function settle(granted: readonly { host: Host; candidate: StoredCandidate }[]): Promise<void> {
  const fresh = granted.flatMap(({ candidate }) => namedBy(setup, candidate.url, candidate.id));
  const known = granted.flatMap(({ candidate }) => knownTo(setup, candidate.url, candidate.id));
  const more = known.map(({ hash }) => ({ hash, mentions: 2, place: { level: 1, priority: 0.5 } }));
  const heard = [...fresh, ...known];
  counters.fetched += granted.length;
  const news = granted.map(({ host }) => ({ host: host.name, wait: 0, delay: 1, cause: "rate" as const, failures: 0, isIdle: true }));
  const settled = await timed("settle", () =>
    store.settle({
      ...{ runId, at: Date.now(), again: [], more, hosts: news, counters, state: {}, heard },
      visits: granted.map(({ candidate }) => outcomeOf(candidate)),
    }),
  );
  counters.fetched -= settled.stale?.size ?? 0;
  tally.stale += settled.stale?.size ?? 0;
  tally.settled += granted.length - (settled.stale?.size ?? 0);
  for (const [index, one] of heard.entries()) {
    const host = settled.heardIds[index] === 0 ? undefined : hosts.get(one.host);
    if (!host || !sharing.holds(one.host)) continue;
    ready.add(host);
    host.queue.push(storedFrom(one, settled.heardIds[index]!));
  }
  for (const { host } of granted) {
    if (host.queue.length + host.onDisk > 0) ready.add(host);
    else hosts.delete(host.name);
  }
}

let lookAt = 0;
for (;;) {
  if (performance.now() >= lookAt || ready.size === 0) {
    await adopt();
    lookAt = performance.now() + 250;
  }
  const picked = await picks();
  if (picked.length === 0) {
    if (!(await timed("rest", () => sharing.rest(60_000)))) break;
    continue;
  }
  const replies = await timed("claim", () =>
    backlog.claim(picked.map(({ host, candidate }) => ({ host: host.name, visit: candidate.id, delay: 1, cause: "rate" }))),
  );
  const granted = picked.filter((_, index) => replies[index]!.granted);
  for (const [index, reply] of replies.entries()) {
    const { host, candidate } = picked[index]!;
    if (reply.granted) continue;
    if (reply.isLost) {
      tally.lost += 1;
      hosts.delete(host.name);
      ready.delete(host);
    } else {
      tally.refused += 1;
      host.queue.unshift(candidate);
      ready.add(host);
    }
  }
  if (granted.length > 0) await settle(granted);
  taken.clear();
}
const cpu = process.cpuUsage();
process.send!({ ...tally, spent, calls, cpu: Math.round((cpu.user + cpu.system) / 1e4) / 100 });
await store.close();
