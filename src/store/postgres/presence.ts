import { hostname } from "node:os";
import { VERSION } from "../../version.ts";
import { repeated } from "../collisions.ts";
import { ownerId } from "../sqlite/owner.ts";
import { inTransaction, type Row } from "../sqlite/rows.ts";
import { arrayOf, BY_INDEX } from "./columns.ts";
import { ConnectionLost, isTrouble } from "./errors.ts";
import { Reaper } from "./reaper.ts";
import type { SyncDatabase } from "./sync-database.ts";
import { onCall } from "./sync-thread.ts";

/** How long a lease, or a worker, stays valid without a heartbeat. */
export const LEASE = 30_000;
const BEATS_PER_LEASE = 6;
/** Minimum time between notifications: transactions that commit with NOTIFY wait for each other. */
const CALL_EVERY = 1000;

/** Called on each heartbeat, and when our leases may have been lost. */
export interface Listener {
  beat(): void;
  loseAll(): void;
}

/** Counter that makes worker ids unique within this process. */
let incarnations = 0;

const REGISTER = `INSERT INTO worker (id, name, machine, pid, version, max_concurrent, is_draining, started_at, seen_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, t.now, t.now FROM (SELECT coalesce($8::bigint, now_ms()) AS now) AS t`;

const BEAT = `WITH before AS (SELECT id, seen_at FROM worker WHERE id = $1)
  UPDATE worker w SET seen_at = coalesce($2::bigint, now_ms()) FROM before b WHERE w.id = b.id RETURNING w.seen_at - b.seen_at AS silence`;

/** This process as a worker of the shared database: registered at its first turn, with a heartbeat every few seconds. */
export class Presence {
  readonly #db: SyncDatabase;
  readonly #clock: (() => number) | undefined;
  readonly lease: number;
  readonly #reaper: Reaper;
  readonly #listeners = new Set<Listener>();
  readonly #joined = new Set<number>();
  readonly #hostIds = new Map<string, number>();
  #id: string | undefined;
  #isKnown = false;
  #card = { name: hostname(), maxConcurrent: 0 };
  #isDraining = false;
  #calledAt = 0;
  #beatAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** With a clock given, the database's clock is not used. */
  constructor(db: SyncDatabase, { clock, lease }: { clock: (() => number) | undefined; lease: number }) {
    this.#db = db;
    this.#clock = clock;
    this.lease = lease;
    this.#reaper = new Reaper(db, lease);
  }

  /** Unique for ever. */
  get id(): string {
    this.#id ??= this.#register();
    return this.#id;
  }

  /** Whether it is registered, or will be again when the database is back. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  get maxConcurrent(): number {
    return this.#card.maxConcurrent;
  }

  /** The value of the `now` parameter; null for the database's clock. */
  get now(): number | null {
    return this.#clock?.() ?? null;
  }

  /** Local clock, for durations that no other process has to agree on. */
  local(): number {
    return this.#clock?.() ?? performance.now();
  }

  ask(text: string, values: readonly unknown[]): Row[] {
    if (!this.#db.isTransaction) return repeated(() => this.#db.ask(text, values, this.#db.nameOf(text))).rows;
    return this.#db.ask(text, values, this.#db.nameOf(text)).rows;
  }

  /** Forces index lookups, for large tables; not within a transaction. */
  askByIndex(text: string, values: readonly unknown[]): Row[] {
    const rows = this.transaction(() => {
      this.send(`SELECT ${BY_INDEX}`, []);
      return this.post(text, values);
    });
    return rows();
  }

  /** Sends without waiting; reading the rows waits. */
  post(text: string, values: readonly unknown[]): () => Row[] {
    const sent = this.#db.send(text, values, this.#db.nameOf(text));
    return () => sent.rows;
  }

  /** Sends. Within a transaction it does not wait: a failure is reported by the next statement that does. */
  send(text: string, values: readonly unknown[]): void {
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
    incarnations += 1;
    const id = `${ownerId()}/${incarnations}`;
    const { name, maxConcurrent } = this.#card;
    this.ask(REGISTER, [id, name, hostname(), process.pid, VERSION, maxConcurrent, this.#isDraining, this.now]);
    this.#isKnown = true;
    this.#beatAt = performance.now();
    this.#timer ??= setInterval(() => this.#beatOrWait(), this.lease / BEATS_PER_LEASE).unref();
    return id;
  }

  announce(card: { readonly name: string; readonly maxConcurrent: number }): void {
    this.#card = { ...card };
    const values = [this.id, card.name, card.maxConcurrent];
    this.ask("UPDATE worker SET name = $2, max_concurrent = $3 WHERE id = $1", values);
  }

  drain(): void {
    this.#isDraining = true;
    this.ask("UPDATE worker SET is_draining = true WHERE id = $1", [this.id]);
  }

  /** Joins the run as a worker. Ids of 0 and below stand for requests outside a run. */
  join(runId: number): void {
    if (runId <= 0 || this.#joined.has(runId)) return;
    this.ask("INSERT INTO run_worker (run_id, worker_id) VALUES ($1, $2) ON CONFLICT DO NOTHING", [runId, this.id]);
    this.#joined.add(runId);
  }

  left(runId: number): void {
    this.#joined.delete(runId);
  }

  /**
   * Other workers considered this one expired and gave its leases away: start again under a new id, and keep leading the runs that no
   * other worker has taken over.
   */
  renew(): void {
    const before = this.#id;
    this.#id = undefined;
    const runs = [...this.#joined];
    this.#joined.clear();
    for (const listener of this.#listeners) listener.loseAll();
    for (const runId of runs) this.join(runId);
    this.ask("UPDATE host SET owner = NULL WHERE owner >= $1 || '/' AND owner < $1 || '0'", [before ?? ""]);
    this.ask("UPDATE run SET owner = $2 WHERE owner = $1 AND status = 'running'", [before ?? "", this.id]);
  }

  /** Ids of the hosts; unknown hosts are inserted. */
  hostIds(names: ReadonlySet<string>): Map<string, number> {
    const known = this.#hostIds;
    if (known.size > MOST_HOSTS) known.clear();
    const unknown = [...names].filter((name) => !known.has(name));
    if (unknown.length > 0) {
      const given = [arrayOf(unknown)];
      let rows = this.ask(FIND_HOSTS, given);
      if (rows.length < unknown.length) {
        this.ask(ADD_HOSTS, given);
        rows = this.ask(FIND_HOSTS, given);
      }
      for (const row of rows) known.set(String(row.name), Number(row.id));
    }
    const ids = new Map<string, number>();
    for (const name of names) ids.set(name, known.get(name)!);
    return ids;
  }

  #beatOrWait(): void {
    try {
      if (this.#db.isOpen && !this.#db.isTransaction) this.beat();
    } catch (cause) {
      // The caller with work to do reports the database error, and may wait; the next heartbeat may succeed.
      if (!isTrouble(cause)) throw cause;
    }
  }

  /** Sends an overdue heartbeat from the work loop, when the process is too busy for its timers. */
  beatIfDue(): void {
    if (this.#id !== undefined && performance.now() - this.#beatAt > (1.5 * this.lease) / BEATS_PER_LEASE) this.#beatOrWait();
  }

  beat(): void {
    if (this.#id === undefined) return;
    this.#beatAt = performance.now();
    const [row] = this.ask(BEAT, [this.#id, this.now]);
    if (!row) this.renew();
    const moment = this.now;
    this.ask("UPDATE run SET alive_at = coalesce($2::bigint, now_ms()) WHERE owner = $1 AND status = 'running'", [this.id, moment]);
    for (const listener of this.#listeners) listener.beat();
    this.#reaper.reap(moment, row === undefined || Number(row.silence) > this.lease / 2);
  }

  /** Notifies idle workers of the run, so that they look for work again. */
  callOthers(runId: number): void {
    const now = performance.now();
    if (now - this.#calledAt < CALL_EVERY) return;
    this.#calledAt = now;
    this.send("SELECT pg_notify('nuthatch', $1)", [String(runId)]);
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
      const forget = onCall(wake);
    });
  }

  /** Unregisters, so that nobody waits for the lease to expire. */
  close(): void {
    clearInterval(this.#timer);
    if (this.#id === undefined || !this.#db.isOpen) return;
    try {
      this.#reaper.leave(this.#id, this.now);
    } catch (cause) {
      if (!(cause instanceof ConnectionLost)) throw cause;
    }
    this.#id = undefined;
    this.#isKnown = false;
  }

  /** Removes expired workers of the run. Call within a transaction. */
  buryDeadOf(runId: number): void {
    this.#reaper.buryThoseOf(runId, this.now);
  }
}

const MOST_HOSTS = 100_000;
const FIND_HOSTS = "SELECT id, name FROM host WHERE name = ANY($1::text[])";
/** Ordered by name, so that two processes that add the same hosts cannot deadlock. */
const ADD_HOSTS = "INSERT INTO host (name) SELECT name FROM unnest($1::text[]) AS n (name) ORDER BY name ON CONFLICT DO NOTHING";
