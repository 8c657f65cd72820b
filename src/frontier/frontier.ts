import type { Fetched, Turn, Visit } from "../records.ts";
import type { Queued } from "./back-queue.ts";
import type { Backlog, StoredCandidate, TurnRequest } from "./backlog.ts";
import { DueHeap } from "./due-heap.ts";
import { type Errand, HostQueue } from "./host-queue.ts";
import type { FrontierOptions } from "./options.ts";
import { type Answer, delayAfter, learn, receiptAllowance, regularDelay } from "./politeness.ts";
import { ReadyHosts } from "./ready-hosts.ts";
import { seededRandom } from "./selector.ts";

/** What the gate says about a candidate before its host's turn is spent on it. */
export type GateVerdict =
  | { readonly kind: "go"; readonly crawlDelay: number | undefined }
  | { readonly kind: "errand"; readonly errand: Errand }
  | { readonly kind: "refused"; readonly fetched: Fetched };

/** Something a worker takes from the frontier. The turn of a refused one is spent: it cannot be fetched. */
export type Job =
  | { readonly kind: "visit"; readonly visit: Visit }
  | { readonly kind: "errand"; readonly errand: Errand; readonly turn: Turn }
  | { readonly kind: "refused"; readonly visit: Visit; readonly fetched: Fetched };

export interface FrontierPorts {
  readonly backlog: Backlog;
  readonly gate: (candidate: Queued) => GateVerdict;
  readonly clock: { now(): number };
}

interface Pick {
  readonly host: HostQueue;
  readonly item: Queued | Errand;
  /** Whether a request is made, which takes one of the host's places. */
  readonly isAsked: boolean;
}

/** Robots errands have no row in the ledger. */
const isQueued = (item: Queued | Errand): item is Queued => "id" in item;
const MAX_HOSTS = 20_000;
const WORKING_SET = 32_768;
/** How often idle workers look on disk for hosts that had no room. */
const LOOK_AGAIN = 10_000;

export class Frontier {
  readonly #ports: FrontierPorts;
  readonly #options: FrontierOptions & { perHost: number };
  readonly #random: () => number;
  /** The mapping table: which back queue is whose. */
  readonly #hosts = new Map<string, HostQueue>();
  readonly #waitingHosts = new DueHeap<HostQueue>();
  readonly #readyHosts = new ReadyHosts();
  readonly #workers: ((job: Job | undefined) => void)[] = [];
  readonly #out = new Map<Turn, Pick>();
  /** Ledger rows that were taken from a queue and are not settled: they still look queued on disk. */
  readonly #taken = new Set<number>();
  readonly #refusals: Job[] = [];
  /** Whether candidates of hosts that had no room in memory wait on disk. */
  #moreHosts = false;
  #lookAgainAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isPumping = false;
  #pumpAgain = false;
  #ended: "drained" | "deferred" | "stopped" | undefined;
  #failure: unknown;

  constructor(options: FrontierOptions & { perHost: number }, ports: FrontierPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#random = seededRandom(options.seed);
  }

  /** Why `next` answered undefined. */
  get ended(): "drained" | "deferred" | "stopped" | undefined {
    return this.#ended;
  }

  get inFlight(): number {
    return this.#out.size;
  }

  get queued(): number {
    let sum = 0;
    for (const host of this.#hosts.values()) sum += host.waiting;
    return sum;
  }

  hosts(): Iterable<HostQueue> {
    return this.#hosts.values();
  }

  /** Learns of the candidates on disk, at start. */
  async open(): Promise<void> {
    await this.#findHosts();
  }

  /** The next job, as soon as some host's turn has come; undefined when there is nothing left to wait for. */
  async next(): Promise<Job | undefined> {
    const job = await new Promise<Job | undefined>((resolve) => {
      this.#workers.push(resolve);
      this.#pump();
    });
    if (this.#failure !== undefined) throw this.#failure;
    return job;
  }

  /** Candidates that were just settled. */
  add(candidates: readonly StoredCandidate[]): void {
    this.#ended = this.#ended === "stopped" ? "stopped" : undefined;
    for (const candidate of candidates) {
      if (this.#taken.has(candidate.id)) continue;
      if (this.#hosts.size >= MAX_HOSTS && !this.#hosts.has(candidate.host)) {
        this.#moreHosts = true;
        continue;
      }
      const host = this.#hostOf(candidate.host);
      host.onDisk += host.queue.add(HostQueue.queued(candidate), this.#capacity());
      this.#schedule(host);
    }
    if (candidates.length > 0) this.#pump();
  }

  /** A queued candidate was heard of nearer, or of more worth. */
  move(hostName: string, id: number, change: { depth?: number; level: number; priority: number }): void {
    const host = this.#hosts.get(hostName);
    if (!host) return;
    const item = host.queue.remove(id);
    if (item) host.onDisk += host.queue.add(Object.assign(item, change), this.#capacity());
    else if (!this.#taken.has(id)) host.queue.cut(change.level); // it waits on disk, and there it changed its front queue
  }

  /** The request of this turn came back: the host's next turn follows from how it went. Nothing more is let out before `free`. */
  learn(turn: Turn, answer: Answer, duration: number): HostQueue | undefined {
    const pick = this.#out.get(turn);
    if (!pick?.isAsked) return undefined;
    const { host } = pick;
    learn(host.pace, answer);
    const now = this.#ports.clock.now();
    const { wait, cause } = delayAfter(host.pace, answer, this.#options.rateLimit, this.#options.autoSlow === "on");
    // A good answer counts the delay from the request; a bad one from the answer.
    const from = answer.kind === "answered" ? now - duration + receiptAllowance(duration, wait) : now;
    host.dueAt = Math.max(host.dueAt, from + wait);
    host.delay = wait;
    host.cause = cause;
    if (cause !== "rate") host.costs.set(cause, (host.costs.get(cause) ?? 0) + wait - this.#options.rateLimit);
    return host;
  }

  /** What was learned is on disk: the host may be asked again when it is due. */
  free(turn: Turn): void {
    const pick = this.#out.get(turn);
    if (!pick) return;
    this.#out.delete(turn);
    if (pick.isAsked) pick.host.inFlight -= 1;
    if (isQueued(pick.item)) {
      this.#taken.delete(pick.item.id);
      if (pick.isAsked) pick.host.done += 1;
    }
    this.#schedule(pick.host);
    this.#pump();
  }

  /** The turn was not needed: nothing was asked, so nobody has to wait for it. */
  async giveBack(turn: Turn): Promise<void> {
    const host = this.#out.get(turn)?.host;
    // Where others of the host are out, or it asked to be left alone, the distance to those counts.
    if (host?.inFlight === 1 && host.pace.failures === 0) {
      await this.#ports.backlog.giveBack(turn.host);
      host.dueAt = this.#ports.clock.now();
    }
    this.free(turn);
  }

  /**
   * Whether to ask again for a URL that failed. A failure is held against the URL only if its host is well: it answered this
   * very request, or others since. Where there are no others to ask, a probe of the host has to tell.
   */
  retry(turn: Turn, answer: Answer, pause: number): { again: boolean; attempts: number; needsProbe: boolean } {
    const pick = this.#out.get(turn);
    if (!pick || !isQueued(pick.item)) return { again: false, attempts: 0, needsProbe: false };
    const { host, item } = pick;
    item.unspent += 1;
    const hasAnsweredSince = item.okWhenFailed !== undefined && host.pace.answered > item.okWhenFailed;
    const isAlone = host.onDisk === 0 && host.queue.allFailed();
    // A host that says "later" to the only URL we have for it has said so about this URL, and one that fails again
    // on the URL it failed on before, while it answered others, needs no further proof.
    const isItsOwn = isAlone && (answer.kind === "asked-to-wait" || item.attempts > 0);
    const isHostWell = answer.kind === "answered" || hasAnsweredSince || isItsOwn;
    if (isHostWell) {
      item.attempts += item.unspent;
      item.unspent = 0;
    }
    item.okWhenFailed = host.pace.answered;
    item.notBefore = this.#ports.clock.now() + pause;
    const needsProbe = !isHostWell && isAlone && host.errands.length === 0;
    return { again: item.attempts <= this.#options.retries, attempts: item.attempts, needsProbe };
  }

  /** After `free`: back into the queue, behind those of its host that may go at once. */
  putBack(state: Queued): void {
    const host = this.#hostOf(state.host);
    state.notBefore = Math.max(state.notBefore, host.dueAt + 1);
    host.queue.hold(state);
    this.#schedule(host);
    this.#pump();
  }

  /** The queued form of a visit that is out. */
  stateOf(turn: Turn): Queued | undefined {
    const item = this.#out.get(turn)?.item;
    return item && isQueued(item) ? item : undefined;
  }

  /** Sends an errand to its host. */
  send(hostName: string, errand: Errand): void {
    const host = this.#hostOf(hostName);
    host.errands.push(errand);
    this.#schedule(host);
    this.#pump();
  }

  /** The robots rules of a host are known (or not to be had for now): its candidates may go, after `wait` if given. */
  unhold(hostName: string, knowledge: { crawlDelay?: number | undefined; wait?: number }): void {
    const host = this.#hostOf(hostName);
    host.isHeld = false;
    if (knowledge.crawlDelay !== undefined) host.pace.crawlDelay = Math.max(host.pace.crawlDelay ?? 0, knowledge.crawlDelay);
    const now = this.#ports.clock.now();
    if (knowledge.wait !== undefined && now + knowledge.wait > host.dueAt) {
      host.dueAt = now + knowledge.wait;
      host.delay = knowledge.wait;
      host.cause = "robots";
    } else {
      const regular = regularDelay(host.pace, this.#options.rateLimit, this.#options.autoSlow === "on");
      // The turn that fetched robots.txt was timed before its Crawl-delay was known.
      if (regular.wait > host.delay) host.dueAt = Math.max(host.dueAt, host.dueAt - host.delay + regular.wait);
      host.delay = Math.max(host.delay, regular.wait);
      if (host.cause === "rate") host.cause = regular.cause;
    }
    this.#schedule(host);
    this.#pump();
  }

  /** Lets nothing more out. */
  stop(): void {
    this.#ended = "stopped";
    this.#finish();
  }

  #hostOf(name: string): HostQueue {
    let host = this.#hosts.get(name);
    if (!host) {
      const groups = this.#options.priority.hosts;
      host = new HostQueue(name, Object.hasOwn(groups, name) ? groups[name]! : Number.MAX_SAFE_INTEGER);
      this.#hosts.set(name, host);
    }
    return host;
  }

  /** Candidates a host may hold in memory: fewer when there are many hosts. */
  #capacity(): number {
    const fair = Math.floor(WORKING_SET / Math.max(1, this.#hosts.size));
    return Math.max(4, Math.min(Math.max(64, 2 * this.#options.maxConcurrent), fair));
  }

  #schedule(host: HostQueue): void {
    if (host.isReady) return;
    if (host.hasWork && host.inFlight < this.#options.perHost) this.#waitingHosts.put(host);
    else this.#waitingHosts.remove(host);
  }

  /** One pump at a time: matches waiting workers with hosts whose turn it is. */
  async #pump(): Promise<void> {
    this.#pumpAgain = true;
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      // What is told in one breath counts together: a visit is freed, then put back.
      await undefined;
      while (this.#pumpAgain) {
        this.#pumpAgain = false;
        await this.#serve();
      }
    } catch (cause) {
      this.#failure = cause;
      this.#finish();
    } finally {
      this.#isPumping = false;
    }
  }

  async #serve(): Promise<void> {
    while (this.#workers.length > 0 && this.#ended !== "stopped") {
      const refusal = this.#refusals.shift();
      if (refusal) {
        this.#workers.shift()!(refusal);
        continue;
      }
      const picks = await this.#pickDue();
      if (picks.length > 0) await this.#letOut(picks);
      else if (this.#refusals.length === 0) break;
    }
    if (this.#ended === "stopped") this.#finish();
    else await this.#restOrEnd();
  }

  async #pickDue(): Promise<Pick[]> {
    const now = this.#ports.clock.now();
    for (let host = this.#waitingHosts.peek(); host && host.dueAt <= now; host = this.#waitingHosts.peek()) {
      this.#waitingHosts.remove(host);
      this.#readyHosts.add(host);
    }
    const picks: Pick[] = [];
    const visited: HostQueue[] = [];
    while (picks.length + this.#refusals.length < this.#workers.length) {
      const host = this.#readyHosts.take(this.#random);
      if (!host) break;
      if (host.inFlight >= this.#options.perHost || !host.hasWork) continue;
      if (host.dueAt > now) {
        // It asked to be left alone while it stood ready.
        visited.push(host);
        continue;
      }
      const item = await this.#itemOf(host, now);
      if (item) {
        picks.push({ host, item, isAsked: true });
        host.inFlight += 1;
        const { wait, cause } = regularDelay(host.pace, this.#options.rateLimit, this.#options.autoSlow === "on");
        host.dueAt = now + wait;
        host.delay = wait;
        host.cause = cause;
      }
      if (item && host.delay === 0 && host.hasWork && host.inFlight < this.#options.perHost) this.#readyHosts.add(host);
      else visited.push(host);
    }
    for (const host of visited) this.#schedule(host);
    return picks;
  }

  /** The next thing this host is to be asked, after the gate has looked at it. */
  async #itemOf(host: HostQueue, now: number): Promise<Queued | Errand | undefined> {
    const errand = host.errands.shift();
    if (errand) return errand;
    while (!host.isHeld) {
      if (host.onDisk > 0) await this.#load(host, now);
      const candidate = host.queue.take(now, this.#random);
      if (!candidate) {
        if (host.queue.size > 0) host.dueAt = Math.max(host.dueAt, host.queue.earliest());
        return undefined;
      }
      const verdict = this.#ports.gate(candidate);
      if (verdict.kind !== "errand") this.#taken.add(candidate.id);
      if (verdict.kind === "go") {
        host.pace.crawlDelay = verdict.crawlDelay;
        return candidate;
      }
      if (verdict.kind === "errand") {
        host.queue.hold(candidate);
        host.isHeld = true;
        return verdict.errand;
      }
      const turn: Turn = { host: host.name, spent: true };
      this.#out.set(turn, { host, item: candidate, isAsked: false });
      this.#refusals.push({ kind: "refused", visit: { ...candidate, turn }, fetched: verdict.fetched });
      if (this.#refusals.length >= this.#workers.length) return undefined;
    }
    return undefined;
  }

  /** Fills the front queues that ran empty. */
  async #load(host: HostQueue, now: number): Promise<void> {
    const room = this.#capacity() - host.queue.size;
    const levels = host.queue.lacking(now);
    if (levels.length === 0 || room <= 0) return;
    const each = Math.ceil(room / levels.length);
    const share = (level: number) => (levels.includes(level) ? each : 0);
    const loaded = await this.#ports.backlog.load(host.name, share, (id) => this.#taken.has(id) || host.queue.has(id));
    for (const candidate of loaded) host.queue.hold(HostQueue.queued(candidate));
    for (const level of levels) if (loaded.filter((candidate) => candidate.level === level).length < each) host.queue.mend(level);
    host.onDisk = host.queue.isCut ? Math.max(1, host.onDisk - loaded.length) : 0;
  }

  async #letOut(picks: readonly Pick[]): Promise<void> {
    const requests: TurnRequest[] = picks.map(({ host, item }) => {
      return { host: host.name, visit: isQueued(item) ? item.id : 0, delay: host.delay, cause: host.cause };
    });
    const replies = await this.#ports.backlog.claim(requests);
    const now = this.#ports.clock.now();
    for (const [index, pick] of picks.entries()) {
      const reply = replies[index]!;
      const worker = reply.granted ? this.#workers.shift() : undefined;
      if (worker) {
        const turn: Turn = { host: pick.host.name, spent: false };
        this.#out.set(turn, pick);
        const { host, item } = pick;
        // A file that others hold can make a claim take seconds: the next turn counts from when this one leaves.
        host.dueAt = Math.max(host.dueAt, now + host.delay);
        this.#schedule(host);
        worker(isQueued(item) ? { kind: "visit", visit: { ...item, turn } } : { kind: "errand", errand: item, turn });
      } else this.#takeBack(pick, reply.granted ? 0 : reply.wait); // granted, but the workers were sent home
    }
  }

  #takeBack({ host, item }: Pick, wait: number): void {
    host.inFlight -= 1;
    if (isQueued(item)) {
      this.#taken.delete(item.id);
      host.queue.hold(item);
    } else host.errands.unshift(item);
    host.dueAt = Math.max(this.#ports.clock.now() + wait, host.dueAt - host.delay);
    this.#schedule(host);
  }

  async #restOrEnd(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#workers.length === 0) return;
    const now = this.#ports.clock.now();
    const first = this.#waitingHosts.peek();
    const isTooLong = !first || first.dueAt - now > this.#options.maxWait;
    if (this.#moreHosts && (isTooLong || now >= this.#lookAgainAt)) {
      this.#lookAgainAt = now + LOOK_AGAIN;
      if (await this.#findHosts()) {
        this.#pumpAgain = true;
        return;
      }
    }
    if (this.#out.size === 0 && isTooLong && this.#ended !== "stopped" && !this.#pumpAgain) {
      this.#ended = first ? "deferred" : "drained";
      this.#finish();
    } else if (first) {
      this.#timer = setTimeout(() => this.#pump(), Math.min(60_000, Math.max(0, Math.ceil(first.dueAt - now))));
    }
  }

  /** Hosts that had no room in memory; those in memory that are done make room. */
  async #findHosts(): Promise<boolean> {
    const now = this.#ports.clock.now();
    for (const host of this.#hosts.values()) {
      if (!host.hasWork && host.inFlight === 0 && !host.isHeld && host.dueAt <= now) this.#hosts.delete(host.name);
    }
    const room = MAX_HOSTS - this.#hosts.size;
    if (room <= 0) return false;
    const found = await this.#ports.backlog.hosts(room, (name) => this.#hosts.has(name));
    this.#moreHosts = found.length >= room;
    for (const { host, queued } of found) {
      const place = this.#hostOf(host);
      place.onDisk = queued;
      place.queue.cutAll();
      this.#schedule(place);
    }
    return found.length > 0;
  }

  #finish(): void {
    clearTimeout(this.#timer);
    for (const resolve of this.#workers.splice(0)) resolve(undefined);
  }
}
