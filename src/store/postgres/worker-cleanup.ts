import type { Counters } from "../run.ts";
import { inTransaction, type Row } from "../sqlite/rows.ts";
import { crashRule, MAX_CRASHES } from "../sqlite/runs.ts";
import { addParts } from "./run-parts.ts";
import type { SyncDatabase } from "./sync/sync-database.ts";

const EXPIRED_WORKER = `SELECT id FROM worker WHERE seen_at < coalesce($1::bigint, now_ms()) - $2 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;
const EXPIRED_WORKERS_OF = `SELECT w.id FROM worker w WHERE w.seen_at < coalesce($1::bigint, now_ms()) - $2
  AND EXISTS (SELECT 1 FROM run_worker WHERE run_id = $3 AND worker_id = w.id) ORDER BY w.id FOR UPDATE`;

/** The worker may have asked the host a moment before it ended, so the delay is added. */
const FREE_HOSTS = `UPDATE host h SET owner = NULL, next_at = greatest(h.next_at, coalesce($2::bigint, now_ms()) + h.delay) FROM (
    SELECT id FROM host WHERE owner >= $1 || '/' AND owner < $1 || '0' ORDER BY id FOR NO KEY UPDATE
  ) AS m WHERE h.id = m.id`;

const IS_IN_FLIGHT = "id IN (SELECT unnest(out) FROM run_worker WHERE worker_id = $1)";
/** As in `sqlite/runs.ts`: moved to the end of the queue, and failed after too many crashes. */
const IS_GIVEN_UP = `d.crashes + 1 >= ${MAX_CRASHES}`;
const CRASHED = `UPDATE decision d SET crashes = d.crashes + 1, level = 7, priority = -1e9 - d.crashes,
    verdict = CASE WHEN ${IS_GIVEN_UP} THEN 'failed' ELSE d.verdict END, reason = CASE WHEN ${IS_GIVEN_UP} THEN 'crash' ELSE d.reason END,
    rule = CASE WHEN ${IS_GIVEN_UP} THEN '${crashRule}' ELSE d.rule END,
    at = CASE WHEN ${IS_GIVEN_UP} THEN coalesce($2::bigint, now_ms()) ELSE d.at END
  FROM (SELECT id FROM decision WHERE ${IS_IN_FLIGHT} AND verdict = 'queued' ORDER BY id FOR NO KEY UPDATE) AS m WHERE d.id = m.id
  RETURNING d.run_id, d.verdict`;

/** $1 now. Skips rows that another process is deleting, so that two clean-ups do not wait for each other. */
const REMOVE_EXPIRED_NAMES = `DELETE FROM known_name WHERE (name, server) IN (
    SELECT name, server FROM known_name WHERE until <= coalesce($1::bigint, now_ms()) FOR UPDATE SKIP LOCKED)`;

const PARTS = `SELECT p.run_id, p.counters, p.seq, r.counters AS total FROM run_worker p JOIN run r ON r.id = p.run_id WHERE p.worker_id = $1
  ORDER BY r.id FOR NO KEY UPDATE OF r`;

/** Cleans up after expired workers, and deletes expired DNS entries. */
export class WorkerCleanup {
  readonly #db: SyncDatabase;
  readonly #lease: number;
  #waitUntil = 0;

  constructor(db: SyncDatabase, lease: number) {
    this.#db = db;
    this.#lease = lease;
  }

  /** A worker that was itself away cannot tell which others expired: all may come back at the same time. It waits one lease first. */
  cleanUp(now: number | null, wasAway: boolean): void {
    this.#query(REMOVE_EXPIRED_NAMES, [now]);
    if (wasAway) this.#waitUntil = performance.now() + this.#lease;
    if (performance.now() < this.#waitUntil) return;
    while (this.#removeOneExpired(now));
  }

  #removeOneExpired(now: number | null): boolean {
    return inTransaction(this.#db as never, () => {
      const [expired] = this.#query(EXPIRED_WORKER, [now, this.#lease]);
      if (expired) this.#removeWorker(String(expired.id), now, false);
      return expired !== undefined;
    });
  }

  /** Within a transaction: removes the expired workers of one run at once. */
  removeExpiredOf(runId: number, now: number | null): void {
    for (const { id } of this.#query(EXPIRED_WORKERS_OF, [now, this.#lease, runId])) this.#removeWorker(String(id), now, false);
  }

  /** Clean exit of a worker: its visits in flight do not count as crashes. */
  leave(id: string, now: number | null): void {
    inTransaction(this.#db as never, () => {
      if (this.#query("SELECT id FROM worker WHERE id = $1 FOR UPDATE", [id]).length > 0) this.#removeWorker(id, now, true);
      this.#query(REMOVE_EXPIRED_NAMES, [now]);
    });
  }

  #removeWorker(id: string, now: number | null, isClean: boolean): void {
    this.#query(FREE_HOSTS, [id, now]);
    const crashed = isClean ? [] : this.#query(CRASHED, [id, now]);
    for (const { run_id, counters, total, seq } of this.#query(PARTS, [id])) {
      const sum = addParts(JSON.parse(String(total)) as Counters, [String(counters)]);
      sum.failed += crashed.filter((page) => page.verdict === "failed" && Number(page.run_id) === Number(run_id)).length;
      this.#query("UPDATE run SET counters = $2, seq = greatest(seq, $3) WHERE id = $1", [run_id, JSON.stringify(sum), seq]);
    }
    this.#query("DELETE FROM worker WHERE id = $1", [id]);
  }

  #query(text: string, given: readonly unknown[]): Row[] {
    return this.#db.query(text, given, this.#db.nameOf(text)).rows;
  }
}
