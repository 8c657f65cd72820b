import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { lastVersion } from "../bodies.ts";
import { inExclusiveTransaction, type Row, type Statements } from "../rows.ts";

/**
 * Removes old versions. Bodies are removed when the run has ended: another page may have the same body, and finding out takes a scan of
 * all versions.
 */
export class OldVersions {
  readonly #db: Database;
  readonly #sql: Statements;
  readonly #bodies = new Set<string>();

  constructor(db: Database, sql: Statements) {
    this.#db = db;
    this.#sql = sql;
  }

  /** Call within a transaction. */
  drop(pageId: number, newest: number, keep: number): void {
    if (newest <= keep) return;
    const pictures = `SELECT r.picture_hash FROM page_version v JOIN rendered_version r ON r.version_id = v.id
      WHERE v.page_id = ? AND v.number <= ? AND r.picture_hash IS NOT NULL`;
    for (const { picture_hash: hash } of this.#sql.get(pictures).all(pageId, newest - keep) as Row[]) this.#bodies.add(String(hash));
    const remove = "DELETE FROM page_version WHERE page_id = ? AND number <= ? RETURNING body_hash";
    for (const { body_hash: hash } of this.#sql.get(remove).all(pageId, newest - keep) as Row[])
      if (hash !== null) this.#bodies.add(String(hash));
  }

  /** If the process is killed before, `prune` removes them. */
  removeBodies(): void {
    if (this.#bodies.size === 0) return;
    const hashes = JSON.stringify([...this.#bodies]);
    this.#bodies.clear();
    const last = lastVersion(this.#sql);
    const unneeded = `SELECT value AS hash FROM json_each(?) WHERE value NOT IN (SELECT body_hash FROM page_version WHERE body_hash IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM exchange WHERE body_hash = value)
      AND value NOT IN (SELECT picture_hash FROM rendered_version WHERE picture_hash IS NOT NULL)`;
    const rows = this.#sql.get(unneeded).all(hashes) as Row[];
    // A page stored in the meantime may need one of these bodies.
    const remove = this.#sql.get(
      `DELETE FROM body WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM page_version WHERE id > ?2 AND body_hash = ?1)
        AND NOT EXISTS (SELECT 1 FROM exchange WHERE body_hash = ?1)
        AND NOT EXISTS (SELECT 1 FROM rendered_version WHERE picture_hash = ?1)`,
    );
    inExclusiveTransaction(this.#db, () => {
      const gone = rows.map(({ hash }) => String(hash)).filter((hash) => Number(remove.run(hash, last).changes) > 0);
      this.#sql.dialect.bodies?.remove(gone);
    });
  }
}
