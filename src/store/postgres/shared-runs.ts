import type { Counters } from "../run.ts";
import type { Row } from "../sqlite/rows.ts";
import type { RunCustoms, Runs } from "../sqlite/runs.ts";
import { noCounts } from "../sqlite/runs.ts";
import type { Store } from "../store.ts";
import { arrayOf } from "./columns.ts";
import type { Presence } from "./presence.ts";
import { RunPart, withParts } from "./run-parts.ts";

const ALIVE = "SELECT 1 FROM worker WHERE id = $1 AND seen_at >= coalesce($2::bigint, now_ms()) - $3";
const PARTS = "SELECT worker_id, counters, seq FROM run_worker WHERE run_id = $1";

/** Runs in which several processes work: each worker's counters are stored beside the run's until the worker leaves. */
export class SharedRuns {
  readonly #presence: Presence;
  readonly #parts = new Map<number, RunPart>();

  constructor(presence: Presence) {
    this.#presence = presence;
    presence.listen({ beat: () => undefined, loseAll: () => this.#beginAnew() });
  }

  /** The worker that removed us as expired has added our counters to the runs. */
  #beginAnew(): void {
    for (const part of this.#parts.values()) part.beginAnew();
  }

  get customs(): RunCustoms {
    const presence = this.#presence;
    return {
      owner: () => presence.id,
      isOwnerAlive: (owner) => presence.ask(ALIVE, [owner, presence.now, presence.lease]).length > 0,
      hold: (siteIds) => void presence.ask("SELECT id FROM site WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE", [arrayOf(siteIds)]),
      takeBack: (runId) => presence.buryDeadOf(runId),
      countsOf: (row) => this.#countsOf(row),
    };
  }

  #countsOf(row: Row): { counters: Counters; seq: number } {
    const id = Number(row.id);
    const parts = row.status === "running" ? this.#presence.ask(PARTS, [id]) : [];
    const counters = withParts(
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
    this.#presence.join(run.id);
  }

  end(runs: Runs, runId: number, end: Parameters<Store["endRun"]>[1]): void {
    const presence = this.#presence;
    const part = this.partOf(runId);
    presence.transaction(() => {
      const [run] = presence.ask("SELECT status, counters, seq FROM run WHERE id = $1 FOR NO KEY UPDATE", [runId]);
      // Already ended, by a commit whose answer was lost.
      if (run && run.status !== "running") return runs.end(runId, { ...end, counters: JSON.parse(String(run.counters)) });
      const parts = presence.ask(`${PARTS} FOR UPDATE`, [runId]);
      const isThere = parts.some(({ worker_id }) => worker_id === presence.id);
      if (!isThere) part.beginAnew();
      const others = parts.filter(({ worker_id }) => worker_id !== presence.id).map(({ counters }) => String(counters));
      const counters = withParts(JSON.parse(String(run?.counters ?? "{}")), [...others, part.textOf(end.counters)]);
      const seq = Math.max(Number(run?.seq ?? 0), ...parts.map((one) => Number(one.seq)));
      runs.end(runId, { ...end, counters });
      presence.send("UPDATE run SET seq = $2 WHERE id = $1", [runId, seq]);
      presence.send("DELETE FROM run_worker WHERE run_id = $1", [runId]);
      if (end.status === "finished") presence.send("DELETE FROM nearness WHERE run_id = $1", [runId]);
    });
    this.#forget(runId);
  }

  /** Adds this process's counters to the run, whether it continues or has ended. */
  leave(runId: number, { links: _, ...counters }: Counters): void {
    const presence = this.#presence;
    const part = this.partOf(runId);
    presence.transaction(() => {
      const [run] = presence.ask("SELECT counters FROM run WHERE id = $1 FOR NO KEY UPDATE", [runId]);
      const [own] = presence.ask("DELETE FROM run_worker WHERE run_id = $1 AND worker_id = $2 RETURNING seq", [runId, presence.id]);
      if (!run) return;
      // Without our row, the written part is already in the run.
      if (!own) part.beginAnew();
      const sum = JSON.stringify(withParts(JSON.parse(String(run.counters)), [part.textOf(counters)]));
      presence.ask("UPDATE run SET counters = $2, seq = greatest(seq, $3) WHERE id = $1", [runId, sum, own?.seq ?? 0]);
    });
    this.#forget(runId);
  }

  drop(runId: number): void {
    this.#parts.delete(runId);
  }

  #forget(runId: number): void {
    this.#parts.delete(runId);
    this.#presence.left(runId);
  }
}
