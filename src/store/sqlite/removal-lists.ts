import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { Removal, RemovalRequest } from "../maintenance.ts";
import { lastVersion } from "./bodies.ts";
import type { Row, Statements } from "./rows.ts";
import type { Runs } from "./runs.ts";

export interface MaintenanceContext {
  readonly db: Database;
  readonly sql: Statements;
  readonly runs: Runs;
}

/** The rows of a run's ledger to remove: all, or those of one site. */
export interface LedgerToRemove {
  readonly runId: number;
  readonly siteId: number | undefined;
}

export interface RowsToRemove {
  readonly runIds: readonly number[];
  /** Without those of runs that are removed completely. */
  readonly ledgers: readonly LedgerToRemove[];
  /** The highest version id when the unused bodies were determined. */
  readonly lastVersion: number;
  readonly removes: Removal;
}

/** Approximate bytes of a ledger row with its index entries: adding up the real sizes would mean reading them all. */
const LEDGER_ROW_BYTES = 250;

/** A run has ended for good if it is finished, or was stopped by a limit; any other may be resumed. */
const HAS_ENDED =
  "(r.status = 'finished' OR coalesce(r.stop_reason, '') = 'no-pages' OR coalesce(r.stop_reason, '') LIKE 'limit.%' OR (r.kind = 'context' AND r.status <> 'running'))";
/** Crawls only: nothing is compared with a run that fetches single pages. */
const LATEST_OF_SITE =
  "SELECT max(r.id) FROM run r JOIN run_site s ON s.run_id = r.id WHERE s.site_id = rs.site_id AND r.kind = 'crawl' AND";

/**
 * Excludes the last complete run and the last ended run of each site, because the next run is compared with them. Includes runs whose
 * removal was interrupted.
 */
const OLD_LEDGERS = `SELECT r.id FROM run r WHERE (r.pruned_at IS NULL OR EXISTS (SELECT 1 FROM decision WHERE run_id = r.id)) AND ${HAS_ENDED} AND r.ended_at < :before
  AND (:site IS NULL OR EXISTS (SELECT 1 FROM run_site WHERE run_id = r.id AND site_id = :site))
  AND NOT EXISTS (SELECT 1 FROM run_site rs WHERE rs.run_id = r.id
    AND (r.id = (${LATEST_OF_SITE} r.status = 'finished' AND CAST(json_extract(r.options, '$.due') AS TEXT) IS NOT '1') OR r.id = (${LATEST_OF_SITE} ${HAS_ENDED})))`;

/** Sites whose latest crawl is running or may be resumed. */
const UNFINISHED_SITES = `SELECT rs.site_id FROM run_site rs JOIN run r ON r.id = rs.run_id
  WHERE NOT ${HAS_ENDED} AND r.id = (${LATEST_OF_SITE} true)`;

/** Excludes pages that redirect, because they may come back. */
const selectPages = (are: string) =>
  `SELECT id FROM page WHERE ${are} AND (:site IS NULL OR site_id = :site) AND site_id NOT IN (${UNFINISHED_SITES})`;
const GONE_PAGES = selectPages("is_gone = 1 AND moved_to IS NULL");
const UNLINKED_PAGES = selectPages("is_gone = 0 AND change = 'unlinked'");

const OLD_VERSIONS = `SELECT v.id FROM page p JOIN page_version v ON v.page_id = p.id WHERE (:site IS NULL OR p.site_id = :site)
  AND v.id <> p.version_id AND v.number <= (SELECT max(number) FROM page_version WHERE page_id = p.id) - :keep`;

/** Pages that only this run visited; all pages if the site has no other run left. */
const PAGES_OF_RUN_ALONE = `SELECT p.id FROM page p WHERE p.site_id IN (SELECT site_id FROM run_site WHERE run_id = :run)
  AND (NOT EXISTS (SELECT 1 FROM run_site o WHERE o.site_id = p.site_id AND o.run_id <> :run)
    OR (p.run_id = :run AND p.first_run_id = :run AND NOT EXISTS (SELECT 1 FROM run_site rs JOIN change c ON c.run_id = rs.run_id
      AND c.page_id = p.id WHERE rs.site_id = p.site_id AND rs.run_id <> :run)))`;

/** Versions that this run read of other pages, if an earlier version is still stored. */
const VERSIONS_OF_RUN = `SELECT v.id FROM page p JOIN page_version v ON v.page_id = p.id WHERE p.site_id IN (SELECT site_id FROM run_site WHERE run_id = :run)
  AND v.run_id = :run AND (v.number = 1 OR EXISTS (SELECT 1 FROM page_version o WHERE o.page_id = p.id AND o.run_id <> :run))`;

/** Links gone from their pages since a run that ended before the given time. */
export const GONE_LINKS = `gone_run_id IS NOT NULL AND coalesce((SELECT ended_at FROM run WHERE id = gone_run_id), 0) < :before
  AND (:site IS NULL OR page_id IN (SELECT id FROM page WHERE site_id = :site))`;

const UNNEEDED_BODIES = `SELECT id FROM body WHERE hash NOT IN
  (SELECT body_hash FROM page_version WHERE body_hash IS NOT NULL AND id NOT IN (SELECT id FROM temp.doomed_version))
  AND hash NOT IN (SELECT body_hash FROM exchange WHERE body_hash IS NOT NULL AND id NOT IN (SELECT id FROM temp.doomed_exchange))
  AND hash NOT IN (SELECT picture_hash FROM rendered_version WHERE picture_hash IS NOT NULL AND version_id NOT IN (SELECT id FROM temp.doomed_version))`;

/** Recorded requests are removed with the ledger of their run. */
const EXCHANGES = "SELECT id FROM exchange WHERE run_id = :run AND (:site IS NULL OR site_id = :site)";

const CHANGES_OF_PAGES = `SELECT count(*) AS rows FROM run_site rs CROSS JOIN temp.doomed_page d CROSS JOIN page p ON p.id = d.id AND p.site_id = rs.site_id
  CROSS JOIN change c ON c.run_id = rs.run_id AND c.page_id = d.id WHERE rs.run_id NOT IN (SELECT value FROM json_each(?))`;

/** Lists the rows to remove in temporary tables, as one consistent snapshot. The data file is only read. */
export function listRowsToRemove({ db, sql }: MaintenanceContext, request: RemovalRequest): RowsToRemove {
  for (const table of ["page", "version", "body", "exchange"]) {
    db.exec(`CREATE TEMP TABLE IF NOT EXISTS doomed_${table} (id INTEGER PRIMARY KEY); DELETE FROM temp.doomed_${table}`);
  }
  const add = (table: string, select: string, given: Record<string, number | null> = {}) =>
    sql.named(`INSERT OR IGNORE INTO temp.doomed_${table} ${select}`).run(given);
  db.exec("BEGIN");
  try {
    const lists = addRows(sql, request, add);
    add("version", "SELECT v.id FROM temp.doomed_page p JOIN page_version v ON v.page_id = p.id");
    for (const { runId, siteId } of wholeLedgers(lists)) add("exchange", EXCHANGES, { run: runId, site: siteId ?? null });
    add("body", UNNEEDED_BODIES);
    return { ...lists, lastVersion: lastVersion(sql), removes: countRows(sql, request, lists) };
  } finally {
    db.exec("COMMIT");
  }
}

const wholeLedgers = ({ runIds, ledgers }: Pick<RowsToRemove, "runIds" | "ledgers">): LedgerToRemove[] => [
  ...runIds.map((runId) => ({ runId, siteId: undefined })),
  ...ledgers,
];

type AddRows = (table: string, select: string, given?: Record<string, number | null>) => void;

function addRows(sql: Statements, request: RemovalRequest, add: AddRows): Pick<RowsToRemove, "runIds" | "ledgers"> {
  const numbers = (select: string, ...given: number[]) => (sql.get(select).all(...given) as Row[]).map((row) => Number(row.id));
  switch (request.what) {
    case "run":
      add("page", PAGES_OF_RUN_ALONE, { run: request.runId });
      if (request.isUndone) add("version", VERSIONS_OF_RUN, { run: request.runId });
      return { runIds: [request.runId], ledgers: [] };
    case "site": {
      const { siteId } = request;
      add("page", "SELECT id FROM page WHERE site_id = :site", { site: siteId });
      const runIds = numbers("SELECT run_id AS id FROM run_site WHERE site_id = ?", siteId);
      const shared = runIds.filter((id) => sql.get("SELECT 1 FROM run_site WHERE run_id = ? AND site_id <> ?").get(id, siteId));
      return { runIds: runIds.filter((id) => !shared.includes(id)), ledgers: shared.map((runId) => ({ runId, siteId })) };
    }
    case "page":
      add("page", "SELECT id FROM page WHERE id = :page", { page: request.pageId });
      return { runIds: [], ledgers: [] };
    case "old": {
      const site = request.siteId ?? null;
      if (request.gone) add("page", GONE_PAGES, { site });
      if (request.unlinked) add("page", UNLINKED_PAGES, { site });
      add("version", OLD_VERSIONS, { site, keep: request.keep });
      const old = sql.uncached(OLD_LEDGERS).all({ before: request.before, site }) as Row[];
      return { runIds: [], ledgers: old.map((row) => ({ runId: Number(row.id), siteId: undefined })) };
    }
    default:
      return request satisfies never;
  }
}

function countRows(sql: Statements, request: RemovalRequest, lists: Pick<RowsToRemove, "runIds" | "ledgers">): Removal {
  const { runIds, ledgers } = lists;
  const of = (select: string, ...given: (number | string)[]) => sql.get(select).get(...given) as Row;
  const rows = ({ runId, siteId }: LedgerToRemove) =>
    siteId === undefined
      ? of("SELECT count(*) AS rows FROM decision WHERE run_id = ?", runId)
      : of("SELECT count(*) AS rows FROM decision WHERE run_id = ? AND site_id = ?", runId, siteId);
  const decisions = wholeLedgers(lists).reduce((sum, ledger) => sum + Number(rows(ledger).rows), 0);
  const ofRuns = runIds.map((id) => of("SELECT count(*) AS rows FROM change WHERE run_id = ?", id));
  // Changes of pruned pages are kept (`removed_change`).
  const ofPages = request.what === "old" ? { rows: 0 } : of(CHANGES_OF_PAGES, JSON.stringify(runIds));
  const changes = [...ofRuns, ofPages].reduce((sum, row) => sum + Number(row.rows), 0);
  const pages = of("SELECT count(*) AS count FROM temp.doomed_page");
  const versions =
    of(`SELECT count(*) AS count, coalesce(sum(octet_length(metadata) + coalesce(length(links), 0) + coalesce(length(link_index), 0)), 0) AS bytes
    FROM temp.doomed_version JOIN page_version USING (id)`);
  const bodies = of("SELECT count(*) AS count, coalesce(sum(length(data)), 0) AS bytes FROM temp.doomed_body JOIN body USING (id)");
  const exchanges = of(`SELECT count(*) AS count, coalesce(sum(length(request) + length(response)), 0) AS bytes
    FROM temp.doomed_exchange JOIN exchange USING (id)`);
  const links =
    request.what === "old"
      ? sql
          .named(`SELECT count(*) AS rows FROM link_source WHERE ${GONE_LINKS}`)
          .get({ before: request.before, site: request.siteId ?? null })
      : undefined;
  return {
    links: Number(links?.rows ?? 0),
    sites: request.what === "site" ? 1 : 0,
    runs: runIds.length,
    ledgers: ledgers.length,
    decisions,
    changes,
    pages: Number(pages.count),
    versions: Number(versions.count),
    bodies: Number(bodies.count),
    exchanges: Number(exchanges.count),
    bytes: decisions * LEDGER_ROW_BYTES + Number(versions.bytes) + Number(bodies.bytes) + Number(exchanges.bytes),
  };
}
