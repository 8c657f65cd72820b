import { noCounts } from "../sqlite/runs.ts";
import { addParts } from "./run-parts.ts";
import type { WorkerSession } from "./worker-session.ts";

/**
 * Reserves pages from the run's shared limit: how many more this process may fetch, given that `stillOut` of its earlier reservations are
 * not fetched yet.
 */
export function reservePages(
  session: WorkerSession,
  { runId, wanted, limit, unfetched }: { runId: number; wanted: number; limit: number; unfetched: number },
): number | undefined {
  session.join(runId);
  return session.transaction(() => {
    const [run] = session.query("SELECT counters FROM run WHERE id = $1 FOR NO KEY UPDATE", [runId]);
    const parts = session.query("SELECT worker_id, counters, reserved FROM run_worker WHERE run_id = $1", [runId]);
    const total = run ? JSON.parse(String(run.counters)) : noCounts();
    const { pages } = addParts(
      total,
      parts.map(({ counters }) => String(counters)),
    );
    const others = parts.reduce((sum, part) => sum + (part.worker_id === session.id ? 0 : Number(part.reserved)), 0);
    const granted = Math.max(0, Math.min(wanted, limit - pages - others - unfetched));
    const values = [runId, session.id, unfetched + granted];
    session.query("UPDATE run_worker SET reserved = $3 WHERE run_id = $1 AND worker_id = $2", values);
    return granted === 0 && wanted > 0 && others > 0 ? undefined : granted;
  });
}
