import type { Turn } from "../../core/records.ts";
import type { StoredCandidate, Want } from "../../store/index.ts";
import { type Queued, queuedOf, visitOf } from "./back-queue.ts";
import type { Errand, HostQueue, PaceOptions } from "./host-queue.ts";
import type { HostTable } from "./host-table.ts";
import type { FrontierPorts, Job, PickedItem } from "./job.ts";
import type { TakenRows } from "./taken-rows.ts";

/** State shared by the frontier and its picker. */
export interface PickerState {
  readonly hosts: HostTable;
  readonly inFlight: Map<Turn, PickedItem>;
  readonly taken: TakenRows;
  readonly random: () => number;
}

type Item = Queued | Errand | undefined;

/** How often idle workers check the disk for hosts that did not fit in memory and, in a shared run, for hosts released by others. */
const DISK_CHECK_MS = 10_000;
const SHARED_CHECK_MS = 250;

/** Approximate number of rows to read at once if several hosts need candidates. */
const MAX_ROWS_PER_READ = 512;

const needsLoading = (host: HostQueue, now: number) =>
  host.onDisk > 0 && !host.isHeld && host.errands.length === 0 && host.queue.isLacking(now);

/** Chooses the next requests from the hosts that are due, and loads candidates from disk where memory has none left. */
export class Picker {
  readonly #ports: FrontierPorts;
  readonly #options: PaceOptions;
  readonly #state: PickerState;
  /** Candidates refused by the gate, to be settled. */
  readonly refusals: Job[] = [];
  /** Whether hosts that did not fit in memory have candidates on disk. */
  hasMoreHosts = false;
  #nextCheckAt = 0;
  /** Whether anything was chosen since the last final check of the disk. */
  #hasPicked = false;

  constructor(ports: FrontierPorts, options: PaceOptions, state: PickerState) {
    this.#ports = ports;
    this.#options = options;
    this.#state = state;
  }

  async pickDue(workers: number): Promise<PickedItem[]> {
    const { hosts, random } = this.#state;
    const now = this.#ports.clock.now();
    hosts.wake(now);
    const picks: PickedItem[] = [];
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
        picks.push({ host, item, isRequest: true, movesAtPick: host.moves });
      }
      if (item && host.delay === 0 && hosts.mayBeAsked(host)) hosts.addReady(host);
      else visited.push(host);
    }
    for (const host of visited) hosts.schedule(host);
    if (picks.length + this.refusals.length > 0) this.#hasPicked = true;
    return picks;
  }

  /** The next item to request from this host, after the gate has checked it; a promise only if it must be loaded from disk. */
  #itemOf(host: HostQueue, now: number, workers: number, isLoaded = false): Item | Promise<Item> {
    const { inFlight, taken, random } = this.#state;
    const errand = host.errands.shift();
    if (errand) return errand;
    for (let mayLoad = !isLoaded; !host.isHeld; mayLoad = true) {
      if (mayLoad && needsLoading(host, now)) return this.#load(host, now).then(() => this.#itemOf(host, now, workers, true));
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
      inFlight.set(turn, { host, item: candidate, isRequest: false, movesAtPick: host.moves });
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
    const { hosts } = this.#state;
    const capacity = hosts.capacity();
    if (host.queue.size >= capacity) return;
    const maxHosts = Math.max(1, Math.floor(MAX_ROWS_PER_READ / capacity));
    const others = hosts.ready(maxHosts - 1).filter((one) => one.queue.size < capacity && needsLoading(one, now));
    const wants = [host, ...others].map((one) => this.#wantOf(one, now, capacity));
    const loaded = await this.#ports.backlog.load(wants);
    for (const [index, want] of wants.entries()) want.fill(loaded[index]!);
  }

  #wantOf(host: HostQueue, now: number, capacity: number): Want & { fill(loaded: readonly StoredCandidate[]): void } {
    const { taken } = this.#state;
    const { queue } = host;
    const levels = queue.lacking(now);
    const perLevel = Math.ceil((capacity - queue.size) / levels.length);
    queue.isRead();
    return {
      host: host.name,
      share: (level) => (levels.includes(level) ? perLevel : 0),
      inMemory: (id) => taken.has(id) || queue.has(id),
      fill(loaded) {
        if (host.queue !== queue) return;
        for (const candidate of loaded) queue.hold(queuedOf(candidate));
        for (const level of levels) if (loaded.filter((candidate) => candidate.level === level).length < perLevel) queue.mend(level);
        host.onDisk = queue.isCut ? Math.max(1, host.onDisk - loaded.length) : 0;
      },
    };
  }

  get isShared(): boolean {
    return this.#ports.backlog.sharing !== undefined;
  }

  /** The longest wait before the next check. */
  get checkInterval(): number {
    return this.isShared ? SHARED_CHECK_MS : 60_000;
  }

  /** Looks for hosts on disk if it is time, or if there is nothing else to do. In a shared run there may always be some. */
  async checkDisk(now: number, isIdle: boolean): Promise<boolean> {
    const isUrgent = isIdle && (!this.isShared || this.#state.inFlight.size === 0);
    if (!(this.hasMoreHosts || this.isShared) || !(isUrgent || now >= this.#nextCheckAt)) return false;
    this.#nextCheckAt = now + (this.isShared ? SHARED_CHECK_MS : DISK_CHECK_MS);
    return this.findHosts();
  }

  /** Before the end: finds candidates on disk that memory does not know of. Repeated only if something was chosen since. */
  async checkDiskAtEnd(): Promise<boolean> {
    const mayFind = this.#hasPicked && !this.isShared;
    this.#hasPicked = false;
    return mayFind && this.findHosts((host) => host.hasWork);
  }

  /** Adds hosts from disk that did not fit in memory; idle hosts in memory are dropped first. */
  async findHosts(isKnown: (host: HostQueue) => boolean = () => true): Promise<boolean> {
    const { hosts } = this.#state;
    hosts.dropIdle(this.#ports.clock.now());
    const { room } = hosts;
    if (room <= 0) return false;
    const found = await this.#ports.backlog.hosts(room, (name) => {
      const host = hosts.find(name);
      return host !== undefined && isKnown(host);
    });
    this.hasMoreHosts = found.length >= room;
    for (const { host, queued } of found) hosts.addFromDisk(host, queued);
    return found.length > 0;
  }
}
