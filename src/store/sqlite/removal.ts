import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { Removal, RemovalPlan, RemovalRequest } from "../maintenance.ts";
import { RunningError } from "../store.ts";
import { recount } from "./problems.ts";
import { GONE_LINKS, type LedgerToRemove, listRowsToRemove, type MaintenanceContext, type RowsToRemove } from "./removal-lists.ts";
import { inExclusiveTransaction, type Row } from "./rows.ts";
import { LinkRows } from "./settle/link-rows.ts";
import { undoPages } from "./undo.ts";

/** Rows per transaction: each transaction locks the file for a few hundredths of a second. */
const BATCH = { decision: 5000, page: 200, version: 500, body: 200, exchange: 1000, link: 20_000 };

/** Counts first; the counted rows are removed by `execute`, after confirmation. */
export function planRemoval(context: MaintenanceContext, request: RemovalRequest): RemovalPlan {
  refuseWhileRunning(context, request);
  const rowsToRemove = listRowsToRemove(context, request);
  return { removes: rowsToRemove.removes, execute: () => new RemovalTask(context, request, rowsToRemove).execute() };
}

/** The sites that must not be crawled during the removal: a visit in flight may refer to rows that are removed. */
function sitesOf({ sql }: MaintenanceContext, request: RemovalRequest): number[] {
  if (request.what === "site") return [request.siteId];
  if (request.what === "old") return []; // pages of sites that are being crawled are skipped one by one
  if (request.what === "page")
    return (sql.get("SELECT site_id FROM page WHERE id = ?").all(request.pageId) as Row[]).map((row) => Number(row.site_id));
  return (sql.get("SELECT site_id FROM run_site WHERE run_id = ?").all(request.runId) as Row[]).map((row) => Number(row.site_id));
}

function refuseWhileRunning(context: MaintenanceContext, request: RemovalRequest): void {
  const siteIds = sitesOf(context, request);
  const runningRun = context.runs.alive().find((run) => run.siteIds.some((id) => siteIds.includes(id)));
  if (!runningRun) return;
  const what =
    request.what === "run" && request.runId === runningRun.id ? `run ${runningRun.id} is` : `run ${runningRun.id} of the same site is`;
  throw new RunningError(`${what} still at work`, `wait for it, or stop it with nuthatch runs stop ${runningRun.id}`);
}

/** Keeps the changes of pruned pages, so that runs can still report them. */
const KEEP_CHANGES = `INSERT OR IGNORE INTO removed_change (run_id, page_id, site_id, hash, url, title, content_type, status, at, detail)
  SELECT c.run_id, p.id, p.site_id, p.hash, p.url, coalesce(pc.metadata ->> '$.title', v.metadata ->> '$.title.value'), p.content_type, c.status, c.at, c.detail
  FROM run_site rs JOIN change c ON c.run_id = rs.run_id JOIN page p ON p.id = c.page_id AND p.site_id = rs.site_id
  LEFT JOIN page_version v ON v.id = p.version_id LEFT JOIN page_card pc ON pc.page_id = p.id
  WHERE rs.site_id IN (SELECT value FROM json_each(?)) AND c.page_id IN (SELECT value FROM json_each(?))`;

/** `change` has an index on run and page, none on page alone: its foreign key would cost a scan of all changes for each removed page. */
async function withoutForeignKeys(db: Database, work: () => Promise<void>): Promise<void> {
  db.exec("PRAGMA foreign_keys = OFF");
  try {
    await work();
  } finally {
    db.exec("PRAGMA foreign_keys = ON");
  }
}

class RemovalTask {
  readonly #context: MaintenanceContext;
  readonly #request: RemovalRequest;
  readonly #rowsToRemove: RowsToRemove;
  readonly #removed: { -readonly [count in keyof Removal]: number };

  constructor(context: MaintenanceContext, request: RemovalRequest, rowsToRemove: RowsToRemove) {
    this.#context = context;
    this.#request = request;
    this.#rowsToRemove = rowsToRemove;
    const { sites, runs, ledgers, bytes } = rowsToRemove.removes;
    this.#removed = { sites, runs, ledgers, bytes, decisions: 0, changes: 0, pages: 0, versions: 0, bodies: 0, exchanges: 0, links: 0 };
  }

  async execute(): Promise<Removal> {
    const { runIds, ledgers } = this.#rowsToRemove;
    await this.#inBatches(() => this.#closeLedgers());
    for (const runId of runIds) await this.#removeLedger({ runId, siteId: undefined });
    for (const ledger of ledgers) await this.#removeLedger(ledger);
    await this.#undo();
    await this.#clearDuplicates();
    await withoutForeignKeys(this.#context.db, () => this.#inBatches(() => this.#removePages()));
    await this.#inBatches(() => this.#removeOldChanges());
    await this.#inBatches(() => this.#removeVersions());
    await this.#inBatches(() => this.#removeExchanges());
    await this.#inBatches(() => this.#removeBodies());
    await this.#removeGoneLinks();
    if (this.#removed.pages + this.#removed.links > 0) await this.#removeLinks();
    for (const runId of runIds) await this.#removeRun(runId);
    if (this.#request.what === "site") await this.#inBatches(() => this.#removeSite());
    this.#context.sql.get("PRAGMA wal_checkpoint(TRUNCATE)").all();
    return this.#removed;
  }

  /**
   * Runs transactions with a pause between them as long as the one before, until a step returns undefined. A step returns where the next
   * one starts.
   */
  async #inBatches(step: (from: number) => number | undefined, first = 0): Promise<void> {
    const { db } = this.#context;
    for (let from: number | undefined = first; from !== undefined; ) {
      const began = performance.now();
      const at: number = from;
      const before = { ...this.#removed };
      from = inExclusiveTransaction(db, () => {
        Object.assign(this.#removed, before); // the database may have rolled the same step back and retried it
        refuseWhileRunning(this.#context, this.#request);
        return step(at);
      });
      if (from !== undefined) await sleep(Math.max(1, performance.now() - began));
    }
  }

  /** From here on the runs cannot be resumed, even if this process is killed before the end. */
  #closeLedgers(): undefined {
    const close = this.#context.sql.get("UPDATE run SET pruned_at = coalesce(pruned_at, ?) WHERE id = ?");
    const whole = this.#rowsToRemove.ledgers.filter(({ siteId }) => siteId === undefined).map(({ runId }) => runId);
    for (const id of [...this.#rowsToRemove.runIds, ...whole]) close.run(Date.now(), id);
  }

  /** In disk order, which is the order in which the URLs were found. */
  async #removeLedger({ runId, siteId }: LedgerToRemove): Promise<void> {
    const { sql } = this.#context;
    const range = sql.get(`SELECT ledger_from AS first, (SELECT max(id) FROM decision) AS last FROM run WHERE id = ?`).get(runId) as Row;
    const last = Number(range.last ?? 0);
    const count =
      siteId === undefined ? Number((sql.get("SELECT count(*) AS rows FROM decision WHERE run_id = ?").get(runId) as Row).rows) : Infinity;
    const end = this.#removed.decisions + count;
    await this.#inBatches(
      (from) => {
        if (from >= last || this.#removed.decisions >= end) return undefined;
        const remove = "DELETE FROM decision WHERE id > ? AND id <= ? AND +run_id = ? AND (?4 IS NULL OR site_id = ?4)";
        this.#removed.decisions += Number(sql.get(remove).run(from, from + BATCH.decision, runId, siteId ?? null).changes);
        // Later rows reuse the ids that are free now, so no run may have `ledger_from` above the highest id.
        const highest = "(SELECT coalesce(max(id), 0) FROM decision)";
        sql.get(`UPDATE run SET ledger_from = ${highest} WHERE ledger_from > ${highest}`).run();
        return from + BATCH.decision;
      },
      Number(range.first ?? 0),
    );
  }

  async #undo(): Promise<void> {
    const request = this.#request;
    if (request.what !== "run" || !request.isUndone) return;
    await this.#inBatches((after) => undoPages(this.#context, request.runId, after, BATCH.page));
  }

  /** Pages that were duplicates of removed pages are no longer duplicates. */
  async #clearDuplicates(): Promise<void> {
    const { sql } = this.#context;
    if (!sql.get("SELECT 1 FROM temp.doomed_page").get()) return;
    const { last } = sql.get("SELECT max(id) AS last FROM page").get() as Row;
    await this.#inBatches((from) => {
      if (from >= Number(last)) return undefined;
      for (const column of ["duplicate_of", "near_duplicate_of"]) {
        const forget = `UPDATE page SET ${column} = NULL WHERE id > ? AND id <= ? AND ${column} IN (SELECT id FROM temp.doomed_page)`;
        sql.get(forget).run(from, from + BATCH.link);
      }
      return from + BATCH.link;
    });
  }

  #takeBatch(table: "page" | "version" | "body" | "exchange"): string | undefined {
    const takeBatch = `DELETE FROM temp.doomed_${table} WHERE id IN (SELECT id FROM temp.doomed_${table} ORDER BY id LIMIT ?) RETURNING id`;
    const rows = this.#context.sql.get(takeBatch).all(BATCH[table]) as Row[];
    return rows.length === 0 ? undefined : JSON.stringify(rows.map((row) => row.id));
  }

  #removePages(): number | undefined {
    const { sql, runs } = this.#context;
    const batch = this.#takeBatch("page");
    if (batch === undefined) return undefined;
    const busy = new Set(runs.alive().flatMap(({ siteIds }) => siteIds));
    const found = sql.get("SELECT id, site_id FROM page WHERE id IN (SELECT value FROM json_each(?))").all(batch) as Row[];
    const pages = found.filter((page) => !busy.has(Number(page.site_id)));
    const numbers = (list: readonly Row[]) => JSON.stringify(list.map((page) => page.id));
    this.#keepBusyPages(numbers(found.filter((page) => !pages.includes(page))));
    const ids = numbers(pages);
    const sites = JSON.stringify([...new Set(pages.map((page) => page.site_id))]);
    const keepsChanges = this.#request.what === "old";
    if (keepsChanges) sql.get(KEEP_CHANGES).run(sites, ids);
    const changes =
      sql.get(`DELETE FROM change WHERE run_id IN (SELECT run_id FROM run_site WHERE site_id IN (SELECT value FROM json_each(?)))
        AND page_id IN (SELECT value FROM json_each(?))`);
    const removed = Number(changes.run(sites, ids).changes);
    if (!keepsChanges) this.#removed.changes += removed;
    sql.dialect.ids.rememberHighest(sql, "page");
    sql.dialect.ids.rememberHighest(sql, "page_version");
    sql
      .get(
        `DELETE FROM rendered_version WHERE version_id IN (SELECT id FROM page_version WHERE page_id IN (SELECT value FROM json_each(?)))`,
      )
      .run(ids);
    this.#removed.versions += this.#remove("page_version", "page_id", ids);
    for (const table of ["page_metadata", "page_evidence", "page_search", "page_card"]) this.#remove(table, "page_id", ids);
    this.#removeSources(pages);
    this.#removed.pages += this.#remove("page", "id", ids);
    return 1;
  }

  /** Removes the records of pages that were pruned long ago. */
  #removeOldChanges(): undefined {
    const request = this.#request;
    if (request.what !== "old") return;
    const forget = "DELETE FROM removed_change WHERE at < :before AND (:site IS NULL OR site_id = :site)";
    this.#context.sql.named(forget).run({ before: request.before, site: request.siteId ?? null });
  }

  /** Removes the links of these pages from the link counts. */
  #removeSources(pages: readonly Row[]): void {
    const rows = new LinkRows(this.#context.sql);
    for (const { id, site_id } of pages) rows.remove(Number(id), Number(site_id));
    rows.flush();
  }

  /** Keeps the pages of a site that is being crawled by now, with all their rows. */
  #keepBusyPages(ids: string): void {
    const { sql } = this.#context;
    const versions = "page_version WHERE page_id IN (SELECT value FROM json_each(?))";
    sql.get(`DELETE FROM temp.doomed_body WHERE id IN (SELECT id FROM body WHERE hash IN (SELECT body_hash FROM ${versions}))`).run(ids);
    sql
      .get(
        `DELETE FROM temp.doomed_body WHERE id IN (SELECT b.id FROM rendered_version r JOIN body b ON b.hash = r.picture_hash WHERE r.version_id IN (SELECT id FROM ${versions}))`,
      )
      .run(ids);
    sql.get(`DELETE FROM temp.doomed_version WHERE id IN (SELECT id FROM ${versions})`).run(ids);
  }

  #remove(table: string, column: string, ids: string): number {
    return Number(this.#context.sql.get(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`).run(ids).changes);
  }

  #removeVersions(): number | undefined {
    const batch = this.#takeBatch("version");
    if (batch === undefined) return undefined;
    this.#context.sql.dialect.ids.rememberHighest(this.#context.sql, "page_version");
    this.#removed.versions += this.#remove("page_version", "id", batch);
    return 1;
  }

  #removeExchanges(): number | undefined {
    const batch = this.#takeBatch("exchange");
    if (batch === undefined) return undefined;
    this.#removed.exchanges += this.#remove("exchange", "id", batch);
    return 1;
  }

  /** Checks again whether a page stored in the meantime needs one of these bodies. */
  #removeBodies(): number | undefined {
    const batch = this.#takeBatch("body");
    if (batch === undefined) return undefined;
    const remove = `DELETE FROM body WHERE id IN (SELECT value FROM json_each(?))
      AND hash NOT IN (SELECT body_hash FROM page_version WHERE id > ? AND body_hash IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM exchange WHERE body_hash = body.hash)
      AND hash NOT IN (SELECT picture_hash FROM rendered_version WHERE picture_hash IS NOT NULL) RETURNING hash`;
    const { sql } = this.#context;
    const gone = sql.get(remove).all(batch, this.#rowsToRemove.lastVersion) as Row[];
    sql.dialect.bodies?.remove(gone.map(({ hash }) => String(hash)));
    this.#removed.bodies += gone.length;
    return 1;
  }

  /** In page order, which is disk order. */
  async #removeGoneLinks(): Promise<void> {
    const request = this.#request;
    if (request.what !== "old" || this.#rowsToRemove.removes.links === 0) return;
    const { sql } = this.#context;
    const last = Number((sql.get("SELECT coalesce(max(page_id), 0) AS last FROM link_source").get() as Row).last);
    const remove = `DELETE FROM link_source WHERE page_id > :from AND page_id <= :to AND ${GONE_LINKS}`;
    await this.#inBatches((from) => {
      if (from >= last) return undefined;
      const values = { from, to: from + BATCH.version, before: request.before, site: request.siteId ?? null };
      this.#removed.links += Number(sql.named(remove).run(values).changes);
      return from + BATCH.version;
    });
  }

  async #removeLinks(): Promise<void> {
    const { sql } = this.#context;
    const { last } = sql.get("SELECT coalesce(max(id), 0) AS last FROM link").get() as Row;
    await this.#inBatches((from) => {
      if (from >= Number(last)) return undefined;
      sql
        .get(`DELETE FROM link WHERE id > ? AND id <= ? AND NOT EXISTS (SELECT 1 FROM link_source WHERE link_id = link.id)
          AND id NOT IN (SELECT link_id FROM link_card)`)
        .run(from, from + BATCH.link);
      return from + BATCH.link;
    });
  }

  async #removeRun(runId: number): Promise<void> {
    const { sql } = this.#context;
    const changes = `DELETE FROM change WHERE run_id = ?1 AND page_id IN (SELECT page_id FROM change WHERE run_id = ?1 LIMIT ${BATCH.decision})`;
    await this.#inBatches(() => {
      const removed = Number(sql.get(changes).run(runId).changes);
      this.#removed.changes += removed;
      return removed === 0 ? undefined : removed;
    });
    await this.#inBatches(() => {
      sql.dialect.ids.rememberHighest(sql, "run");
      sql.get("DELETE FROM run WHERE id = ?").run(runId);
      return undefined;
    });
  }

  /** Runs over several sites continue without this one: without its seed, and without its pages in their counters. */
  #removeSite(): undefined {
    const { db, sql } = this.#context;
    const { siteId } = this.#request as Extract<RemovalRequest, { what: "site" }>;
    const place = `(SELECT count(*) FROM run_site o WHERE o.run_id = rs.run_id AND o.position < rs.position)`;
    const shared = sql.get(`SELECT run_id, ${place} AS place FROM run_site rs WHERE site_id = ?`).all(siteId) as Row[];
    const seeds = sql.get("SELECT position, url FROM run_seed WHERE run_id = ? ORDER BY position");
    const remove = sql.get("DELETE FROM run_seed WHERE run_id = ? AND position = ?");
    const detach = sql.get("UPDATE run SET seeds = ?, counters = json_patch(counters, ?) WHERE id = ?");
    for (const { run_id, place: index } of shared) {
      const rows = seeds.all(run_id as number) as Row[];
      const [gone] = rows.splice(Number(index), 1);
      if (gone) remove.run(run_id as number, Number(gone.position));
      const first = JSON.stringify(rows.slice(0, 1).map(({ url }) => url));
      detach.run(first, JSON.stringify(recount(db, Number(run_id))), run_id as number);
    }
    sql.get("DELETE FROM site WHERE id = ?").run(siteId);
  }
}
