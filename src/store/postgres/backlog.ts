import type { DelayCause } from "../../records.ts";
import type { Backlog, HostBacklog, Sharing, StoredCandidate, TurnReply, TurnRequest, Want } from "../backlog.ts";
import type { Row } from "../sqlite/rows.ts";
import { arrayOf, linesIn } from "./columns.ts";
import { LeaseBook } from "./lease-book.ts";
import * as statements from "./lease-statements.ts";
import { load } from "./load.ts";
import type { Presence } from "./presence.ts";
import { takePages } from "./shared-budget.ts";

const GRANTED: TurnReply = { granted: true };
const POLL = 500;
/** Requests of another run for a host expire after two seconds (`WISH`), so renew them every second. */
const WANT_EVERY = 1000;
/** How often a working process checks for URLs that others added to its hosts, and for its fair share of hosts. */
const LOOK_EVERY = 1000;
/** Workers that are in no run are expected to join a new run within this time; until then their share of the hosts stays free. */
const OTHERS_COME = 2000;
/** Hosts leased at a time if the maximum number of concurrent requests is not known. */
const SOME_HOSTS = 100;

/** The hosts that this process has leased for one run, and the turns it claims for them. */
export class PostgresBacklog implements Backlog {
  readonly #presence: Presence;
  readonly #runId: number;
  readonly #book = new LeaseBook();
  readonly sharing: Sharing;
  #isUsed = false;
  #hasLeft = false;
  #wantedAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #begunAt: number | undefined;
  #share = 0;
  #sharedAt = Number.NEGATIVE_INFINITY;
  #lives = 0;

  constructor(presence: Presence, runId: number) {
    this.#presence = presence;
    this.#runId = runId;
    this.sharing = {
      holds: (host) => this.#book.holds(host),
      mayAsk: (host) => this.#book.isFresh(host, presence.local()),
      rest: (maxWait) => this.#rest(maxWait),
      lives: () => this.#lives,
      takePages: async (wanted, most, stillOut) => takePages(presence, { runId, wanted, most, stillOut }),
    };
  }

  get runId(): number {
    return this.#runId;
  }

  get owner(): string {
    this.#isUsed = true;
    return `${this.#presence.id}/${this.#runId}`;
  }

  get out(): number[] {
    return this.#book.out;
  }

  async hosts(limit: number, inMemory: (host: string) => boolean): Promise<HostBacklog[]> {
    const found = new Map<string, number>();
    const add = (rows: readonly Row[]) => {
      for (const row of rows) found.set(String(row.name), Number(row.queued));
    };
    const presence = this.#presence;
    this.#hasLeft = false;
    presence.beatIfDue();
    presence.join(this.#runId);
    const forgotten = this.#book.hosts.filter((host) => !inMemory(host)).slice(0, limit);
    if (forgotten.length > 0) add(presence.ask(statements.QUEUED, [this.#runId, arrayOf(forgotten)]));
    if (this.#book.size > 0 && presence.local() - this.#lookedAt > LOOK_EVERY) {
      this.#lookedAt = presence.local();
      add(presence.ask(statements.NEWS, [this.#runId, this.owner]));
    }
    const missing = this.#missing();
    const room = Math.min(limit - found.size, this.#mostAtOnce, missing);
    if (room > 0 && !presence.isDraining) add(this.#lease(room));
    for (const host of found.keys()) if (!inMemory(host)) this.#book.told(host);
    return [...found].slice(0, limit).map(([host, queued]) => ({ host, queued }));
  }

  get #mostAtOnce(): number {
    return 2 * this.#presence.maxConcurrent || SOME_HOSTS;
  }

  /**
   * How many more hosts this process should lease; if it holds more than its share, it gives some back. Counting is slow in a large run,
   * so it is done at most once per `LOOK_EVERY`.
   */
  #missing(): number {
    const isOld = this.#book.size < SOME_HOSTS || this.#presence.local() - this.#sharedAt > LOOK_EVERY;
    if (isOld && this.#askShare() < this.#book.size) this.#shareOut(this.#presence.ask(statements.HELD, [this.owner, this.#runId]));
    return this.#share - this.#book.size;
  }

  #askShare(): number {
    const { now, lease } = this.#presence;
    this.#sharedAt = this.#presence.local();
    this.#begunAt ??= this.#sharedAt;
    const mayOthersCome = this.#sharedAt - this.#begunAt < OTHERS_COME;
    const [fair] = this.#presence.ask(statements.SHARE, [this.#runId, now, lease, mayOthersCome]);
    this.#share = Number(fair!.share);
    return this.#share;
  }

  #lease(room: number): Row[] {
    const presence = this.#presence;
    const { now, lease } = presence;
    const rows = presence.ask(statements.LEASE_HOSTS, [this.#runId, this.owner, room, now, lease]);
    for (const row of rows) this.#book.hold(String(row.name), Number(row.epoch));
    if (rows.length === 0) this.#want(room);
    return rows.sort((a, b) => Number(a.next_at) - Number(b.next_at));
  }

  /** Requests hosts that another run holds and that have queued URLs in this one. */
  #want(room: number): void {
    const local = this.#presence.local();
    if (local - this.#wantedAt < WANT_EVERY) return;
    this.#wantedAt = local;
    if (this.#presence.ask(statements.STRANGERS, [this.#runId]).length === 0) return;
    this.#presence.ask(statements.WANT_HOSTS, [this.#runId, this.owner, room, this.#presence.now]);
  }

  async load(wants: readonly Want[]): Promise<StoredCandidate[][]> {
    return load(this.#presence, { runId: this.#runId, owner: this.owner }, wants);
  }

  /** Writes the turn to disk, with the time of the next one, before the request is sent. */
  async claim(turns: readonly TurnRequest[]): Promise<TurnReply[]> {
    this.#presence.beatIfDue();
    const local = this.#presence.local();
    const isFree = ({ delay, host }: TurnRequest) => delay === 0 && this.#book.isFresh(host, local) && !this.#book.isLost(host);
    const asked = turns.filter((turn) => !isFree(turn));
    const lost = this.#lostAmong(asked);
    const answers = this.#claim(asked.filter(({ host }) => !lost.has(host)));
    for (const host of lost) this.#book.told(host);
    return turns.map((turn): TurnReply => {
      const answer = answers.get(turn.host);
      if (answer?.granted === true || (answer === undefined && !lost.has(turn.host))) {
        if (turn.visit !== 0) this.#book.goesOut(turn.visit, turn.host);
        return answer ?? GRANTED;
      }
      const isLost = lost.has(turn.host) || (turn.visit !== 0 && !this.#book.holds(turn.host));
      return { granted: false, wait: answer?.granted === false ? answer.wait : 0, known: answer?.known, ...(isLost && { isLost }) };
    });
  }

  /**
   * Hosts that others leased in the meantime, even if the lease is ours again: those marked lost, and those not held whose visits are no
   * longer all queued.
   */
  #lostAmong(turns: readonly TurnRequest[]): ReadonlySet<string> {
    const visits = turns.filter(({ visit }) => visit !== 0);
    const lost = new Set(visits.map(({ host }) => host).filter((host) => this.#book.isLost(host)));
    const foreign = visits.filter(({ host }) => !lost.has(host) && !this.#book.holds(host));
    if (foreign.length === 0) return lost;
    const rows = this.#presence.ask("SELECT id FROM decision WHERE id = ANY($1::bigint[]) AND verdict = 'queued'", [
      arrayOf(foreign.map(({ visit }) => visit)),
    ]);
    const queued = new Set(rows.map(({ id }) => Number(id)));
    for (const { host, visit } of foreign) if (!queued.has(visit)) lost.add(host);
    return lost;
  }

  #claim(turns: readonly TurnRequest[]): Map<string, TurnReply> {
    const presence = this.#presence;
    const answers = new Map<string, TurnReply>();
    if (turns.length === 0) return answers;
    presence.join(this.#runId);
    const byHost = new Map<string, { turn: TurnRequest; visits: number[] }>();
    for (const turn of turns) {
      const known = byHost.get(turn.host) ?? { turn, visits: [] };
      if (known.turn.delay < turn.delay) known.turn = turn;
      if (turn.visit !== 0) known.visits.push(turn.visit);
      byHost.set(turn.host, known);
    }
    presence.hostIds(new Set(byHost.keys()));
    const firsts = new Set(turns.filter(({ beganAt }) => beganAt !== undefined).map(({ host }) => host));
    const asked = [...byHost.values()].map(({ turn: { host, delay, cause, beganAt }, visits }) => ({
      name: host,
      delay: Math.ceil(delay),
      cause,
      is_paced: this.#runId > 0 && this.#book.isPaced(host),
      is_busy: this.#book.isBusy(host),
      visits: visits.length > 0 ? visits.join(",") : undefined,
      began_at: beganAt,
    }));
    const { id, now, lease } = presence;
    const askedAt = presence.local();
    const rows = presence.askByIndex(statements.CLAIM, [
      ...statements.asked.values(asked),
      ...[this.owner, this.#runId, id, lease, now, arrayOf(this.out)],
    ]);
    const lines = linesIn(rows);
    if (lines.some(([, , isKnown]) => isKnown !== "1")) presence.renew();
    for (const [host, isGranted, , isFellows, isKept, epoch, cause, lastDelay, failures, isLate, wait] of lines) {
      const known = { cause: cause as DelayCause, delay: Number(lastDelay), failures: Number(failures) };
      if (isGranted === "1") this.#book.ask(host!, Number(epoch), askedAt + lease / 2);
      else if (isKept !== "1") this.#book.letGo(host!);
      answers.set(
        host!,
        isGranted === "1"
          ? { granted: true, ...(firsts.has(host!) && { known }) }
          : { granted: false, wait: Number(wait), ...(isLate === "1" && { known }), ...(isFellows === "1" && { isLost: true }) },
      );
    }
    return answers;
  }

  leaseOf(visit: number): number | undefined {
    return this.#book.leaseOf(visit);
  }

  cameBack(visit: number): void {
    this.#book.cameBack(visit);
  }

  letGo(host: string): void {
    this.#book.letGo(host);
  }

  /** Marks every lease as lost. */
  loseAll(): void {
    this.#lives += 1;
    for (const host of this.#book.hosts) this.#book.lose(host);
  }

  async giveBack(host: string): Promise<void> {
    this.#release(host, true);
  }

  async release(host: string): Promise<void> {
    this.#release(host, false);
  }

  #release(host: string, isUnused: boolean): void {
    const [row] = this.#presence.ask(statements.RELEASE, [host, this.owner, this.#runId, this.#presence.now, isUnused]);
    if (row?.is_kept !== 1) this.#book.letGo(host);
  }

  /** Gives back every host. */
  releaseAll(): void {
    this.#hasLeft = true;
    this.#presence.ask("UPDATE host SET owner = NULL WHERE owner = $1", [this.owner]);
    this.#book.clear();
  }

  /** Renews the leases, detects lost ones, and gives back hosts above the share. */
  beat(): void {
    const presence = this.#presence;
    const { now, lease } = presence;
    if (!this.#isUsed || (this.#runId <= 0 && this.#book.size === 0)) return;
    // Counted from before the query is sent, because this process may be suspended for any time until the answer arrives.
    const freshUntil = presence.local() + lease / 2;
    presence.ask(statements.RENEW, [this.owner, now, lease]);
    const rows = presence.ask(statements.HELD, [this.owner, this.#runId]);
    this.#book.compare(new Map(rows.map((row) => [String(row.name), Number(row.epoch)])), freshUntil);
    if (this.#runId > 0) this.#askShare();
    this.#shareOut(rows);
  }

  /** Gives back hosts that have nothing queued, and idle hosts above this process's share. */
  #shareOut(rows: readonly Row[]): void {
    // Requests outside a run have no queue, and need the host only while they are in flight.
    if (this.#runId <= 0) return;
    const idle = rows.filter(({ name }) => !this.#book.isBusy(String(name)));
    // A lease missing from the book was granted when the connection broke.
    const isUseless = ({ name, queued }: Row) => Number(queued) === 0 || !this.#book.holds(String(name));
    const useless = idle.filter(isUseless);
    const useful = idle.filter((row) => !isUseless(row));
    const surplus = Math.max(0, rows.length - useless.length - this.#share);
    this.#giveUp([...useless, ...useful.slice(0, surplus)].map(({ name }) => String(name)));
  }

  #giveUp(hosts: readonly string[]): void {
    if (hosts.length === 0) return;
    for (const { name } of this.#presence.ask(statements.GIVE_UP, [this.owner, arrayOf(hosts)])) this.#book.lose(String(name));
  }

  async #rest(maxWait: number): Promise<boolean> {
    for (this.#hasLeft = false; !this.#hasLeft; await this.#presence.wake(POLL)) {
      const [seen] = this.#presence.ask(statements.REST, [
        this.#runId,
        this.owner,
        this.#presence.now,
        Math.min(maxWait, Number.MAX_SAFE_INTEGER),
      ]);
      if (seen?.is_on !== 1) return false;
      if (seen.has_news === 1) this.#lookedAt = Number.NEGATIVE_INFINITY;
      if (seen.is_free === 1) this.#sharedAt = Number.NEGATIVE_INFINITY;
      if (seen.is_free === 1 || seen.has_news === 1) return true;
      if (seen.is_elsewhere !== 1) return false;
    }
    return false;
  }
}
