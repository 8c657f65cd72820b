import { migrations } from "../sqlite/schema.ts";
import { translate, translateSchema } from "./dialect.ts";
import { functions } from "./functions.ts";
import type { SyncDatabase } from "./sync-database.ts";

/** Brings the database to today's version, in one transaction that excludes others who want the same. */
export function migrate(db: SyncDatabase): void {
  db.exec("BEGIN");
  try {
    db.ask("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)", []);
    const from = Number(db.ask("SELECT version FROM schema_version", []).rows[0]?.version ?? 0);
    if (from === 0) db.ask(functions, []);
    for (const migration of migrations.slice(from)) for (const statement of statementsIn(migration)) db.ask(statement, []);
    if (from === 0) db.ask(`INSERT INTO schema_version VALUES (${migrations.length})`, []);
    else db.ask(`UPDATE schema_version SET version = ${migrations.length}`, []);
    db.exec("COMMIT");
  } catch (cause) {
    db.exec("ROLLBACK");
    throw cause;
  }
}

/** Those that are for every database. */
function statementsIn(migration: string): string[] {
  return migration
    .replace(/CREATE TRIGGER[\s\S]*?END;/g, "")
    .split(/;\s*\n/)
    .map((statement) => statement.trim().replace(/;$/, ""))
    .filter((statement) => statement !== "" && !/CREATE VIRTUAL TABLE|INTO page_text/.test(statement))
    .map((statement) => (/^CREATE VIEW|^INSERT|^DROP/.test(statement) ? translate(statement).text : translateSchema(statement)));
}
