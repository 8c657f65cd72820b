import type { Counters } from "../run.ts";
import type { Row } from "../sqlite/rows.ts";
import type { RunOwnership, Runs } from "../sqlite/runs.ts";
import { noCounts } from "../sqlite/runs.ts";
import type { Store } from "../store.ts";
import { arrayOf } from "./columns.ts";
import { addParts, RunPart } from "./run-parts.ts";
import type { WorkerSession } from "./worker-session.ts";

const ALIVE = "SELECT 1 FROM worker WHERE id = $1 AND seen_at >= coalesce($2::bigint, now_ms()) - $3";
const PARTS = "SELECT worker_id, counters, seq FROM run_worker WHERE run_id = $1";

/** Runs in which several processes work: each worker's counters are stored beside the run's until the worker leaves. */
export class SharedRuns {
  readonly #session: WorkerSession;
  readonly #parts = new Map<number, RunPart>();

  constructor(session: WorkerSession) {
    this.#session = session;
    session.listen({ heartbeat: () => undefined, loseAllLeases: () => this.#restartCount() });
  }

  /** The worker that removed us as expired has added our counters to the runs. */
  #restartCount(): void {
    for (const part of this.#parts.values()) part.restartCount();
  }

  get ownership(): RunOwnership {
    const session = this.#session;
    return {
      owner: () => session.id,
      isOwnerAlive: (owner) => session.query(ALIVE, [owner, session.now, session.lease]).length > 0,
      lockSites: (siteIds) =>
        void session.query("SELECT id FROM site WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE", [arrayOf(siteIds)]),
      requeueInFlight: (runId) => session.removeExpiredOf(runId),
      countsOf: (row) => this.#countsOf(row),
    };
  }

  #countsOf(row: Row): { counters: Counters; seq: number } {
    const id = Number(row.id);
    const parts = row.status === "running" ? this.#session.query(PARTS, [id]) : [];
    const counters = addParts(
      JSON.parse(String(row.counters)),
      parts.map((part) => String(part.counters)),
    );
    return { counters, seq: Math.max(Number(row.seq), ...parts.map((part) => Number(part.seq))) };
  }

  partOf(runId: number): RunPart {
    const part = this.#parts.get(runId) ?? new RunPart(noCounts());
    this.#parts.set(runId, part);
    return part;
  }

  /** This process starts, resumes or joins a run: it counts from the counters it was given, and discards earlier ones of its own. */
  begin(run: { readonly id: number; readonly counters: Counters }): void {
    this.#parts.set(run.id, new RunPart(run.counters));
    this.#session.join(run.id);
  }

  end(runs: Runs, runId: number, end: Parameters<Store["endRun"]>[1]): void {
    const session = this.#session;
    const part = this.partOf(runId);
    session.transaction(() => {
      const [run] = session.query("SELECT status, counters, seq FROM run WHERE id = $1 FOR NO KEY UPDATE", [runId]);
      // Already ended, by a commit whose answer was lost.
      if (run && run.status !== "running") return runs.end(runId, { ...end, counters: JSON.parse(String(run.counters)) });
      const parts = session.query(`${PARTS} FOR UPDATE`, [runId]);
      const isInRun = parts.some(({ worker_id }) => worker_id === session.id);
      if (!isInRun) part.restartCount();
      const others = parts.filter(({ worker_id }) => worker_id !== session.id).map(({ counters }) => String(counters));
      const counters = addParts(JSON.parse(String(run?.counters ?? "{}")), [...others, part.serialize(end.counters)]);
      const seq = Math.max(Number(run?.seq ?? 0), ...parts.map((one) => Number(one.seq)));
      runs.end(runId, { ...end, counters });
      session.execute("UPDATE run SET seq = $2 WHERE id = $1", [runId, seq]);
      session.execute("DELETE FROM run_worker WHERE run_id = $1", [runId]);
      if (end.status === "finished") session.execute("DELETE FROM nearness WHERE run_id = $1", [runId]);
    });
    this.#removePart(runId);
  }

  /** Adds this process's counters to the run, whether it continues or has ended. */
  leave(runId: number, { links: _, ...counters }: Counters): void {
    const session = this.#session;
    const part = this.partOf(runId);
    session.transaction(() => {
      const [run] = session.query("SELECT counters FROM run WHERE id = $1 FOR NO KEY UPDATE", [runId]);
      const [own] = session.query("DELETE FROM run_worker WHERE run_id = $1 AND worker_id = $2 RETURNING seq", [runId, session.id]);
      if (!run) return;
      // Without our row, the written part is already in the run.
      if (!own) part.restartCount();
      const sum = JSON.stringify(addParts(JSON.parse(String(run.counters)), [part.serialize(counters)]));
      session.query("UPDATE run SET counters = $2, seq = greatest(seq, $3) WHERE id = $1", [runId, sum, own?.seq ?? 0]);
    });
    this.#removePart(runId);
  }

  drop(runId: number): void {
    this.#parts.delete(runId);
  }

  #removePart(runId: number): void {
    this.#parts.delete(runId);
    this.#session.markLeft(runId);
  }
}
