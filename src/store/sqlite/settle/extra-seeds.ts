import type { Settlement } from "../../settlement.ts";
import type { Row, Statements } from "../rows.ts";

export const extraSeedsOf = (sql: Statements, runId: number): string[] =>
  (sql.get("SELECT url FROM run_home WHERE run_id = ?").all(runId) as Row[]).map(({ url }) => String(url));

/** Call within a transaction. */
export function saveExtraSeeds(sql: Statements, { runId, homes: extraSeeds = [] }: Settlement): void {
  for (const url of extraSeeds) sql.get("INSERT OR IGNORE INTO run_home (run_id, url) VALUES (?, ?)").run(runId, url);
}
