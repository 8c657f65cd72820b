import type { Change } from "../../records.ts";
import type { Row, Statements } from "./rows.ts";
import { noCounts } from "./runs.ts";

type Counts = Readonly<Record<Change, number>>;

/** Unchanged pages have no row in `change`, so they are counted from `page`. */
const CHANGES = `SELECT p.site_id, c.status, count(*) AS rows FROM change c JOIN page p ON p.id = c.page_id WHERE c.run_id = ?1 GROUP BY p.site_id, c.status
  UNION ALL SELECT site_id, status, count(*) FROM removed_change WHERE run_id = ?1 GROUP BY site_id, status
  UNION ALL SELECT site_id, 'same', count(*) FROM page WHERE run_id = ?1 AND change = 'same' AND moved_to IS NULL GROUP BY site_id`;

/** A read-only process may use counts of this age: they are counted row by row, and lists ask for each site of a run. */
const LASTS = 2000;
const MOST_RUNS = 64;

/** The changes that a run over several sites found on each site. */
export class RunChanges {
  readonly #sql: Statements;
  readonly #isReader: boolean;
  readonly #known = new Map<number, { readonly at: number; readonly bySite: ReadonlyMap<number, Counts> }>();

  constructor(sql: Statements) {
    this.#sql = sql;
    this.#isReader = (sql.get("PRAGMA query_only").get() as Row).query_only === 1;
  }

  on(siteId: number, runId: number): Counts {
    const known = this.#isReader ? this.#known.get(runId) : undefined;
    const isFresh = known !== undefined && performance.now() - known.at < LASTS;
    return (isFresh ? known.bySite : this.#count(runId)).get(siteId) ?? noCounts().changes;
  }

  #count(runId: number): ReadonlyMap<number, Counts> {
    const bySite = new Map<number, Record<Change, number>>();
    for (const row of this.#sql.get(CHANGES).all(runId) as Row[]) {
      const counts = bySite.get(Number(row.site_id)) ?? noCounts().changes;
      counts[row.status as Change] += Number(row.rows);
      bySite.set(Number(row.site_id), counts);
    }
    if (this.#known.size >= MOST_RUNS) this.#known.clear();
    this.#known.set(runId, { at: performance.now(), bySite });
    return bySite;
  }
}
