import { withoutPort } from "../../analysis/url/index.ts";
import type { Queued } from "./back-queue.ts";
import { DueHeap } from "./due-heap.ts";
import { type Errand, HostQueue, type HostWish, NO_HOST_SETTINGS } from "./host-queue.ts";
import { isQueued, type PickedItem } from "./job.ts";
import type { FrontierOptions } from "./options.ts";
import { ReadyHosts } from "./ready-hosts.ts";

const MAX_HOSTS = 20_000;
/** Approximate number of candidates in memory over all hosts. */
const MAX_IN_MEMORY = 32_768;
const MANY_HOSTS = 1000;
const MAX_TIME_STEP_MS = 10;

/** Maps hosts to their back queues, and orders the hosts by their next turn. */
export class HostTable {
  readonly #options: FrontierOptions & { perHost: number };
  readonly #hosts = new Map<string, HostQueue>();
  readonly #waiting = new DueHeap<HostQueue>();
  readonly #ready = new ReadyHosts();
  #hostSettings: ReadonlyMap<string, HostWish> = new Map();

  constructor(options: FrontierOptions & { perHost: number }) {
    this.#options = options;
  }

  values(): Iterable<HostQueue> {
    return this.#hosts.values();
  }

  find(name: string): HostQueue | undefined {
    return this.#hosts.get(name);
  }

  of(name: string): HostQueue {
    let host = this.#hosts.get(name);
    if (!host) {
      const groups = this.#options.priority.hosts;
      const group = [name, withoutPort(name)].find((one) => Object.hasOwn(groups, one));
      host = new HostQueue(name, group === undefined ? Number.MAX_SAFE_INTEGER : groups[group]!);
      host.wish = this.#hostSettings.get(name) ?? NO_HOST_SETTINGS;
      this.#hosts.set(name, host);
    }
    return host;
  }

  /** Queued candidates, in memory and on disk. */
  get queued(): number {
    let sum = 0;
    for (const host of this.#hosts.values()) sum += host.waiting;
    return sum;
  }

  /** Adds a host all of whose candidates are on disk. */
  addFromDisk(name: string, queued: number): void {
    const host = this.of(name);
    host.onDisk = queued;
    host.restsUntil = 0;
    host.queue.cutAll();
    this.schedule(host);
  }

  /** How many more hosts fit in memory. */
  get room(): number {
    return MAX_HOSTS - this.#hosts.size;
  }

  /** Candidates a host may hold in memory: fewer if there are many hosts. */
  capacity(): number {
    const fair = Math.floor(MAX_IN_MEMORY / Math.max(1, this.#hosts.size));
    return Math.max(4, Math.min(Math.max(64, 2 * this.#options.maxConcurrent), fair));
  }

  /**
   * A queued candidate was found at a smaller depth, or its priority has changed. One that is only on disk has changed its front queue
   * there.
   */
  move(name: string, id: number, change: { depth?: number; level: number; priority: number }): void {
    const host = this.#hosts.get(name);
    if (host) host.restsUntil = 0;
    const item = host?.queue.remove(id);
    if (item) host!.onDisk += host!.queue.add(Object.assign(item, change), this.capacity());
    else host?.queue.cut(change.level);
  }

  send(name: string, errand: Errand): void {
    const host = this.of(name);
    host.errands.push(errand);
    this.schedule(host);
  }

  /** Keeps a candidate in memory until its time. */
  hold(item: Queued, notBefore: number): void {
    const host = this.of(item.host);
    item.notBefore = notBefore;
    host.restsUntil = Math.min(host.restsUntil, notBefore);
    host.queue.hold(item);
    this.schedule(host);
  }

  /** A picked item is not sent after all; its host may be asked from the given time. */
  takeBack({ host, item }: PickedItem, from: number): void {
    host.inFlight -= 1;
    if (isQueued(item)) {
      host.restsUntil = 0;
      host.queue.hold(item);
    } else host.errands.unshift(item);
    host.dueAt = Math.max(from, host.dueAt - host.delay);
    this.schedule(host);
  }

  /** A picked item is not sent: another process has leased the host. */
  removeLost(host: HostQueue): void {
    host.inFlight -= 1;
    host.forsake();
    this.#hosts.delete(host.name);
    this.schedule(host);
  }

  /** Candidates that are not to be visited any more. */
  drop(rows: readonly { readonly host: string; readonly id: number }[]): void {
    for (const { host: name, id } of rows) {
      const host = this.#hosts.get(name);
      if (!host) continue;
      if (!host.queue.remove(id)) host.onDisk = Math.max(host.queue.isCut ? 1 : 0, host.onDisk - 1);
      this.schedule(host);
    }
  }

  /** A host without an entry has no user settings. */
  repace(hostSettings = this.#hostSettings): void {
    this.#hostSettings = hostSettings;
    for (const host of this.#hosts.values()) {
      host.wish = hostSettings.get(host.name) ?? NO_HOST_SETTINGS;
      host.repace(this.#options);
      this.schedule(host);
    }
  }

  /** Updates the host's place in the heap after a change. */
  schedule(host: HostQueue): void {
    if (host.isReady) return;
    if (this.mayBeAsked(host)) this.#waiting.put(host);
    else this.#waiting.remove(host);
  }

  mayBeAsked(host: HostQueue): boolean {
    return host.hasWork && host.inFlight < host.most(this.#options.perHost);
  }

  /**
   * With many hosts, turns are granted at whole steps of time, so that many are claimed on disk at once: a claim of its own for each costs
   * several times as much. No turn is later by more than a hundredth of our own delay.
   */
  get #timeStep(): number {
    return this.#waiting.size < MANY_HOSTS ? 0 : Math.floor(Math.min(MAX_TIME_STEP_MS, this.#options.rateLimit / 100));
  }

  /** Moves hosts that are due to the ready hosts; their order among these is decided there. */
  wake(now: number): void {
    const timeStep = this.#timeStep;
    const until = timeStep > 0 ? now - (now % timeStep) : now;
    for (let host = this.#waiting.peek(); host && host.readyAt <= until; host = this.#waiting.peek()) {
      this.#waiting.remove(host);
      this.#ready.add(host);
    }
  }

  takeReady(random: () => number): HostQueue | undefined {
    return this.#ready.take(random);
  }

  /** Some of the hosts that will be taken soon. */
  ready(limit: number): HostQueue[] {
    return this.#ready.firstHosts(limit);
  }

  addReady(host: HostQueue): void {
    this.#ready.add(host);
  }

  nextDueAt(): number | undefined {
    const dueAt = this.#waiting.peek()?.readyAt;
    const timeStep = this.#timeStep;
    return dueAt === undefined || timeStep === 0 ? dueAt : Math.ceil(dueAt / timeStep) * timeStep;
  }

  /** Whether all hosts that have work left are silent, so that the run need not wait for them. */
  areAllSilent(retries: number): boolean {
    for (const host of this.#hosts.values()) if (this.mayBeAsked(host) && !host.isSilent(retries)) return false;
    return true;
  }

  /** Removes hosts that have nothing to do and need not be waited for. */
  dropIdle(now: number): void {
    for (const host of this.#hosts.values()) {
      if (!host.hasWork && host.inFlight === 0 && !host.isHeld && host.dueAt <= now) this.#hosts.delete(host.name);
    }
  }
}
