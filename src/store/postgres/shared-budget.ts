import { noCounts } from "../sqlite/runs.ts";
import type { Presence } from "./presence.ts";
import { withParts } from "./run-parts.ts";

/**
 * Reserves pages from the run's shared limit: how many more this process may fetch, given that `stillOut` of its earlier reservations are
 * not fetched yet.
 */
export function takePages(
  presence: Presence,
  { runId, wanted, most, stillOut }: { runId: number; wanted: number; most: number; stillOut: number },
): number | undefined {
  presence.join(runId);
  return presence.transaction(() => {
    const [run] = presence.ask("SELECT counters FROM run WHERE id = $1 FOR NO KEY UPDATE", [runId]);
    const parts = presence.ask("SELECT worker_id, counters, reserved FROM run_worker WHERE run_id = $1", [runId]);
    const total = run ? JSON.parse(String(run.counters)) : noCounts();
    const { pages } = withParts(
      total,
      parts.map(({ counters }) => String(counters)),
    );
    const others = parts.reduce((sum, part) => sum + (part.worker_id === presence.id ? 0 : Number(part.reserved)), 0);
    const granted = Math.max(0, Math.min(wanted, most - pages - others - stillOut));
    const values = [runId, presence.id, stillOut + granted];
    presence.ask("UPDATE run_worker SET reserved = $3 WHERE run_id = $1 AND worker_id = $2", values);
    return granted === 0 && wanted > 0 && others > 0 ? undefined : granted;
  });
}
