import type { DelayCause } from "../../core/records.ts";
import type { Backlog, HostBacklog, Sharing, StoredCandidate, TurnReply, TurnRequest, Want } from "../backlog.ts";
import type { Row } from "../sqlite/rows.ts";
import { arrayOf, parseLines } from "./columns.ts";
import * as statements from "./lease-statements.ts";
import { LeaseTable } from "./lease-table.ts";
import { load } from "./load.ts";
import { reservePages } from "./shared-budget.ts";
import type { WorkerSession } from "./worker-session.ts";

const GRANTED: TurnReply = { granted: true };
const POLL_MS = 500;
/** Requests of another run for a host expire after two seconds (`REQUEST_VALID_MS`), so renew them every second. */
const REQUEST_INTERVAL_MS = 1000;
/** How often a working process checks for URLs that others added to its hosts, and for its fair share of hosts. */
const CHECK_INTERVAL_MS = 1000;
/** Workers that are in no run are expected to join a new run within this time; until then their share of the hosts stays free. */
const JOIN_TIME_MS = 2000;
/** Hosts leased at a time if the maximum number of concurrent requests is not known. */
const DEFAULT_HOSTS = 100;

/** The hosts that this process has leased for one run, and the turns it claims for them. */
export class PostgresBacklog implements Backlog {
  readonly #session: WorkerSession;
  readonly #runId: number;
  readonly #leases = new LeaseTable();
  readonly sharing: Sharing;
  #isUsed = false;
  #hasLeft = false;
  #requestedAt = Number.NEGATIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #begunAt: number | undefined;
  #share = 0;
  #sharedAt = Number.NEGATIVE_INFINITY;
  #lives = 0;

  constructor(session: WorkerSession, runId: number) {
    this.#session = session;
    this.#runId = runId;
    this.sharing = {
      holds: (host) => this.#leases.hasLease(host),
      mayAsk: (host) => this.#leases.isFresh(host, session.localTime()),
      rest: (maxWait) => this.#rest(maxWait),
      lives: () => this.#lives,
      takePages: async (wanted, limit, unfetched) => reservePages(session, { runId, wanted, limit, unfetched }),
    };
  }

  get runId(): number {
    return this.#runId;
  }

  get owner(): string {
    this.#isUsed = true;
    return `${this.#session.id}/${this.#runId}`;
  }

  get inFlight(): number[] {
    return this.#leases.inFlight;
  }

  async hosts(limit: number, inMemory: (host: string) => boolean): Promise<HostBacklog[]> {
    const found = new Map<string, number>();
    const add = (rows: readonly Row[]) => {
      for (const row of rows) found.set(String(row.name), Number(row.queued));
    };
    const session = this.#session;
    this.#hasLeft = false;
    session.heartbeatIfDue();
    session.join(this.#runId);
    const forgotten = this.#leases.hosts.filter((host) => !inMemory(host)).slice(0, limit);
    if (forgotten.length > 0) add(session.query(statements.QUEUED, [this.#runId, arrayOf(forgotten)]));
    if (this.#leases.size > 0 && session.localTime() - this.#checkedAt > CHECK_INTERVAL_MS) {
      this.#checkedAt = session.localTime();
      add(session.query(statements.HOSTS_WITH_NEWS, [this.#runId, this.owner]));
    }
    const missing = this.#missing();
    const room = Math.min(limit - found.size, this.#maxAtOnce, missing);
    if (room > 0 && !session.isDraining) add(this.#lease(room));
    for (const host of found.keys()) if (!inMemory(host)) this.#leases.clearLost(host);
    return [...found].slice(0, limit).map(([host, queued]) => ({ host, queued }));
  }

  get #maxAtOnce(): number {
    return 2 * this.#session.maxConcurrent || DEFAULT_HOSTS;
  }

  /**
   * How many more hosts this process should lease; if it holds more than its share, it gives some back. Counting is slow in a large run,
   * so it is done at most once per `CHECK_INTERVAL_MS`.
   */
  #missing(): number {
    const isOld = this.#leases.size < DEFAULT_HOSTS || this.#session.localTime() - this.#sharedAt > CHECK_INTERVAL_MS;
    if (isOld && this.#updateShare() < this.#leases.size)
      this.#returnSurplus(this.#session.query(statements.LEASED_HOSTS, [this.owner, this.#runId]));
    return this.#share - this.#leases.size;
  }

  #updateShare(): number {
    const { now, lease } = this.#session;
    this.#sharedAt = this.#session.localTime();
    this.#begunAt ??= this.#sharedAt;
    const mayOthersJoin = this.#sharedAt - this.#begunAt < JOIN_TIME_MS;
    const [fair] = this.#session.query(statements.FAIR_SHARE, [this.#runId, now, lease, mayOthersJoin]);
    this.#share = Number(fair!.share);
    return this.#share;
  }

  #lease(room: number): Row[] {
    const session = this.#session;
    const { now, lease } = session;
    const rows = session.query(statements.LEASE_HOSTS, [this.#runId, this.owner, room, now, lease]);
    for (const row of rows) this.#leases.addLease(String(row.name), Number(row.epoch));
    if (rows.length === 0) this.#requestHosts(room);
    return rows.sort((a, b) => Number(a.next_at) - Number(b.next_at));
  }

  /** Requests hosts that another run holds and that have queued URLs in this one. */
  #requestHosts(room: number): void {
    const local = this.#session.localTime();
    if (local - this.#requestedAt < REQUEST_INTERVAL_MS) return;
    this.#requestedAt = local;
    if (this.#session.query(statements.OTHER_OWNERS, [this.#runId]).length === 0) return;
    this.#session.query(statements.REQUEST_HOSTS, [this.#runId, this.owner, room, this.#session.now]);
  }

  async load(requests: readonly Want[]): Promise<StoredCandidate[][]> {
    return load(this.#session, { runId: this.#runId, owner: this.owner }, requests);
  }

  /** Writes the turn to disk, with the time of the next one, before the request is sent. */
  async claim(turns: readonly TurnRequest[]): Promise<TurnReply[]> {
    this.#session.heartbeatIfDue();
    const local = this.#session.localTime();
    const needsNoClaim = ({ delay, host }: TurnRequest) => delay === 0 && this.#leases.isFresh(host, local) && !this.#leases.isLost(host);
    const claims = turns.filter((turn) => !needsNoClaim(turn));
    const lost = this.#findLost(claims);
    const answers = this.#claim(claims.filter(({ host }) => !lost.has(host)));
    for (const host of lost) this.#leases.clearLost(host);
    return turns.map((turn): TurnReply => {
      const answer = answers.get(turn.host);
      if (answer?.granted === true || (answer === undefined && !lost.has(turn.host))) {
        if (turn.visit !== 0) this.#leases.visitStarted(turn.visit, turn.host);
        return answer ?? GRANTED;
      }
      const isLost = lost.has(turn.host) || (turn.visit !== 0 && !this.#leases.hasLease(turn.host));
      return { granted: false, wait: answer?.granted === false ? answer.wait : 0, known: answer?.known, ...(isLost && { isLost }) };
    });
  }

  /**
   * Hosts that others leased in the meantime, even if the lease is ours again: those marked lost, and those not held whose visits are no
   * longer all queued.
   */
  #findLost(turns: readonly TurnRequest[]): ReadonlySet<string> {
    const visits = turns.filter(({ visit }) => visit !== 0);
    const lost = new Set(visits.map(({ host }) => host).filter((host) => this.#leases.isLost(host)));
    const foreign = visits.filter(({ host }) => !lost.has(host) && !this.#leases.hasLease(host));
    if (foreign.length === 0) return lost;
    const rows = this.#session.query("SELECT id FROM decision WHERE id = ANY($1::bigint[]) AND verdict = 'queued'", [
      arrayOf(foreign.map(({ visit }) => visit)),
    ]);
    const queued = new Set(rows.map(({ id }) => Number(id)));
    for (const { host, visit } of foreign) if (!queued.has(visit)) lost.add(host);
    return lost;
  }

  #claim(turns: readonly TurnRequest[]): Map<string, TurnReply> {
    const session = this.#session;
    const answers = new Map<string, TurnReply>();
    if (turns.length === 0) return answers;
    session.join(this.#runId);
    const byHost = new Map<string, { turn: TurnRequest; visits: number[] }>();
    for (const turn of turns) {
      const known = byHost.get(turn.host) ?? { turn, visits: [] };
      if (known.turn.delay < turn.delay) known.turn = turn;
      if (turn.visit !== 0) known.visits.push(turn.visit);
      byHost.set(turn.host, known);
    }
    session.hostIds(new Set(byHost.keys()));
    const firsts = new Set(turns.filter(({ beganAt }) => beganAt !== undefined).map(({ host }) => host));
    const claims = [...byHost.values()].map(({ turn: { host, delay, cause, beganAt }, visits }) => ({
      name: host,
      delay: Math.ceil(delay),
      cause,
      is_paced: this.#runId > 0 && this.#leases.isPaced(host),
      is_busy: this.#leases.isBusy(host),
      visits: visits.length > 0 ? visits.join(",") : undefined,
      began_at: beganAt,
    }));
    const { id, now, lease } = session;
    const sentAt = session.localTime();
    const rows = session.queryByIndex(statements.CLAIM, [
      ...statements.claims.values(claims),
      ...[this.owner, this.#runId, id, lease, now, arrayOf(this.inFlight)],
    ]);
    const lines = parseLines(rows);
    if (lines.some(([, , isKnown]) => isKnown !== "1")) session.registerAgain();
    for (const [host, isGranted, , isOtherWorkers, isKept, epoch, cause, lastDelay, failures, isLate, wait] of lines) {
      const known = { cause: cause as DelayCause, delay: Number(lastDelay), failures: Number(failures) };
      if (isGranted === "1") this.#leases.grantTurn(host!, Number(epoch), sentAt + lease / 2);
      else if (isKept !== "1") this.#leases.dropLease(host!);
      answers.set(
        host!,
        isGranted === "1"
          ? { granted: true, ...(firsts.has(host!) && { known }) }
          : { granted: false, wait: Number(wait), ...(isLate === "1" && { known }), ...(isOtherWorkers === "1" && { isLost: true }) },
      );
    }
    return answers;
  }

  leaseOf(visit: number): number | undefined {
    return this.#leases.leaseOf(visit);
  }

  visitEnded(visit: number): void {
    this.#leases.visitEnded(visit);
  }

  dropLease(host: string): void {
    this.#leases.dropLease(host);
  }

  /** Marks every lease as lost. */
  loseAllLeases(): void {
    this.#lives += 1;
    for (const host of this.#leases.hosts) this.#leases.loseLease(host);
  }

  async giveBack(host: string): Promise<void> {
    this.#release(host, true);
  }

  async release(host: string): Promise<void> {
    this.#release(host, false);
  }

  #release(host: string, isUnused: boolean): void {
    const [row] = this.#session.query(statements.RELEASE, [host, this.owner, this.#runId, this.#session.now, isUnused]);
    if (row?.is_kept !== 1) this.#leases.dropLease(host);
  }

  /** Gives back every host. */
  releaseAll(): void {
    this.#hasLeft = true;
    this.#session.query("UPDATE host SET owner = NULL WHERE owner = $1", [this.owner]);
    this.#leases.clear();
  }

  /** Renews the leases, detects lost ones, and gives back hosts above the share. */
  heartbeat(): void {
    const session = this.#session;
    const { now, lease } = session;
    if (!this.#isUsed || (this.#runId <= 0 && this.#leases.size === 0)) return;
    // Counted from before the query is sent, because this process may be suspended for any time until the answer arrives.
    const freshUntil = session.localTime() + lease / 2;
    session.query(statements.RENEW, [this.owner, now, lease]);
    const rows = session.query(statements.LEASED_HOSTS, [this.owner, this.#runId]);
    this.#leases.compare(new Map(rows.map((row) => [String(row.name), Number(row.epoch)])), freshUntil);
    if (this.#runId > 0) this.#updateShare();
    this.#returnSurplus(rows);
  }

  /** Gives back hosts that have nothing queued, and idle hosts above this process's share. */
  #returnSurplus(rows: readonly Row[]): void {
    // Requests outside a run have no queue, and need the host only while they are in flight.
    if (this.#runId <= 0) return;
    const idle = rows.filter(({ name }) => !this.#leases.isBusy(String(name)));
    // A lease missing from the book was granted when the connection broke.
    const isUseless = ({ name, queued }: Row) => Number(queued) === 0 || !this.#leases.hasLease(String(name));
    const useless = idle.filter(isUseless);
    const useful = idle.filter((row) => !isUseless(row));
    const surplus = Math.max(0, rows.length - useless.length - this.#share);
    this.#releaseHosts([...useless, ...useful.slice(0, surplus)].map(({ name }) => String(name)));
  }

  #releaseHosts(hosts: readonly string[]): void {
    if (hosts.length === 0) return;
    for (const { name } of this.#session.query(statements.RELEASE_HOSTS, [this.owner, arrayOf(hosts)]))
      this.#leases.loseLease(String(name));
  }

  async #rest(maxWait: number): Promise<boolean> {
    for (this.#hasLeft = false; !this.#hasLeft; await this.#session.wake(POLL_MS)) {
      const [seen] = this.#session.query(statements.CHECK_WORK, [
        this.#runId,
        this.owner,
        this.#session.now,
        Math.min(maxWait, Number.MAX_SAFE_INTEGER),
      ]);
      if (seen?.is_on !== 1) return false;
      if (seen.has_news === 1) this.#checkedAt = Number.NEGATIVE_INFINITY;
      if (seen.is_free === 1) this.#sharedAt = Number.NEGATIVE_INFINITY;
      if (seen.is_free === 1 || seen.has_news === 1) return true;
      if (seen.is_elsewhere !== 1) return false;
    }
    return false;
  }
}
