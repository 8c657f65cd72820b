import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { DelayCause, Via, VisitKind } from "../../records.ts";
import { LEVELS } from "../../records.ts";
import type { Backlog, HostBacklog, KnownPace, StoredCandidate, TurnReply, TurnRequest, Want } from "../backlog.ts";
import { isOwnerAlive } from "./owner.ts";
import { inTransaction, type Row, type Statements } from "./rows.ts";

/** How long a lease is valid without renewal. Longer than any single visit. */
export const LEASE = 120_000;
const POLL = 200;
/**
 * The host measures from when it receives the request, which may be later than the claim. The time on disk includes this allowance, for a
 * process that continues after a crash; while the lease is ours, the frontier's own time is used, and settling corrects the one on disk.
 */
const RECEIPT = 250;
/**
 * How long another run's request for a host stays valid after the host is due, unless renewed. A request from the future was made before
 * the clock was set back.
 */
const WISH = 2000;
const isWishOld = `(wanted_at > :now OR max(wanted_at, next_at) < :now - ${WISH})`;

const HOSTS = `SELECT h.name, count(*) AS queued FROM decision d JOIN host h ON h.id = d.host_id
  WHERE d.run_id = ? AND d.verdict = 'queued' GROUP BY h.id ORDER BY h.next_at`;

const LOAD = `SELECT d.id, d.url, d.key, (d.hash >> 32) & 0xffffffff AS hi, d.hash & 0xffffffff AS lo, d.kind, d.depth, d.hops, d.via,
    d.site_id, d.level, d.priority, d.attempts, parent.url AS parent
  FROM decision d LEFT JOIN decision parent ON parent.id = d.parent_id
  WHERE d.run_id = ? AND d.host_id = (SELECT id FROM host WHERE name = ?) AND d.verdict = 'queued' AND d.level = ?
  ORDER BY d.priority DESC, d.id`;

/** A row of `LOAD`. */
type Waiting = readonly [
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
const SAID = "SELECT delay, paused_until FROM host_card WHERE host = ?";
const IS_ANY_SAID = "SELECT EXISTS (SELECT 1 FROM host_card) AS isAny";
const PAUSE_POLL = 1000;

const CLAIM = `UPDATE host SET owner = :owner, until = :until, epoch = epoch + 1, next_at = :next, delay = :delay, cause = :cause,
    wanted_by = NULL
  WHERE name = :host AND (owner = :owner OR (next_at <= :now AND (owner IS NULL OR until < :now)))
    AND (wanted_by IS NULL OR wanted_by = :owner OR ${isWishOld})`;

/** A process that had to wait gets the next turn. */
const WANT = `UPDATE host SET wanted_by = :owner, wanted_at = :now
  WHERE name = :host AND (wanted_by IS NULL OR wanted_by = :owner OR ${isWishOld})`;

const GRANTED: TurnReply = { granted: true };

export class SqliteBacklog implements Backlog {
  readonly #db: Database;
  readonly #sql: Statements;
  readonly #runId: number;
  readonly #owner: string;
  readonly #wall: () => number;
  readonly #file: string | undefined;
  /** Hosts without a delay whose lease is kept between turns, and until when it need not be renewed. */
  readonly #kept = new Map<string, number>();
  /** Visits in flight. Written to disk before the request if the host has a delay, else with the next transaction. */
  readonly #out = new Set<number>();

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

  async load(wants: readonly Want[]): Promise<StoredCandidate[][]> {
    return wants.map((want) => this.#load(want));
  }

  #load({ host, share, inMemory }: Want): StoredCandidate[] {
    const found: StoredCandidate[] = [];
    for (let level = 0; level < LEVELS; level++) {
      let left = share(level);
      if (left === 0) continue;
      for (const row of this.#sql.listed(LOAD).iterate(this.#runId, host, level) as unknown as Iterable<Waiting>) {
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
    const isFree = (turn: TurnRequest) => turn.delay === 0 && now < (this.#kept.get(turn.host) ?? 0);
    if (turns.every(isFree)) {
      for (const turn of turns) this.#goesOut(turn);
      return turns.map(() => GRANTED);
    }
    return inTransaction(this.#db, () => {
      const isAnySaid = (this.#sql.get(IS_ANY_SAID).get() as Row).isAny === 1;
      const replies = turns.map((turn): TurnReply => (isFree(turn) ? GRANTED : this.#claimOne(turn, isAnySaid)));
      for (const [index, turn] of turns.entries()) if (replies[index]!.granted) this.#goesOut(turn);
      this.#sql.get("UPDATE run SET out = ? WHERE id = ?").run(this.out, this.#runId);
      return replies;
    });
  }

  async giveBack(host: string): Promise<void> {
    this.#sql.get("UPDATE host SET next_at = ?, owner = NULL WHERE name = ? AND owner = ?").run(this.#wall(), host, this.#owner);
    this.#kept.delete(host);
  }

  async release(host: string): Promise<void> {
    this.#release(host);
  }

  #release(host: string): void {
    this.#sql.get("UPDATE host SET owner = NULL WHERE name = ? AND owner = ?").run(host, this.#owner);
    this.#kept.delete(host);
  }

  /** The visits in flight, as stored. */
  get out(): string {
    return JSON.stringify([...this.#out]);
  }

  #goesOut({ visit }: TurnRequest): void {
    if (visit !== 0) this.#out.add(visit);
  }

  cameBack(visit: number): void {
    this.#out.delete(visit);
  }

  /** Another process wants this host: the next turn is claimed normally. */
  letGo(host: string): void {
    this.#kept.delete(host);
  }

  keeps(host: string): boolean {
    return this.#kept.has(host);
  }

  #claimOne(turn: TurnRequest, isAnySaid: boolean): TurnReply {
    const said = isAnySaid ? (this.#sql.get(SAID).get(turn.host) as Row | undefined) : undefined;
    const now = this.#wall();
    const pause = Number(said?.paused_until ?? 0) - now;
    if (pause > 0) return { granted: false, wait: Math.min(pause, PAUSE_POLL) };
    const delay = Math.max(turn.delay, Number(said?.delay ?? 0));
    const before = turn.beganAt === undefined ? undefined : this.#hostCalled(turn.host);
    if (this.#tryClaim(turn, delay, now)) return before ? { granted: true, known: paceIn(before) } : GRANTED;
    const host = before ?? this.#hostCalled(turn.host);
    if (!host) {
      this.#sql.get("INSERT INTO host (name) VALUES (?)").run(turn.host);
      return this.#claimOne(turn, isAnySaid);
    }
    const dueAt = Math.min(Number(host.next_at), triedAgainAt(host, turn, delay));
    const wait = Number(host.next_at) - now;
    if (wait > Number(host.delay)) {
      // The clock was set back: wait no longer than the intended delay.
      this.#sql.get("UPDATE host SET next_at = ? WHERE id = ?").run(now + Number(host.delay), host.id as number);
      return { granted: false, wait: Number(host.delay), known: paceIn(host) };
    }
    const isLeft = host.owner !== null && !isOwnerAlive(String(host.owner), { file: this.#file });
    if (dueAt <= now && (isLeft || (wait > 0 && host.owner === null))) {
      this.#sql
        .get("UPDATE host SET owner = NULL, wanted_by = iif(?, NULL, wanted_by), next_at = ? WHERE id = ?")
        .run(Number(isLeft), dueAt, host.id as number);
      if (this.#tryClaim(turn, delay, now)) return { granted: true, known: paceIn(host) };
      this.#sql.get("UPDATE host SET next_at = ? WHERE id = ?").run(host.next_at as number, host.id as number);
    }
    // A kept lease that another process has requested is released.
    if (this.#kept.has(turn.host)) this.#release(turn.host);
    this.#sql.named(WANT).run({ owner: this.#owner, now, host: turn.host });
    return { granted: false, wait: dueAt > now ? dueAt - now : POLL, ...(wait > 0 && { known: paceIn(host) }) };
  }

  #hostCalled(name: string): Row | undefined {
    return this.#sql.get("SELECT * FROM host WHERE name = ?").get(name) as Row | undefined;
  }

  #tryClaim({ host, cause }: TurnRequest, wanted: number, now: number): boolean {
    const delay = Math.ceil(wanted) + (wanted > 0 ? RECEIPT : 0);
    const { changes } = this.#sql.placed(CLAIM).run(this.#owner, now + LEASE, now + delay, delay, cause, host, now);
    if (changes === 1 && wanted === 0) this.#kept.set(host, now + LEASE / 2);
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
function triedAgainAt({ cause, delay, failures, next_at }: Row, { beganAt = 0 }: TurnRequest, ours: number): number {
  const askedAt = Number(next_at) - Number(delay);
  if (cause !== "backoff" || askedAt >= beganAt) return Number.POSITIVE_INFINITY;
  return askedAt + Math.ceil(Math.max(ours, Number(delay) / 2 ** Math.max(0, Number(failures) - 1)));
}

function candidateFrom(row: Waiting, host: string): StoredCandidate {
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
