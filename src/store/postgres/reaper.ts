import type { Counters } from "../run.ts";
import { inTransaction, type Row } from "../sqlite/rows.ts";
import { withParts } from "./run-parts.ts";
import type { SyncDatabase } from "./sync-database.ts";

const DEAD = `SELECT id FROM worker WHERE seen_at < coalesce($1::bigint, now_ms()) - $2 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;
const DYING = "SELECT id FROM worker WHERE id = $1 FOR UPDATE SKIP LOCKED";

/** The host may have been asked a moment before the end. */
const FREE_HOSTS = `UPDATE host h SET owner = NULL, next_at = greatest(h.next_at, coalesce($2::bigint, now_ms()) + h.delay) FROM (
    SELECT id FROM host WHERE owner >= $1 || '/' AND owner < $1 || '0' ORDER BY id FOR NO KEY UPDATE
  ) AS m WHERE h.id = m.id`;

const OUT = "id IN (SELECT unnest(out) FROM run_worker WHERE worker_id = $1)";
/** As in `sqlite/runs.ts`: to the very end of the queue, and out of it at the third time. */
const CRASHED = `UPDATE decision d SET crashes = d.crashes + 1, level = 7, priority = -1e9 - d.crashes,
    verdict = CASE WHEN d.crashes >= 2 THEN 'failed' ELSE d.verdict END, reason = CASE WHEN d.crashes >= 2 THEN 'crash' ELSE d.reason END,
    rule = CASE WHEN d.crashes >= 2 THEN 'the crawler died three times while this page was out' ELSE d.rule END,
    at = CASE WHEN d.crashes >= 2 THEN coalesce($2::bigint, now_ms()) ELSE d.at END
  FROM (SELECT id FROM decision WHERE ${OUT} AND verdict = 'queued' ORDER BY id FOR NO KEY UPDATE) AS m WHERE d.id = m.id`;

const PARTS = `SELECT p.run_id, p.counters, p.seq, r.counters AS total FROM run_worker p JOIN run r ON r.id = p.run_id WHERE p.worker_id = $1
  ORDER BY r.id FOR NO KEY UPDATE OF r`;

/** Clears up after processes that are no more. */
export class Reaper {
  readonly #db: SyncDatabase;
  #waitsUntil = 0;

  constructor(db: SyncDatabase) {
    this.#db = db;
  }

  reap({ lease, now, wasAway }: { lease: number; now: number | null; wasAway: boolean }): void {
    if (wasAway) this.#waitsUntil = performance.now() + lease;
    if (performance.now() < this.#waitsUntil) return;
    while (this.#buryOne(DEAD, [now, lease], now, false));
  }

  /** One that went in good order leaves nothing that crashed. */
  bury(id: string, now: number | null, isClean: boolean): void {
    this.#buryOne(DYING, [id], now, isClean);
  }

  #buryOne(which: string, values: readonly unknown[], now: number | null, isClean: boolean): boolean {
    const ask = (text: string, given: readonly unknown[]) => this.#db.ask(text, given, this.#db.nameOf(text)).rows as Row[];
    return inTransaction(this.#db as never, () => {
      const [dead] = ask(which, values);
      if (!dead) return false;
      ask(FREE_HOSTS, [dead.id, now]);
      if (!isClean) ask(CRASHED, [dead.id, now]);
      for (const { run_id, counters, total, seq } of ask(PARTS, [dead.id])) {
        const sum = withParts(JSON.parse(String(total)) as Counters, [String(counters)]);
        ask("UPDATE run SET counters = $2, seq = greatest(seq, $3) WHERE id = $1", [run_id, JSON.stringify(sum), seq]);
      }
      ask("DELETE FROM worker WHERE id = $1", [dead.id]);
      return true;
    });
  }
}
