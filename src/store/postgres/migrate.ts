import { migrations } from "../sqlite/schema.ts";
import { StorageError } from "../store.ts";
import { translate, translateSchema } from "./dialect.ts";
import { functions } from "./functions.ts";
import { hostKeys } from "./host-keys.ts";
import { ownParts } from "./own-parts.ts";
import type { SyncDatabase } from "./sync-database.ts";
import { POSTGRES_VERSION } from "./version.ts";

/** The oldest PostgreSQL whose words we use. */
const OLDEST = 140_000;

/** Nothing is migrated where somebody only looks. */
export function refuseForeign(db: SyncDatabase): void {
  const { number, name } = db.ask("SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name")
    .rows[0]!;
  if (Number(number) < OLDEST) {
    throw new StorageError(`${db.place} is PostgreSQL ${name}, which is too old`, "use PostgreSQL 14 or later");
  }
  const version = versionOf(db);
  if (version > POSTGRES_VERSION) {
    throw new StorageError(
      `${db.place} was written by a newer nuthatch (schema ${version}, this one knows ${POSTGRES_VERSION})`,
      "update nuthatch, or choose another database with --db; nothing was changed",
    );
  }
  if (!db.isReadOnly || version === POSTGRES_VERSION) return;
  const what =
    version === 0 ? "holds nothing of nuthatch yet" : `is of an earlier nuthatch (schema ${version}, this one writes ${POSTGRES_VERSION})`;
  throw new StorageError(`${db.place} ${what}`, "run nuthatch db migrate with the same --db");
}

/** Read from the catalogue itself: a name that was looked up and not found stays unfound in a connection for a while. */
const TABLES =
  "SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname IN ('schema_version', 'page', 'run', 'site')";

const tablesIn = (db: SyncDatabase): string[] => db.ask(TABLES).rows.map(({ name }) => String(name));

/** 0 where there is nothing of ours. */
export function versionOf(db: SyncDatabase): number {
  if (!tablesIn(db).includes("schema_version")) return 0;
  return Number(db.ask("SELECT version FROM schema_version").rows[0]?.version ?? 0);
}

/** Brings the database to today's version, in one transaction that excludes others who want the same. Answers the version it had. */
export function migrate(db: SyncDatabase): number {
  const before = versionOf(db);
  if (before === POSTGRES_VERSION) return before;
  db.exec("BEGIN EXCLUSIVE");
  try {
    const from = versionOf(db); // somebody else may have been first
    refuseOthers(db, from);
    if (from !== POSTGRES_VERSION) for (const statement of statementsBetween(from, POSTGRES_VERSION)) db.ask(statement);
    db.exec("COMMIT");
    return from;
  } catch (cause) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw cause;
  }
}

/** A database that another program uses stays as it is. */
function refuseOthers(db: SyncDatabase, version: number): void {
  if (version > 0 || tablesIn(db).length === 0) return;
  const hint = "create one for nuthatch alone: createdb <name>; nothing was changed";
  throw new StorageError(`${db.place} is a database of another program`, hint);
}

/** Of a database that has a version, to bring it to another. */
export function statementsBetween(from: number, to: number): string[] {
  const steps = migrations.map((migration, index) => [...statementsIn(migration), ...(ownParts[index + 1] ?? [])]);
  steps.splice(7, 0, [...hostKeys]);
  const first =
    from === 0 ? ["CREATE TABLE schema_version (version BIGINT NOT NULL)", "INSERT INTO schema_version VALUES (0)", functions] : [];
  return [...first, ...steps.slice(from, to).flat(), `UPDATE schema_version SET version = ${to}`];
}

/** Those that are for every database. */
function statementsIn(migration: string): string[] {
  return migration
    .replace(/CREATE TRIGGER[\s\S]*?END;/g, "")
    .split(/;\s*\n/)
    .map((statement) => statement.trim().replace(/;$/, ""))
    .filter((statement) => statement !== "" && !/CREATE VIRTUAL TABLE|INTO page_text/.test(statement))
    .map((statement) => (/^CREATE VIEW|^INSERT|^DROP|^UPDATE/.test(statement) ? translate(statement).text : translateSchema(statement)));
}
