import type { Change } from "../../core/records.ts";
import type { SiteCounts } from "../maintenance.ts";
import type { Row, Statements } from "./rows.ts";
import { noCounts } from "./runs.ts";

type Counts = Readonly<Record<Change, number>>;

/** Unchanged pages have no row in `change`, so they are counted from `page`. */
const CHANGES = `SELECT p.site_id, c.status, count(*) AS rows FROM change c JOIN page p ON p.id = c.page_id WHERE c.run_id = ?1 GROUP BY p.site_id, c.status
  UNION ALL SELECT site_id, status, count(*) FROM removed_change WHERE run_id = ?1 GROUP BY site_id, status
  UNION ALL SELECT site_id, 'same', count(*) FROM page WHERE run_id = ?1 AND change = 'same' AND moved_to IS NULL GROUP BY site_id`;

const GONE = "status IN (404, 410)";
/** As `judge` of the fetcher tells a refusal from a failure. */
const REFUSED = "(status = 503 OR status BETWEEN 400 AND 499 AND status NOT IN (404, 408, 410, 425))";
const OUTCOME = `CASE WHEN verdict = 'skipped' THEN 'skipped'
    WHEN verdict = 'failed' AND ${GONE} THEN 'gone' WHEN verdict = 'failed' AND ${REFUSED} THEN 'refused' WHEN verdict = 'failed' THEN 'failed'
    WHEN kind = 'page' AND (verdict = 'not-modified' OR verdict = 'fetched' AND status BETWEEN 200 AND 299) THEN 'pages' ELSE 'other' END`;

/** The ledger of a run, without retries; counted only for runs over several sites. */
const LEDGER = `SELECT site_id, ${OUTCOME} AS outcome, count(*) AS rows FROM decision WHERE run_id = ? GROUP BY site_id, ${OUTCOME}`;

/** A read-only process may use counts of this age: they are counted row by row, and lists ask for each site of a run. */
const CACHE_MS = 2000;
const MAX_RUNS = 64;

/** The changes that a run over several sites found on each site. */
export class RunChanges {
  readonly #sql: Statements;
  readonly #isReader: boolean;
  readonly #known = new Map<number, { readonly at: number; readonly bySite: ReadonlyMap<number, Counts> }>();
  readonly #ledgers = new Map<number, { readonly at: number; readonly state: string; readonly bySite: ReadonlyMap<number, SiteCounts> }>();

  constructor(sql: Statements) {
    this.#sql = sql;
    this.#isReader = (sql.get("PRAGMA query_only").get() as Row).query_only === 1;
  }

  changesOn(siteId: number, runId: number): Counts {
    const known = this.#isReader ? this.#known.get(runId) : undefined;
    const isFresh = known !== undefined && performance.now() - known.at < CACHE_MS;
    return (isFresh ? known.bySite : this.#count(runId)).get(siteId) ?? noCounts().changes;
  }

  /** What a run did on one site; undefined if its ledger was removed, or holds no skipped URLs. */
  ledgerOn(siteId: number, runId: number): SiteCounts | undefined {
    const run = this.#sql.get("SELECT status, seq, pruned_at, options FROM run WHERE id = ?").get(runId) as Row | undefined;
    if (!run || run.pruned_at !== null || (JSON.parse(String(run.options)) as { decisions?: string }).decisions === "off") return undefined;
    const state = `${run.status} ${run.seq}`;
    const known = this.#ledgers.get(runId);
    const isFresh = known !== undefined && (known.state === state || performance.now() - known.at < CACHE_MS);
    return (isFresh ? known.bySite : this.#countLedger(runId, state)).get(siteId) ?? zeroCounts();
  }

  #countLedger(runId: number, state: string): ReadonlyMap<number, SiteCounts> {
    const bySite = new Map<number, SiteCounts>();
    for (const row of this.#sql.get(LEDGER).all(runId) as Row[]) {
      if (row.outcome === "other") continue;
      const counts = bySite.get(Number(row.site_id)) ?? zeroCounts();
      bySite.set(Number(row.site_id), { ...counts, [String(row.outcome)]: Number(row.rows) });
    }
    if (this.#ledgers.size >= MAX_RUNS) this.#ledgers.clear();
    this.#ledgers.set(runId, { at: performance.now(), state, bySite });
    return bySite;
  }

  #count(runId: number): ReadonlyMap<number, Counts> {
    const bySite = new Map<number, Record<Change, number>>();
    for (const row of this.#sql.get(CHANGES).all(runId) as Row[]) {
      const counts = bySite.get(Number(row.site_id)) ?? noCounts().changes;
      counts[row.status as Change] += Number(row.rows);
      bySite.set(Number(row.site_id), counts);
    }
    if (this.#known.size >= MAX_RUNS) this.#known.clear();
    this.#known.set(runId, { at: performance.now(), bySite });
    return bySite;
  }
}

const zeroCounts = (): SiteCounts => ({ pages: 0, gone: 0, refused: 0, failed: 0, skipped: 0 });
