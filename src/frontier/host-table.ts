import { withoutPort } from "../url/index.ts";
import type { Queued } from "./back-queue.ts";
import { DueHeap } from "./due-heap.ts";
import { type Errand, HostQueue, type HostWish, NO_WISH } from "./host-queue.ts";
import { isQueued, type Pick } from "./job.ts";
import type { FrontierOptions } from "./options.ts";
import { ReadyHosts } from "./ready-hosts.ts";

const MAX_HOSTS = 20_000;
/** Candidates in memory over all hosts, about. */
const WORKING_SET = 32_768;
const CROWD = 1000;
const LONGEST_GRAIN = 10;

/** The mapping table, which back queue is whose, with the hosts in the order of their turns. */
export class HostTable {
  readonly #options: FrontierOptions & { perHost: number };
  readonly #hosts = new Map<string, HostQueue>();
  readonly #waiting = new DueHeap<HostQueue>();
  readonly #ready = new ReadyHosts();
  #wishes: ReadonlyMap<string, HostWish> = new Map();

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
      host.wish = this.#wishes.get(name) ?? NO_WISH;
      this.#hosts.set(name, host);
    }
    return host;
  }

  /** Candidates that wait, in memory and on disk. */
  get queued(): number {
    let sum = 0;
    for (const host of this.#hosts.values()) sum += host.waiting;
    return sum;
  }

  /** A host all of whose candidates are on disk. */
  adopt(name: string, queued: number): void {
    const host = this.of(name);
    host.onDisk = queued;
    host.restsUntil = 0;
    host.queue.cutAll();
    this.schedule(host);
  }

  /** For how many more hosts there is room in memory. */
  get room(): number {
    return MAX_HOSTS - this.#hosts.size;
  }

  /** Candidates a host may hold in memory: fewer when there are many hosts. */
  capacity(): number {
    const fair = Math.floor(WORKING_SET / Math.max(1, this.#hosts.size));
    return Math.max(4, Math.min(Math.max(64, 2 * this.#options.maxConcurrent), fair));
  }

  /** A candidate that waits was heard of nearer, or of more worth. One that waits on disk has changed its front queue there. */
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

  /** Waits in memory until its moment. */
  hold(item: Queued, notBefore: number): void {
    const host = this.of(item.host);
    item.notBefore = notBefore;
    host.restsUntil = Math.min(host.restsUntil, notBefore);
    host.queue.hold(item);
    this.schedule(host);
  }

  /** What was on its way out stays after all; its host may be asked from a moment on. */
  takeBack({ host, item }: Pick, from: number): void {
    host.inFlight -= 1;
    if (isQueued(item)) {
      host.restsUntil = 0;
      host.queue.hold(item);
    } else host.errands.unshift(item);
    host.dueAt = Math.max(from, host.dueAt - host.delay);
    this.schedule(host);
  }

  /** What was on its way out is not: the host is another process's now. */
  lose(host: HostQueue): void {
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

  /** Of hosts that no wish names, nobody wants anything. */
  repace(wishes = this.#wishes): void {
    this.#wishes = wishes;
    for (const host of this.#hosts.values()) {
      host.wish = wishes.get(host.name) ?? NO_WISH;
      host.repace(this.#options);
      this.schedule(host);
    }
  }

  /** Puts a host where it belongs after anything about it changed. */
  schedule(host: HostQueue): void {
    if (host.isReady) return;
    if (this.mayBeAsked(host)) this.#waiting.put(host);
    else this.#waiting.remove(host);
  }

  mayBeAsked(host: HostQueue): boolean {
    return host.hasWork && host.inFlight < host.most(this.#options.perHost);
  }

  /**
   * In a crowd, turns are let out at whole grains: none is later by more than a hundredth of our own pace, and many are claimed on disk at once. Each claim by itself
   * costs several times as much.
   */
  get #grain(): number {
    return this.#waiting.size < CROWD ? 0 : Math.floor(Math.min(LONGEST_GRAIN, this.#options.rateLimit / 100));
  }

  /** Hosts whose moment has come stand ready, whoever of them is taken first. */
  wake(now: number): void {
    const grain = this.#grain;
    const until = grain > 0 ? now - (now % grain) : now;
    for (let host = this.#waiting.peek(); host && host.readyAt <= until; host = this.#waiting.peek()) {
      this.#waiting.remove(host);
      this.#ready.add(host);
    }
  }

  takeReady(random: () => number): HostQueue | undefined {
    return this.#ready.take(random);
  }

  /** Some that will be taken soon. */
  ready(most: number): HostQueue[] {
    return this.#ready.some(most);
  }

  keepReady(host: HostQueue): void {
    this.#ready.add(host);
  }

  nextDueAt(): number | undefined {
    const dueAt = this.#waiting.peek()?.readyAt;
    const grain = this.#grain;
    return dueAt === undefined || grain === 0 ? dueAt : Math.ceil(dueAt / grain) * grain;
  }

  /** Makes room: hosts that have nothing to do, and need not be waited for, are forgotten. */
  dropIdle(now: number): void {
    for (const host of this.#hosts.values()) {
      if (!host.hasWork && host.inFlight === 0 && !host.isHeld && host.dueAt <= now) this.#hosts.delete(host.name);
    }
  }
}
