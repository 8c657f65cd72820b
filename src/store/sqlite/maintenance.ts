import type { FileSize, MaintenanceStore, SiteSummary } from "../maintenance.ts";
import { createCopy } from "./files/copy.ts";
import { problemsIn } from "./problems.ts";
import type { MaintenanceContext } from "./removal-lists.ts";
import { RemovalQueue } from "./removal-queue.ts";
import type { Row } from "./rows.ts";
import { RunChanges } from "./run-changes.ts";

const SITES = `SELECT s.id, s.uid, s.url, coalesce(p.pages, 0) AS pages, coalesce(p.gone, 0) AS gone,
    (SELECT count(*) FROM run_site rs JOIN run r ON r.id = rs.run_id WHERE rs.site_id = s.id AND r.kind = 'crawl') AS runs,
    (SELECT max(r.id) FROM run_site rs JOIN run r ON r.id = rs.run_id WHERE rs.site_id = s.id AND r.kind = 'crawl') AS last
  FROM site s LEFT JOIN (SELECT site_id, stored - gone AS pages, gone FROM page_count) p
    ON p.site_id = s.id ORDER BY s.id`;

export function openMaintenance(context: MaintenanceContext): MaintenanceStore {
  const { db, sql, runs } = context;
  const removals = new RemovalQueue(context);
  const changes = new RunChanges(sql);
  return {
    requestStop: async (runId) => {
      if (!runs.isAlive({ id: runId })) return false;
      return sql.get("UPDATE run SET stop_wanted = 1 WHERE id = ? AND status = 'running'").run(runId).changes === 1;
    },
    isStopRequested: async (runId) =>
      (sql.get("SELECT stop_wanted FROM run WHERE id = ?").get(runId) as Row | undefined)?.stop_wanted === 1,
    siteSummaries: async () => (sql.get(SITES).all() as Row[]).map(summaryFrom),
    changesOn: async (siteId, runId) => changes.changesOn(siteId, runId),
    countsOn: async (siteId, runId) => changes.ledgerOn(siteId, runId),
    plan: (request) => removals.plan(request),
    problems: async () => problemsIn(db),
    size: async () => sizeOf(context),
    vacuum: async () => {
      db.exec("VACUUM");
      sql.get("PRAGMA wal_checkpoint(TRUNCATE)").all();
    },
    backup: async (path) => {
      const copy = createCopy(db, `${path}.${process.pid}.part`); // a name unique to this process
      try {
        copy.saveAs(path);
      } catch (cause) {
        copy.discard();
        throw cause;
      }
    },
  };
}

const summaryFrom = (row: Row): SiteSummary => ({
  id: Number(row.id),
  uid: String(row.uid),
  url: String(row.url),
  pages: Number(row.pages),
  gone: Number(row.gone),
  runs: Number(row.runs),
  lastRunId: row.last === null ? undefined : Number(row.last),
});

function sizeOf({ sql }: MaintenanceContext): FileSize {
  const select =
    "SELECT page_count * page_size AS bytes, freelist_count * page_size AS free FROM pragma_page_count, pragma_page_size, pragma_freelist_count";
  const row = sql.get(select).get() as Row;
  return { bytes: Number(row.bytes), free: Number(row.free) };
}
