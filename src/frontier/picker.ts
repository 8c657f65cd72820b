import type { Turn } from "../records.ts";
import type { StoredCandidate, Want } from "../store/index.ts";
import { type Queued, queuedOf, visitOf } from "./back-queue.ts";
import type { Errand, HostQueue, PaceOptions } from "./host-queue.ts";
import type { HostTable } from "./host-table.ts";
import type { FrontierPorts, Job, Pick } from "./job.ts";
import type { Taken } from "./taken.ts";

/** State shared by the frontier and its picker. */
export interface Books {
  readonly hosts: HostTable;
  readonly out: Map<Turn, Pick>;
  readonly taken: Taken;
  readonly random: () => number;
}

type Item = Queued | Errand | undefined;

/** How often idle workers check the disk for hosts that did not fit in memory and, in a shared run, for hosts released by others. */
const LOOK_AGAIN = 10_000;
const LOOK_FOR_SHARE = 250;

/** Approximate number of rows to read at once if several hosts need candidates. */
const ROWS_AT_ONCE = 512;

const isShort = (host: HostQueue, now: number) => host.onDisk > 0 && !host.isHeld && host.errands.length === 0 && host.queue.isLacking(now);

/** Chooses the next requests from the hosts that are due, and loads candidates from disk where memory has none left. */
export class Picker {
  readonly #ports: FrontierPorts;
  readonly #options: PaceOptions;
  readonly #books: Books;
  /** Candidates refused by the gate, to be settled. */
  readonly refusals: Job[] = [];
  /** Whether hosts that did not fit in memory have candidates on disk. */
  moreHosts = false;
  #lookAgainAt = 0;
  /** Whether anything was chosen since the last final check of the disk. */
  #hasChosen = false;

  constructor(ports: FrontierPorts, options: PaceOptions, books: Books) {
    this.#ports = ports;
    this.#options = options;
    this.#books = books;
  }

  async pickDue(workers: number): Promise<Pick[]> {
    const { hosts, random } = this.#books;
    const now = this.#ports.clock.now();
    hosts.wake(now);
    const picks: Pick[] = [];
    const visited: HostQueue[] = [];
    while (picks.length + this.refusals.length < workers) {
      const host = hosts.takeReady(random);
      if (!host) break;
      if (!hosts.mayBeAsked(host)) continue;
      if (host.readyAt > now) {
        // It asked for a pause while it was ready.
        visited.push(host);
        continue;
      }
      const found = this.#itemOf(host, now, workers);
      const item = found instanceof Promise ? await found : found;
      if (item) {
        host.take(now, this.#options);
        picks.push({ host, item, isAsked: true, since: host.moves });
      }
      if (item && host.delay === 0 && hosts.mayBeAsked(host)) hosts.keepReady(host);
      else visited.push(host);
    }
    for (const host of visited) hosts.schedule(host);
    if (picks.length + this.refusals.length > 0) this.#hasChosen = true;
    return picks;
  }

  /** The next item to request from this host, after the gate has checked it; a promise only if it must be loaded from disk. */
  #itemOf(host: HostQueue, now: number, workers: number, isLoaded = false): Item | Promise<Item> {
    const { out, taken, random } = this.#books;
    const errand = host.errands.shift();
    if (errand) return errand;
    for (let mayLoad = !isLoaded; !host.isHeld; mayLoad = true) {
      if (mayLoad && isShort(host, now)) return this.#load(host, now).then(() => this.#itemOf(host, now, workers, true));
      const candidate = host.queue.take(now, random);
      if (!candidate) {
        if (host.queue.size > 0) host.restsUntil = host.queue.earliest();
        return undefined;
      }
      const verdict = this.#ports.gate(candidate);
      if (verdict.kind !== "errand") taken.add(candidate.id);
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
      out.set(turn, { host, item: candidate, isAsked: false, since: host.moves });
      this.refusals.push({ kind: "refused", visit: visitOf(candidate, turn), fetched: verdict.fetched });
      if (this.refusals.length >= workers) return undefined;
    }
    return undefined;
  }

  /**
   * Fills the front queues that ran empty, including those of hosts that are due soon: reading for many hosts costs little more than for
   * one.
   */
  async #load(host: HostQueue, now: number): Promise<void> {
    const { hosts } = this.#books;
    const capacity = hosts.capacity();
    if (host.queue.size >= capacity) return;
    const most = Math.max(1, Math.floor(ROWS_AT_ONCE / capacity));
    const others = hosts.ready(most - 1).filter((one) => one.queue.size < capacity && isShort(one, now));
    const wants = [host, ...others].map((one) => this.#wantOf(one, now, capacity));
    const loaded = await this.#ports.backlog.load(wants);
    for (const [index, want] of wants.entries()) want.fill(loaded[index]!);
  }

  #wantOf(host: HostQueue, now: number, capacity: number): Want & { fill(loaded: readonly StoredCandidate[]): void } {
    const { taken } = this.#books;
    const { queue } = host;
    const levels = queue.lacking(now);
    const each = Math.ceil((capacity - queue.size) / levels.length);
    queue.isRead();
    return {
      host: host.name,
      share: (level) => (levels.includes(level) ? each : 0),
      inMemory: (id) => taken.has(id) || queue.has(id),
      fill(loaded) {
        if (host.queue !== queue) return;
        for (const candidate of loaded) queue.hold(queuedOf(candidate));
        for (const level of levels) if (loaded.filter((candidate) => candidate.level === level).length < each) queue.mend(level);
        host.onDisk = queue.isCut ? Math.max(1, host.onDisk - loaded.length) : 0;
      },
    };
  }

  get isShared(): boolean {
    return this.#ports.backlog.sharing !== undefined;
  }

  /** The longest wait before the next check. */
  get patience(): number {
    return this.isShared ? LOOK_FOR_SHARE : 60_000;
  }

  /** Looks for hosts on disk if it is time, or if there is nothing else to do. In a shared run there may always be some. */
  async lookAgain(now: number, isIdle: boolean): Promise<boolean> {
    const isUrgent = isIdle && (!this.isShared || this.#books.out.size === 0);
    if (!(this.moreHosts || this.isShared) || !(isUrgent || now >= this.#lookAgainAt)) return false;
    this.#lookAgainAt = now + (this.isShared ? LOOK_FOR_SHARE : LOOK_AGAIN);
    return this.findHosts();
  }

  /** Before the end: finds candidates on disk that memory does not know of. Repeated only if something was chosen since. */
  async lookLast(): Promise<boolean> {
    const mayFind = this.#hasChosen && !this.isShared;
    this.#hasChosen = false;
    return mayFind && this.findHosts((host) => host.hasWork);
  }

  /** Adds hosts from disk that did not fit in memory; idle hosts in memory are dropped first. */
  async findHosts(isKnown: (host: HostQueue) => boolean = () => true): Promise<boolean> {
    const { hosts } = this.#books;
    hosts.dropIdle(this.#ports.clock.now());
    const { room } = hosts;
    if (room <= 0) return false;
    const found = await this.#ports.backlog.hosts(room, (name) => {
      const host = hosts.find(name);
      return host !== undefined && isKnown(host);
    });
    this.moreHosts = found.length >= room;
    for (const { host, queued } of found) hosts.adopt(host, queued);
    return found.length > 0;
  }
}
