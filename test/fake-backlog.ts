/** A backlog in memory and a small crawl around a real frontier: for tests of whose turn it is, without disk or network. */
import { expect, vi } from "vitest";
import { systemClock } from "../src/core/clock.ts";
import { LEVELS } from "../src/core/records.ts";
import {
  type Answer,
  type Backlog,
  Frontier,
  type FrontierOptions,
  type GateVerdict,
  type HostBacklog,
  type Job,
  type Queued,
  type Sharing,
  type StoredCandidate,
  type TurnReply,
  type TurnRequest,
  type Want,
} from "../src/engine/frontier/index.ts";
import { PriorityOptions } from "../src/engine/frontier/options.ts";

export class FakeBacklog implements Backlog {
  readonly rows = new Map<number, StoredCandidate>();
  /** The rows of each host and front queue, best first once sorted. Those that are done are passed over. */
  readonly #places = new Map<string, { rows: StoredCandidate[]; isSorted: boolean }>();
  readonly claims: TurnRequest[] = [];
  readonly returned: string[] = [];
  /** Most rows that were ever loaded at once. */
  mostLoaded = 0;
  hostQueries = 0;
  reply: (turn: TurnRequest) => TurnReply = () => ({ granted: true });
  /** Where hosts are shared with others: those that are ours. */
  ours: Set<string> | undefined;

  get sharing(): Sharing | undefined {
    const { ours } = this;
    const holds = (host: string) => ours?.has(host) ?? false;
    return ours && { holds, mayAsk: holds, rest: async () => false, takePages: async (wanted) => wanted, lives: () => 0 };
  }

  put(candidates: readonly StoredCandidate[]): void {
    for (const candidate of candidates) {
      this.rows.set(candidate.id, candidate);
      const name = `${candidate.host} ${candidate.level}`;
      const place = this.#places.get(name) ?? { rows: [], isSorted: false };
      this.#places.set(name, place);
      place.rows.push(candidate);
      place.isSorted = false;
    }
  }

  async hosts(limit: number, inMemory: (host: string) => boolean): Promise<HostBacklog[]> {
    this.hostQueries += 1;
    const counts = new Map<string, number>();
    for (const { host } of this.rows.values())
      if (!inMemory(host) && this.ours?.has(host) !== false) counts.set(host, (counts.get(host) ?? 0) + 1);
    return [...counts].slice(0, limit).map(([host, queued]) => ({ host, queued }));
  }

  async load(wants: readonly Want[]): Promise<StoredCandidate[][]> {
    const loaded = wants.map((want) => this.#load(want));
    this.mostLoaded = Math.max(
      this.mostLoaded,
      loaded.reduce((sum, { length }) => sum + length, 0),
    );
    return loaded;
  }

  #load({ host, share, inMemory }: Want): StoredCandidate[] {
    const loaded: StoredCandidate[] = [];
    for (let level = 0; level < LEVELS; level++) {
      const place = this.#places.get(`${host} ${level}`);
      if (!place || share(level) === 0) continue;
      if (!place.isSorted) place.rows.sort((a, b) => b.priority - a.priority || a.id - b.id);
      place.isSorted = true;
      const isThere = place.rows.findIndex(({ id }) => this.rows.has(id));
      place.rows.splice(0, isThere < 0 ? place.rows.length : isThere);
      let left = share(level);
      for (const { id } of place.rows) {
        const row = this.rows.get(id);
        if (!row || inMemory(id)) continue;
        loaded.push(row);
        left -= 1;
        if (left === 0) break;
      }
    }
    return loaded;
  }

  async claim(turns: readonly TurnRequest[]): Promise<TurnReply[]> {
    this.claims.push(...turns);
    return turns.map((turn) => this.reply(turn));
  }

  async giveBack(host: string): Promise<void> {
    this.returned.push(host);
  }

  async release(): Promise<void> {}
}

let lastId = 0;

export function aCandidate(url: string, more: Partial<StoredCandidate> = {}): StoredCandidate {
  lastId += 1;
  return {
    ...{ id: lastId, url, key: url, hash: { hi: 0, lo: lastId }, host: new URL(url).host, kind: "page", depth: 1, hops: 0 },
    ...{ via: "link", parent: undefined, siteId: 1, level: 0, priority: 0, attempts: 0 },
    ...more,
  };
}

export const manyCandidates = (count: number, url: (index: number) => string, more: Partial<StoredCandidate> = {}): StoredCandidate[] =>
  Array.from({ length: count }, (_, index) => aCandidate(url(index), more));

/** What a visit came to: the host's answer, how long it took, and whether the URL may heal. */
export interface Came {
  readonly answer?: Answer;
  readonly duration?: number;
  /** The visit failed: ask again after this pause, if the frontier agrees. */
  readonly retryAfter?: number;
  /** New candidates it brought. */
  readonly heard?: readonly StoredCandidate[];
}

export interface Entry {
  readonly at: number;
  readonly kind: Job["kind"];
  readonly url: string;
  readonly host: string;
}

export interface World {
  readonly options?: Partial<FrontierOptions & { perHost: number }>;
  readonly gate?: (candidate: Queued) => GateVerdict;
  readonly answer?: (url: string, at: number) => Came;
  readonly workers?: number;
}

const defaults = { rateLimit: 0, autoSlow: "on", retries: 2, order: "best", maxWait: 300_000, seed: 1, perHost: 1 } as const;

/** A frontier over a fake backlog, with workers that do what the crawl does: learn, settle, free, put back. */
export function aWorld({ options = {}, gate, answer = () => ({}), workers = 1 }: World = {}) {
  const backlog = new FakeBacklog();
  const clock = systemClock;
  const log: Entry[] = [];
  const gaveUp: string[] = [];
  const own = { ...defaults, maxConcurrent: workers, priority: PriorityOptions.parse({}), ...options };
  const frontier = new Frontier(own, { backlog, clock, gate: gate ?? (() => ({ kind: "go", crawlDelay: undefined })) });

  const hear = (candidates: readonly StoredCandidate[]): void => {
    backlog.put(candidates);
    frontier.add(candidates);
  };

  async function attend(job: Job): Promise<void> {
    const at = clock.now();
    const turn = job.kind === "errand" ? job.turn : job.visit.turn;
    const url = job.kind === "errand" ? job.errand.url : job.visit.url;
    log.push({ at, kind: job.kind, url, host: turn.host });
    const { duration = 0, heard = [], retryAfter, ...came } = answer(url, at);
    if (duration > 0) await new Promise((resolve) => setTimeout(resolve, duration));
    else await undefined;
    if (job.kind !== "refused") frontier.learn(turn, came.answer ?? { kind: "answered", duration }, duration);
    if (job.kind === "errand") {
      if (!job.errand.isProbe) frontier.unhold(turn.host);
      frontier.free(turn);
      return;
    }
    const state = frontier.stateOf(turn);
    const { again, attempts, needsProbe } =
      retryAfter === undefined
        ? { again: false, attempts: 0, needsProbe: false }
        : frontier.retry(turn, came.answer ?? { kind: "answered", duration }, retryAfter);
    if (needsProbe)
      frontier.send(turn.host, { url: `http://${turn.host}/robots.txt`, origin: `http://${turn.host}`, hops: 0, isProbe: true });
    if (again) backlog.rows.set(job.visit.id, { ...backlog.rows.get(job.visit.id)!, attempts });
    else backlog.rows.delete(job.visit.id);
    if (retryAfter !== undefined && !again) gaveUp.push(url);
    hear(heard);
    frontier.free(turn);
    if (again) frontier.putBack(state!);
  }

  async function work(): Promise<void> {
    for (let job = await frontier.next(); job; job = await frontier.next()) await attend(job);
  }

  return {
    frontier,
    /** As the frontier has them: they may change meanwhile. */
    options: own,
    backlog,
    log,
    gaveUp,
    hear,
    work,
    /** Works until the frontier ends. */
    crawl: async () => {
      await Promise.all(Array.from({ length: workers }, work));
    },
    urls: () => log.map(({ url }) => url),
    times: (host: string) => log.filter((entry) => entry.host === host && entry.kind !== "refused").map(({ at }) => Math.round(at)),
  };
}

/** Runs a crawl on fake time. */
export async function finish(world: ReturnType<typeof aWorld>, span = 3_600_000): Promise<void> {
  let isDone = false;
  const done = world.crawl().finally(() => {
    isDone = true;
  });
  // A failure is met again below, when the crawl is awaited.
  done.catch(() => undefined);
  const end = performance.now() + span;
  for (let idle = 0; !isDone && performance.now() < end && idle < 5; ) {
    // Everything that needs no time happens first.
    await new Promise((resolve) => setImmediate(resolve));
    idle = vi.getTimerCount() === 0 ? idle + 1 : 0;
    if (!isDone && idle === 0) await vi.advanceTimersToNextTimerAsync();
  }
  expect(isDone).toBe(true);
  await done;
}
