import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { Rekey } from "../../store.ts";
import { inExclusiveTransaction, type Row, type Statements, toInt64 } from "../rows.ts";

/** Only these URLs were ever written differently in their key. */
const HAS_OTHER_SPELLING = "(instr(url, '%') > 0 OR instr(substr(url, 9), '//') > 0 OR instr(url, ';') > 0 OR instr(url, '/(') > 0)";
/** A site or a link belongs to no run, so the options of the latest run are used. */
const LATEST = "(SELECT max(id) FROM run)";

/**
 * Recomputes the keys of sites, pages, ledger rows and links in a file whose keys were made by earlier rules, so that the next run
 * recognises them. The links of stored versions are not touched: they are read again before use, because the reader's name includes the
 * version of the key rules.
 */
export function rekey(db: Database, sql: Statements, version: number, computeKey: Rekey): void {
  const versionOf = () => Number((sql.get("SELECT value FROM meta WHERE key = 'key_version'").get() as Row | undefined)?.value ?? 1);
  if (versionOf() === version) return;
  inExclusiveTransaction(db, () => {
    if (versionOf() === version) return; // another process was first
    const options = new Map((sql.get("SELECT id, options FROM run").all() as Row[]).map(({ id, options }) => [id, String(options)]));
    const each = (table: string, run: string, write: (row: Row, key: ReturnType<Rekey>) => void) => {
      const rows = sql.uncached(`SELECT id, url, ${run} AS run FROM ${table} WHERE ${HAS_OTHER_SPELLING}`).all() as Row[];
      for (const row of rows) write(row, computeKey(String(row.url), options.get(row.run) ?? "{}"));
    };
    const site = sql.get("UPDATE site SET key = ?1 WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM site o WHERE o.key = ?1)");
    each("site", LATEST, ({ id }, { key }) => site.run(key, Number(id)));
    each("page", "run_id", ({ id }, { hash }) => rekeyPage(sql, Number(id), toInt64(hash)));
    const ledger = sql.get(`UPDATE decision SET hash = ?1, key = ?2 WHERE id = ?3
      AND NOT EXISTS (SELECT 1 FROM decision o WHERE o.run_id = decision.run_id AND o.hash = ?1 AND o.id <> ?3)`);
    each("decision", "run_id", ({ id, url }, { hash, key }) => ledger.run(toInt64(hash), key === url ? null : key, Number(id)));
    const link = sql.get("UPDATE link SET hash = ?1 WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM link o WHERE o.hash = ?1)");
    each("link", LATEST, ({ id }, { hash }) => link.run(toInt64(hash), Number(id)));
    sql.get("INSERT OR REPLACE INTO meta (key, value) VALUES ('key_version', ?)").run(version);
  });
}

/**
 * If another page has the new key, the two are one page now: this one keeps its old key, so that no run finds it, and is marked gone as a
 * duplicate.
 */
function rekeyPage(sql: Statements, id: number, hash: bigint): void {
  const { changes } = sql
    .get(
      "UPDATE page SET hash = ?1 WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM page o WHERE o.hash = ?1 AND o.site_id = page.site_id AND o.id <> ?2)",
    )
    .run(hash, id);
  if (changes === 1) return;
  const twin = "(SELECT other.id FROM page other WHERE other.hash = ?1 AND other.site_id = page.site_id)";
  sql.get(`UPDATE page SET is_gone = 1, duplicate_of = ${twin} WHERE id = ?2`).run(hash, id);
}
