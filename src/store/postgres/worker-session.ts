import { hostname } from "node:os";
import { VERSION } from "../../core/version.ts";
import { withRetries } from "../retries.ts";
import { ownerId } from "../sqlite/files/owner.ts";
import { inTransaction, type Row } from "../sqlite/rows.ts";
import { arrayOf, INDEX_ONLY } from "./columns.ts";
import { ConnectionLost, isDatabaseError } from "./errors.ts";
import type { SyncDatabase } from "./sync/sync-database.ts";
import { onNotification } from "./sync/sync-thread.ts";
import { WorkerCleanup } from "./worker-cleanup.ts";

/** How long a lease, or a worker, stays valid without a heartbeat. */
export const LEASE_MS = 30_000;
const HEARTBEATS_PER_LEASE = 6;
/** Minimum time between notifications: transactions that commit with NOTIFY wait for each other. */
const NOTIFY_INTERVAL_MS = 1000;

/** Called on each heartbeat, and when our leases may have been lost. */
export interface Listener {
  heartbeat(): void;
  loseAllLeases(): void;
}

/** Counter that makes worker ids unique within this process. */
let registrations = 0;

const REGISTER = `INSERT INTO worker (id, name, machine, pid, version, max_concurrent, is_draining, started_at, seen_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, t.now, t.now FROM (SELECT coalesce($8::bigint, now_ms()) AS now) AS t`;

const HEARTBEAT = `WITH before AS (SELECT id, seen_at FROM worker WHERE id = $1)
  UPDATE worker w SET seen_at = coalesce($2::bigint, now_ms()) FROM before b WHERE w.id = b.id RETURNING w.seen_at - b.seen_at AS silence`;

/** This process as a worker of the shared database: registered at its first turn, with a heartbeat every few seconds. */
export class WorkerSession {
  readonly #db: SyncDatabase;
  readonly #clock: (() => number) | undefined;
  readonly lease: number;
  readonly #cleanup: WorkerCleanup;
  readonly #listeners = new Set<Listener>();
  readonly #joined = new Set<number>();
  readonly #hostIds = new Map<string, number>();
  #id: string | undefined;
  #isRegistered = false;
  #info = { name: hostname(), maxConcurrent: 0 };
  #isDraining = false;
  #notifiedAt = 0;
  #heartbeatAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** With a clock given, the database's clock is not used. */
  constructor(db: SyncDatabase, { clock, lease }: { clock: (() => number) | undefined; lease: number }) {
    this.#db = db;
    this.#clock = clock;
    this.lease = lease;
    this.#cleanup = new WorkerCleanup(db, lease);
  }

  /** Unique for ever. */
  get id(): string {
    this.#id ??= this.#register();
    return this.#id;
  }

  /** Whether it is registered, or will be again when the database is back. */
  get isRegistered(): boolean {
    return this.#isRegistered;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  get maxConcurrent(): number {
    return this.#info.maxConcurrent;
  }

  /** The value of the `now` parameter; null for the database's clock. */
  get now(): number | null {
    return this.#clock?.() ?? null;
  }

  /** Local clock, for durations that no other process has to agree on. */
  localTime(): number {
    return this.#clock?.() ?? performance.now();
  }

  query(text: string, values: readonly unknown[]): Row[] {
    if (!this.#db.isTransaction) return withRetries(() => this.#db.query(text, values, this.#db.nameOf(text))).rows;
    return this.#db.query(text, values, this.#db.nameOf(text)).rows;
  }

  /** Forces index lookups, for large tables; not within a transaction. */
  queryByIndex(text: string, values: readonly unknown[]): Row[] {
    const rows = this.transaction(() => {
      this.execute(`SELECT ${INDEX_ONLY}`, []);
      return this.sendQuery(text, values);
    });
    return rows();
  }

  /** Sends without waiting; reading the rows waits. */
  sendQuery(text: string, values: readonly unknown[]): () => Row[] {
    const sent = this.#db.send(text, values, this.#db.nameOf(text));
    return () => sent.rows;
  }

  /** Sends. Within a transaction it does not wait: a failure is reported by the next statement that does. */
  execute(text: string, values: readonly unknown[]): void {
    this.#db.send(text, values, this.#db.nameOf(text));
  }

  transaction<T>(work: () => T): T {
    return inTransaction(this.#db as never, work);
  }

  listen(listener: Listener): void {
    this.#listeners.add(listener);
  }

  unlisten(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  #register(): string {
    registrations += 1;
    const id = `${ownerId()}/${registrations}`;
    const { name, maxConcurrent } = this.#info;
    this.query(REGISTER, [id, name, hostname(), process.pid, VERSION, maxConcurrent, this.#isDraining, this.now]);
    this.#isRegistered = true;
    this.#heartbeatAt = performance.now();
    this.#timer ??= setInterval(() => this.#tryHeartbeat(), this.lease / HEARTBEATS_PER_LEASE).unref();
    return id;
  }

  announce(info: { readonly name: string; readonly maxConcurrent: number }): void {
    this.#info = { ...info };
    const values = [this.id, info.name, info.maxConcurrent];
    this.query("UPDATE worker SET name = $2, max_concurrent = $3 WHERE id = $1", values);
  }

  drain(): void {
    this.#isDraining = true;
    this.query("UPDATE worker SET is_draining = true WHERE id = $1", [this.id]);
  }

  /** Joins the run as a worker. Ids of 0 and below stand for requests outside a run. */
  join(runId: number): void {
    if (runId <= 0 || this.#joined.has(runId)) return;
    this.query("INSERT INTO run_worker (run_id, worker_id) VALUES ($1, $2) ON CONFLICT DO NOTHING", [runId, this.id]);
    this.#joined.add(runId);
  }

  markLeft(runId: number): void {
    this.#joined.delete(runId);
  }

  /**
   * Other workers considered this one expired and gave its leases away: start again under a new id, and keep leading the runs that no
   * other worker has taken over.
   */
  registerAgain(): void {
    const before = this.#id;
    this.#id = undefined;
    const runs = [...this.#joined];
    this.#joined.clear();
    for (const listener of this.#listeners) listener.loseAllLeases();
    for (const runId of runs) this.join(runId);
    this.query("UPDATE host SET owner = NULL WHERE owner >= $1 || '/' AND owner < $1 || '0'", [before ?? ""]);
    this.query("UPDATE run SET owner = $2 WHERE owner = $1 AND status = 'running'", [before ?? "", this.id]);
  }

  /** Ids of the hosts; unknown hosts are inserted. */
  hostIds(names: ReadonlySet<string>): Map<string, number> {
    const known = this.#hostIds;
    if (known.size > MAX_HOSTS) known.clear();
    const unknown = [...names].filter((name) => !known.has(name));
    if (unknown.length > 0) {
      const given = [arrayOf(unknown)];
      let rows = this.query(FIND_HOSTS, given);
      if (rows.length < unknown.length) {
        this.query(ADD_HOSTS, given);
        rows = this.query(FIND_HOSTS, given);
      }
      for (const row of rows) known.set(String(row.name), Number(row.id));
    }
    const ids = new Map<string, number>();
    for (const name of names) ids.set(name, known.get(name)!);
    return ids;
  }

  #tryHeartbeat(): void {
    try {
      if (this.#db.isOpen && !this.#db.isTransaction) this.heartbeat();
    } catch (cause) {
      // The caller with work to do reports the database error, and may wait; the next heartbeat may succeed.
      if (!isDatabaseError(cause)) throw cause;
    }
  }

  /** Sends an overdue heartbeat from the work loop, when the process is too busy for its timers. */
  heartbeatIfDue(): void {
    if (this.#id !== undefined && performance.now() - this.#heartbeatAt > (1.5 * this.lease) / HEARTBEATS_PER_LEASE) this.#tryHeartbeat();
  }

  heartbeat(): void {
    if (this.#id === undefined) return;
    this.#heartbeatAt = performance.now();
    const [row] = this.query(HEARTBEAT, [this.#id, this.now]);
    if (!row) this.registerAgain();
    const moment = this.now;
    this.query("UPDATE run SET alive_at = coalesce($2::bigint, now_ms()) WHERE owner = $1 AND status = 'running'", [this.id, moment]);
    for (const listener of this.#listeners) listener.heartbeat();
    this.#cleanup.cleanUp(moment, row === undefined || Number(row.silence) > this.lease / 2);
  }

  /** Notifies idle workers of the run, so that they look for work again. */
  notifyWorkers(runId: number): void {
    const now = performance.now();
    if (now - this.#notifiedAt < NOTIFY_INTERVAL_MS) return;
    this.#notifiedAt = now;
    this.execute("SELECT pg_notify('nuthatch', $1)", [String(runId)]);
  }

  /** Resolves on a notification, or after the given time. */
  wake(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        forget();
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      const forget = onNotification(wake);
    });
  }

  /** Unregisters, so that nobody waits for the lease to expire. */
  close(): void {
    clearInterval(this.#timer);
    if (this.#id === undefined || !this.#db.isOpen) return;
    try {
      this.#cleanup.leave(this.#id, this.now);
    } catch (cause) {
      if (!(cause instanceof ConnectionLost)) throw cause;
    }
    this.#id = undefined;
    this.#isRegistered = false;
  }

  /** Removes expired workers of the run. Call within a transaction. */
  removeExpiredOf(runId: number): void {
    this.#cleanup.removeExpiredOf(runId, this.now);
  }
}

const MAX_HOSTS = 100_000;
const FIND_HOSTS = "SELECT id, name FROM host WHERE name = ANY($1::text[])";
/** Ordered by name, so that two processes that add the same hosts cannot deadlock. */
const ADD_HOSTS = "INSERT INTO host (name) SELECT name FROM unnest($1::text[]) AS n (name) ORDER BY name ON CONFLICT DO NOTHING";
