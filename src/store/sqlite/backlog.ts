import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { DelayCause, Via, VisitKind } from "../../core/records.ts";
import { LEVELS } from "../../core/records.ts";
import type { Backlog, HostBacklog, KnownPace, StoredCandidate, TurnReply, TurnRequest, Want } from "../backlog.ts";
import { isOwnerAlive } from "./files/owner.ts";
import { inTransaction, type Row, type Statements } from "./rows.ts";

/** How long a lease is valid without renewal. Longer than any single visit. */
export const LEASE_MS = 120_000;
const POLL_MS = 200;
/**
 * The host measures from when it receives the request, which may be later than the claim. The time on disk includes this allowance, for a
 * process that continues after a crash; while the lease is ours, the frontier's own time is used, and settling corrects the one on disk.
 */
const RECEIPT_ALLOWANCE = 250;
/**
 * How long another run's request for a host stays valid after the host is due, unless renewed. A request from the future was made before
 * the clock was set back.
 */
const REQUEST_VALID_MS = 2000;
const isRequestExpired = `(wanted_at > :now OR max(wanted_at, next_at) < :now - ${REQUEST_VALID_MS})`;

const HOSTS = `SELECT h.name, count(*) AS queued FROM decision d JOIN host h ON h.id = d.host_id
  WHERE d.run_id = ? AND d.verdict = 'queued' GROUP BY h.id ORDER BY h.next_at`;

const LOAD = `SELECT d.id, d.url, d.key, (d.hash >> 32) & 0xffffffff AS hi, d.hash & 0xffffffff AS lo, d.kind, d.depth, d.hops, d.via,
    d.site_id, d.level, d.priority, d.attempts, parent.url AS parent
  FROM decision d LEFT JOIN decision parent ON parent.id = d.parent_id
  WHERE d.run_id = ? AND d.host_id = (SELECT id FROM host WHERE name = ?) AND d.verdict = 'queued' AND d.level = ?
  ORDER BY d.priority DESC, d.id`;

/** A row of `LOAD`. */
type QueuedRow = readonly [
  id: number,
  url: string,
  key: string | null,
  hi: number,
  lo: number,
  kind: VisitKind,
  depth: number,
  hops: number,
  via: Via,
  siteId: number,
  level: number,
  priority: number,
  attempts: number,
  parent: string | null,
];

/** Per-host settings of users. A paused host is polled, because the pause may be lifted. */
const HOST_SETTINGS = "SELECT delay, paused_until FROM host_card WHERE host = ?";
const HAS_HOST_SETTINGS = "SELECT EXISTS (SELECT 1 FROM host_card) AS isAny";
const PAUSE_POLL_MS = 1000;

const CLAIM = `UPDATE host SET owner = :owner, until = :until, epoch = epoch + 1, next_at = :next, delay = :delay, cause = :cause,
    wanted_by = NULL
  WHERE name = :host AND (owner = :owner OR (next_at <= :now AND (owner IS NULL OR until < :now)))
    AND (wanted_by IS NULL OR wanted_by = :owner OR ${isRequestExpired})`;

/** A process that had to wait gets the next turn. */
const REQUEST_HOST = `UPDATE host SET wanted_by = :owner, wanted_at = :now
  WHERE name = :host AND (wanted_by IS NULL OR wanted_by = :owner OR ${isRequestExpired})`;

const GRANTED: TurnReply = { granted: true };

export class SqliteBacklog implements Backlog {
  readonly #db: Database;
  readonly #sql: Statements;
  readonly #runId: number;
  readonly #owner: string;
  readonly #wall: () => number;
  readonly #file: string | undefined;
  /** Hosts without a delay whose lease is kept between turns, and until when it need not be renewed. */
  readonly #keptLeases = new Map<string, number>();
  /** Visits in flight. Written to disk before the request if the host has a delay, else with the next transaction. */
  readonly #inFlight = new Set<number>();

  constructor(
    db: Database,
    sql: Statements,
    { runId, owner, file, wall }: { runId: number; owner: string; file: string | undefined; wall: () => number },
  ) {
    this.#file = file;
    this.#db = db;
    this.#sql = sql;
    this.#runId = runId;
    this.#owner = `${owner}/${runId}`;
    this.#wall = wall;
  }

  get owner(): string {
    return this.#owner;
  }

  async hosts(limit: number, inMemory: (host: string) => boolean): Promise<HostBacklog[]> {
    const found: HostBacklog[] = [];
    for (const row of this.#sql.get(HOSTS).iterate(this.#runId) as Iterable<Row>) {
      if (found.length >= limit) break;
      if (!inMemory(String(row.name))) found.push({ host: String(row.name), queued: Number(row.queued) });
    }
    return found;
  }

  async load(requests: readonly Want[]): Promise<StoredCandidate[][]> {
    return requests.map((request) => this.#load(request));
  }

  #load({ host, share, inMemory }: Want): StoredCandidate[] {
    const found: StoredCandidate[] = [];
    for (let level = 0; level < LEVELS; level++) {
      let left = share(level);
      if (left === 0) continue;
      for (const row of this.#sql.asArrays(LOAD).iterate(this.#runId, host, level) as unknown as Iterable<QueuedRow>) {
        if (left === 0) break;
        if (inMemory(row[0])) continue;
        found.push(candidateFrom(row, host));
        left -= 1;
      }
    }
    return found;
  }

  /** Writes the turn to disk, with the time of the next one, before the request is sent. A lease lasts one turn. */
  async claim(turns: readonly TurnRequest[]): Promise<TurnReply[]> {
    const now = this.#wall();
    const needsNoClaim = (turn: TurnRequest) => turn.delay === 0 && now < (this.#keptLeases.get(turn.host) ?? 0);
    if (turns.every(needsNoClaim)) {
      for (const turn of turns) this.#visitStarted(turn);
      return turns.map(() => GRANTED);
    }
    return inTransaction(this.#db, () => {
      const hasHostSettings = (this.#sql.get(HAS_HOST_SETTINGS).get() as Row).isAny === 1;
      const replies = turns.map((turn): TurnReply => (needsNoClaim(turn) ? GRANTED : this.#claimOne(turn, hasHostSettings)));
      for (const [index, turn] of turns.entries()) if (replies[index]!.granted) this.#visitStarted(turn);
      this.#sql.get("UPDATE run SET out = ? WHERE id = ?").run(this.inFlight, this.#runId);
      return replies;
    });
  }

  async giveBack(host: string): Promise<void> {
    this.#sql.get("UPDATE host SET next_at = ?, owner = NULL WHERE name = ? AND owner = ?").run(this.#wall(), host, this.#owner);
    this.#keptLeases.delete(host);
  }

  async release(host: string): Promise<void> {
    this.#release(host);
  }

  #release(host: string): void {
    this.#sql.get("UPDATE host SET owner = NULL WHERE name = ? AND owner = ?").run(host, this.#owner);
    this.#keptLeases.delete(host);
  }

  /** The visits in flight, as stored. */
  get inFlight(): string {
    return JSON.stringify([...this.#inFlight]);
  }

  #visitStarted({ visit }: TurnRequest): void {
    if (visit !== 0) this.#inFlight.add(visit);
  }

  visitEnded(visit: number): void {
    this.#inFlight.delete(visit);
  }

  /** Another process wants this host: the next turn is claimed normally. */
  dropLease(host: string): void {
    this.#keptLeases.delete(host);
  }

  keepsLease(host: string): boolean {
    return this.#keptLeases.has(host);
  }

  #claimOne(turn: TurnRequest, hasHostSettings: boolean): TurnReply {
    const settings = hasHostSettings ? (this.#sql.get(HOST_SETTINGS).get(turn.host) as Row | undefined) : undefined;
    const now = this.#wall();
    const pause = Number(settings?.paused_until ?? 0) - now;
    if (pause > 0) return { granted: false, wait: Math.min(pause, PAUSE_POLL_MS) };
    const delay = Math.max(turn.delay, Number(settings?.delay ?? 0));
    const before = turn.beganAt === undefined ? undefined : this.#findHost(turn.host);
    if (this.#tryClaim(turn, delay, now)) return before ? { granted: true, known: paceIn(before) } : GRANTED;
    const host = before ?? this.#findHost(turn.host);
    if (!host) {
      this.#sql.get("INSERT INTO host (name) VALUES (?)").run(turn.host);
      return this.#claimOne(turn, hasHostSettings);
    }
    const dueAt = Math.min(Number(host.next_at), retryTime(host, turn, delay));
    const wait = Number(host.next_at) - now;
    if (wait > Number(host.delay)) {
      // The clock was set back: wait no longer than the intended delay.
      this.#sql.get("UPDATE host SET next_at = ? WHERE id = ?").run(now + Number(host.delay), host.id as number);
      return { granted: false, wait: Number(host.delay), known: paceIn(host) };
    }
    const isAbandoned = host.owner !== null && !isOwnerAlive(String(host.owner), { file: this.#file });
    if (dueAt <= now && (isAbandoned || (wait > 0 && host.owner === null))) {
      this.#sql
        .get("UPDATE host SET owner = NULL, wanted_by = iif(?, NULL, wanted_by), next_at = ? WHERE id = ?")
        .run(Number(isAbandoned), dueAt, host.id as number);
      if (this.#tryClaim(turn, delay, now)) return { granted: true, known: paceIn(host) };
      this.#sql.get("UPDATE host SET next_at = ? WHERE id = ?").run(host.next_at as number, host.id as number);
    }
    // A kept lease that another process has requested is released.
    if (this.#keptLeases.has(turn.host)) this.#release(turn.host);
    this.#sql.named(REQUEST_HOST).run({ owner: this.#owner, now, host: turn.host });
    return { granted: false, wait: dueAt > now ? dueAt - now : POLL_MS, ...(wait > 0 && { known: paceIn(host) }) };
  }

  #findHost(name: string): Row | undefined {
    return this.#sql.get("SELECT * FROM host WHERE name = ?").get(name) as Row | undefined;
  }

  #tryClaim({ host, cause }: TurnRequest, wantedDelay: number, now: number): boolean {
    const delay = Math.ceil(wantedDelay) + (wantedDelay > 0 ? RECEIPT_ALLOWANCE : 0);
    const { changes } = this.#sql.positional(CLAIM).run(this.#owner, now + LEASE_MS, now + delay, delay, cause, host, now);
    if (changes === 1 && wantedDelay === 0) this.#keptLeases.set(host, now + LEASE_MS / 2);
    return changes === 1;
  }
}

const paceIn = ({ cause, delay, failures }: Row): KnownPace => ({
  cause: cause as DelayCause,
  delay: Number(delay),
  failures: Number(failures),
});

/**
 * When a host that an earlier run left in back-off is tried once more: one regular delay after the last request, the longer of that run's
 * delay and ours.
 */
function retryTime({ cause, delay, failures, next_at }: Row, { beganAt = 0 }: TurnRequest, ownDelay: number): number {
  const requestedAt = Number(next_at) - Number(delay);
  if (cause !== "backoff" || requestedAt >= beganAt) return Number.POSITIVE_INFINITY;
  return requestedAt + Math.ceil(Math.max(ownDelay, Number(delay) / 2 ** Math.max(0, Number(failures) - 1)));
}

function candidateFrom(row: QueuedRow, host: string): StoredCandidate {
  const [id, url, key, hi, lo, kind, depth, hops, via, siteId, level, priority, attempts, parent] = row;
  return {
    id,
    url,
    key: key ?? url,
    hash: { hi, lo },
    host,
    kind,
    depth,
    hops,
    via,
    parent: parent ?? undefined,
    siteId,
    level,
    priority,
    attempts,
  };
}
