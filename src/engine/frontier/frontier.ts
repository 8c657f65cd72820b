import type { Turn } from "../../core/records.ts";
import type { StoredCandidate, TurnReply, TurnRequest } from "../../store/index.ts";
import { type Queued, queuedOf, visitOf } from "./back-queue.ts";
import type { Errand, HostQueue, HostWish } from "./host-queue.ts";
import { HostTable } from "./host-table.ts";
import { type FrontierPorts, isForOtherHost, isQueued, type Job, type PickedItem } from "./job.ts";
import type { FrontierOptions } from "./options.ts";
import { Picker } from "./picker.ts";
import type { Answer } from "./politeness.ts";
import { seededRandom } from "./selector.ts";
import { TakenRows } from "./taken-rows.ts";

/**
 * Decides what a failure counts against: robots.txt requests and probes count against the host, and a URL that failed before only against
 * itself.
 */
function withBlame(answer: Answer, { item }: PickedItem): Answer {
  if (answer.kind !== "failed" || answer.blames !== "url") return answer;
  if (!isQueued(item)) return { kind: "failed" };
  return item.okWhenFailed === undefined && item.attempts === 0 ? answer : { kind: "failed", blames: "known-url" };
}

export class Frontier {
  readonly #ports: FrontierPorts;
  readonly #options: FrontierOptions & { perHost: number };
  readonly #hosts: HostTable;
  /** Workers that wait for a job; any of them may get it. */
  readonly #workers: ((job: Job | undefined | Promise<never>) => void)[] = [];
  readonly #inFlight = new Map<Turn, PickedItem>();
  /** Candidates taken from a queue and not settled: they can no longer be held back. */
  readonly taken = new TakenRows();
  readonly #picker: Picker;
  #forgetTimer: () => void = () => undefined;
  /** Total milliseconds in which all workers waited since a host last answered, and the start of the current wait. */
  #totalWait = 0;
  #waitingSince: number | undefined;
  #isPumping = false;
  #pumpAgain = false;
  #isPaused = false;
  #ended: "drained" | "deferred" | "stopped" | undefined;
  #failure: unknown;

  constructor(options: FrontierOptions & { perHost: number }, ports: FrontierPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#hosts = new HostTable(options);
    this.#picker = new Picker(ports, options, {
      hosts: this.#hosts,
      inFlight: this.#inFlight,
      taken: this.taken,
      random: seededRandom(options.seed),
    });
  }

  /** Why `next` returned undefined. */
  get ended(): "drained" | "deferred" | "stopped" | undefined {
    return this.#ended;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  get queued(): number {
    return this.#hosts.queued;
  }

  /** How much longer the run may wait for a host to answer. */
  get patience(): number {
    return Math.max(0, Math.floor(this.#options.maxWait - this.#totalWait));
  }

  hosts(): Iterable<HostQueue> {
    return this.#hosts.values();
  }

  /** Loads the hosts with candidates on disk: at the start, and when other processes have added some. */
  async open(): Promise<void> {
    if (this.#ended !== "stopped") this.#ended = undefined;
    await this.#picker.findHosts();
  }

  #ownsHost(host: string): boolean {
    return this.#ports.backlog.sharing?.holds(host) ?? true;
  }

  /** The next job, as soon as a host is due; undefined if there is nothing left to wait for. */
  next(): Promise<Job | undefined> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve) => {
      this.#workers.push(resolve);
      this.#pump();
    });
  }

  /** Adds candidates that were just settled. */
  add(candidates: readonly StoredCandidate[]): void {
    this.#ended = this.#ended === "stopped" ? "stopped" : undefined;
    for (const candidate of candidates) {
      if (this.taken.has(candidate.id)) continue;
      const hasPlace = this.#hosts.room > 0 || this.#hosts.find(candidate.host) !== undefined;
      if (!hasPlace || !this.#ownsHost(candidate.host)) {
        this.#picker.hasMoreHosts = true;
        continue;
      }
      const host = this.#hosts.of(candidate.host);
      host.onDisk += host.queue.add(queuedOf(candidate), this.#hosts.capacity());
      host.restsUntil = 0;
      this.#hosts.schedule(host);
    }
    if (candidates.length > 0) this.#pump();
  }

  /** A queued candidate was found at a smaller depth, or its priority has changed. */
  move(hostName: string, id: number, change: { depth?: number; level: number; priority: number }): void {
    if (!this.taken.has(id)) this.#hosts.move(hostName, id, change);
  }

  drop(rows: readonly { readonly host: string; readonly id: number }[]): void {
    this.#hosts.drop(rows);
    this.#pump();
  }

  /** Hosts that only wait for our own back-off, whose failures are on disk. */
  inBackOff(): string[] {
    const now = this.#ports.clock.now();
    return [...this.#hosts.values()].filter((host) => host.isInBackOff(now)).map(({ name }) => name);
  }

  /** Ends their back-off. */
  forgive(hosts: readonly string[]): void {
    for (const name of hosts) {
      const host = this.#hosts.find(name);
      host?.forgive(this.#options);
      if (host) this.#hosts.schedule(host);
    }
    this.#pump();
  }

  /** The options or the per-host settings have changed: applies the new rate and concurrency. */
  repace(wishes?: ReadonlyMap<string, HostWish>): void {
    this.#hosts.repace(wishes);
    this.#pump();
  }

  /** The request of this turn has ended: the answer sets the host's next turn. No further request is sent before `free`. */
  learn(turn: Turn, answer: Answer, duration: number): HostQueue | undefined {
    const pick = this.#inFlight.get(turn);
    if (!pick?.isRequest) return undefined;
    if (answer.kind === "answered") this.#totalWait = 0;
    if (answer.kind !== "failed" || (answer.blames ?? "host") !== "host") pick.host.hasSpoken = true;
    pick.host.learn(withBlame(answer, pick), duration, this.#ports.clock.now(), this.#options);
    return pick.host;
  }

  /** The answer is on disk: the host may be asked again when it is due. */
  free(turn: Turn): void {
    const pick = this.#inFlight.get(turn);
    if (!pick) return;
    this.#inFlight.delete(turn);
    if (pick.isRequest) pick.host.inFlight -= 1;
    if (isQueued(pick.item)) {
      this.taken.delete(pick.item.id);
      if (pick.isRequest) pick.host.done += 1;
    }
    this.#hosts.schedule(pick.host);
    this.#pump();
  }

  /** The turn was not used: nothing was requested, so no delay follows. */
  async giveBack(turn: Turn): Promise<void> {
    await this.#returnTurn(turn);
    this.free(turn);
  }

  /** The visit is postponed, so its turn was not used. */
  async putOff(turn: Turn, pause: number): Promise<void> {
    const state = this.stateOf(turn);
    await this.#returnTurn(turn);
    this.free(turn);
    if (state) this.#hosts.hold(state, this.#ports.clock.now() + pause);
  }

  async #returnTurn(turn: Turn): Promise<void> {
    const { host, movesAtPick } = this.#inFlight.get(turn) ?? {};
    // If other requests to the host are in flight, or left or ended in the meantime, or the host has failed, the delay to those still
    // counts.
    if (host?.inFlight === 1 && host.moves === movesAtPick && host.pace.failures === 0) {
      await this.#ports.backlog.giveBack(turn.host);
      host.dueAt = this.#ports.clock.now();
    }
  }

  /** Whether to request a failed URL again. */
  retry(turn: Turn, answer: Answer, pause: number): { again: boolean; attempts: number; needsProbe: boolean } {
    const pick = this.#inFlight.get(turn);
    if (!pick || !isQueued(pick.item)) return { again: false, attempts: 0, needsProbe: false };
    const { host, item } = pick;
    const needsProbe = host.blame(item, answer);
    item.notBefore = this.#ports.clock.now() + pause;
    return { again: item.attempts <= this.#options.retries, attempts: item.attempts, needsProbe };
  }

  /** After `free`: puts it back into the queue, behind candidates of its host that may go now. */
  putBack(state: Queued): void {
    if (!this.#ownsHost(state.host)) return;
    const { cause, dueAt } = this.#hosts.of(state.host);
    // A back-off may end early, and a failed candidate lets the others go first anyway.
    this.#hosts.hold(state, Math.max(state.notBefore, cause === "backoff" ? 0 : dueAt + 1));
    this.#pump();
  }

  /** The queued form of a visit in flight. */
  stateOf(turn: Turn): Queued | undefined {
    const item = this.#inFlight.get(turn)?.item;
    return item && isQueued(item) ? item : undefined;
  }

  /** Queues an errand for its host. */
  send(hostName: string, errand: Errand): void {
    this.#hosts.send(hostName, errand);
    this.#pump();
  }

  /** The robots rules of a host are known, or unavailable for now: its candidates may go to the gate. */
  unhold(hostName: string, crawlDelay?: number): void {
    const host = this.#hosts.of(hostName);
    host.isHeld = false;
    if (crawlDelay !== undefined) host.heardCrawlDelay(crawlDelay, this.#options);
    this.#hosts.schedule(host);
    this.#pump();
  }

  /** The robots rules of an origin cannot be had in this run: its candidates are refused in the next turn of its host. */
  close(hostName: string): void {
    this.#hosts.of(hostName).isClosed = true;
    this.unhold(hostName);
  }

  /** Sends nothing more until `goOn`. */
  pause(): void {
    this.#isPaused = true;
    this.#endWait();
  }

  goOn(): void {
    this.#isPaused = false;
    this.#pump();
  }

  /** Sends nothing more. */
  stop(): void {
    this.#ended = "stopped";
    this.#finish();
  }

  /** Matches waiting workers with due hosts. Only one pump runs at a time. */
  #pump(): void {
    this.#pumpAgain = true;
    if (!this.#isPumping) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isPumping = true;
    try {
      // Calls made in the same tick count together: a visit is freed, then put back.
      await undefined;
      while (this.#pumpAgain) {
        this.#pumpAgain = false;
        await this.#servePicks();
      }
    } catch (cause) {
      this.#failure = cause;
      this.#finish();
    } finally {
      this.#isPumping = false;
    }
  }

  async #servePicks(): Promise<void> {
    while (this.#workers.length > 0 && this.#ended !== "stopped" && !this.#isPaused) {
      const refusal = this.#picker.refusals.shift();
      if (refusal) {
        this.#workers.pop()!(refusal);
        continue;
      }
      const picks = await this.#picker.pickDue(Math.min(this.#workers.length, this.#room));
      if (picks.length > 0) await this.#startPicks(picks);
      else if (this.#picker.refusals.length === 0) break;
    }
    if (this.#ended === "stopped") this.#finish();
    else if (!this.#isPaused) await this.#waitOrEnd();
  }

  /** How many more requests may be in flight. There can be more workers than that, if the limit was lowered. */
  get #room(): number {
    return Math.max(0, this.#options.maxConcurrent - this.#inFlight.size);
  }

  async #startPicks(picks: readonly PickedItem[]): Promise<void> {
    const requests: TurnRequest[] = [];
    const { beganAt } = this.#ports;
    for (const { host, item } of picks) {
      const visit = isQueued(item) ? item.id : 0;
      requests.push({ host: host.name, visit, delay: host.delay, cause: host.cause, beganAt: host.isOurs ? undefined : beganAt });
    }
    const replies = await this.#ports.backlog.claim(requests);
    const now = this.#ports.clock.now();
    for (const [index, pick] of picks.entries()) {
      const reply = replies[index]!;
      const worker = reply.granted && this.#ended !== "stopped" ? this.#workers.pop() : undefined;
      if (worker) {
        const turn = this.#turnOf(pick.host.name);
        this.#inFlight.set(turn, pick);
        const { host, item } = pick;
        if (reply.granted && reply.known && !host.isOurs) host.pace.failures = reply.known.failures;
        host.isOurs = true;
        // A claim can take seconds if other processes lock the file, so the next delay starts when this request leaves.
        host.dueAt = Math.max(host.dueAt, now + host.delay);
        this.#hosts.schedule(host);
        worker(isQueued(item) ? { kind: "visit", visit: visitOf(item, turn) } : { kind: "errand", errand: item, turn });
      } else this.#takeBack(pick, reply);
    }
  }

  #turnOf(host: string): Turn {
    const { sharing } = this.#ports.backlog;
    return { host, spent: false, isStillOurs: sharing && (() => sharing.mayAsk(host)) };
  }

  /** The turn was refused, the host is leased by another process, or the run was stopped after the turn was granted. */
  #takeBack(pick: PickedItem, reply: TurnReply): void {
    if (isQueued(pick.item)) this.taken.delete(pick.item.id);
    if (!reply.granted && reply.isLost && !isForOtherHost(pick)) this.#hosts.removeLost(pick.host);
    else {
      this.#hosts.takeBack(pick, this.#ports.clock.now() + (reply.granted ? 0 : reply.wait));
      if (!reply.granted && reply.known) pick.host.recall(reply.known);
    }
  }

  #endWait(): void {
    this.#forgetTimer();
    if (this.#waitingSince !== undefined) this.#totalWait += this.#ports.clock.now() - this.#waitingSince;
    this.#waitingSince = undefined;
  }

  async #waitOrEnd(): Promise<void> {
    this.#endWait();
    const now = this.#ports.clock.now();
    if (this.#workers.length === 0 || this.#room === 0) {
      // A fully busy process may hold hosts that others should have. If nothing is in flight, no worker may be left to fetch what is
      // found.
      if (this.#picker.isShared && this.#inFlight.size > 0) await this.#picker.checkDisk(now, false);
      return;
    }
    const nextDueAt = this.#hosts.nextDueAt();
    const isTooLong = nextDueAt === undefined || nextDueAt - now > this.patience || this.#isForsaken();
    if (await this.#picker.checkDisk(now, isTooLong)) {
      this.#pumpAgain = true;
      return;
    }
    if (this.#isEnd(isTooLong)) {
      if ((await this.#picker.checkDiskAtEnd()) || !this.#isEnd(isTooLong)) {
        this.#pumpAgain = true;
        return;
      }
      this.#ended = nextDueAt === undefined ? "drained" : "deferred";
      this.#finish();
    } else if (nextDueAt !== undefined || this.#picker.isShared) {
      const wait = Math.max(0, Math.ceil((nextDueAt ?? Number.POSITIVE_INFINITY) - now));
      if (this.#inFlight.size === 0) this.#waitingSince = now;
      this.#forgetTimer = this.#ports.clock.after(Math.min(this.#picker.checkInterval, wait), () => this.#pump());
    }
  }

  /** Other processes may know that a host of a shared run answers. */
  #isForsaken(): boolean {
    return (
      this.#inFlight.size === 0 && !this.#picker.isShared && !this.#picker.hasMoreHosts && this.#hosts.areAllSilent(this.#options.retries)
    );
  }

  #isEnd(isTooLong: boolean): boolean {
    return this.#inFlight.size === 0 && isTooLong && this.#ended !== "stopped" && !this.#pumpAgain;
  }

  #finish(): void {
    this.#endWait();
    for (const resolve of this.#workers.splice(0)) resolve(this.#failure === undefined ? undefined : Promise.reject(this.#failure));
  }
}
