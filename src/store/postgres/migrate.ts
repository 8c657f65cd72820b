import { migrations, SCHEMA_VERSION } from "../sqlite/schema/schema.ts";
import { StorageError } from "../store.ts";
import { functions } from "./functions.ts";
import { postgresParts } from "./postgres-parts.ts";
import { STEPS_BEFORE_COUNT, sharedTables } from "./shared-tables.ts";
import type { SyncDatabase } from "./sync/sync-database.ts";
import { translate, translateSchema } from "./translate-sql.ts";

/** The oldest PostgreSQL version that supports the syntax we use. */
const MIN_SERVER_VERSION = 140_000;

/** A read-only process does not migrate; it refuses a database of another version. */
export function refuseForeign(db: SyncDatabase): void {
  const { number, name } = db.query(
    "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name",
  ).rows[0]!;
  if (Number(number) < MIN_SERVER_VERSION) {
    throw new StorageError(`${db.address} is PostgreSQL ${name}, which is too old`, "use PostgreSQL 14 or later");
  }
  const version = versionOf(db);
  if (version > SCHEMA_VERSION) {
    throw new StorageError(
      `${db.address} was written by a newer nuthatch (schema ${version}, this one knows ${SCHEMA_VERSION})`,
      "update nuthatch, or choose another database with --db; nothing was changed",
    );
  }
  if (!db.isReadOnly || version === SCHEMA_VERSION) return;
  const what =
    version === 0 ? "holds nothing of nuthatch yet" : `is of an earlier nuthatch (schema ${version}, this one writes ${SCHEMA_VERSION})`;
  throw new StorageError(`${db.address} ${what}`, "run nuthatch db migrate with the same --db");
}

/** Read from the catalogue: a connection caches a failed name lookup for a while. */
const TABLES =
  "SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname IN ('schema_version', 'page', 'run', 'site')";

const tablesIn = (db: SyncDatabase): string[] => db.query(TABLES).rows.map(({ name }) => String(name));

/** 0 if the database has no schema of ours. */
export function versionOf(db: SyncDatabase): number {
  if (!tablesIn(db).includes("schema_version")) return 0;
  return Number(db.query("SELECT version FROM schema_version").rows[0]?.version ?? 0);
}

/** How many steps of `shared-tables.ts` were applied. Databases made before the steps were counted have a known number. */
function sharedStepsIn(db: SyncDatabase): number {
  return Number(db.query("SELECT to_jsonb(v) ->> 'shared' AS steps FROM schema_version v").rows[0]!.steps ?? STEPS_BEFORE_COUNT);
}

const isCurrent = (db: SyncDatabase, version: number): boolean => version === SCHEMA_VERSION && sharedStepsIn(db) >= sharedTables.length;

/** Migrates to the current version in one transaction, under an exclusive lock. Returns the version before. */
export function migrate(db: SyncDatabase): number {
  const before = versionOf(db);
  if (isCurrent(db, before)) return before;
  db.exec("BEGIN EXCLUSIVE");
  try {
    const from = versionOf(db); // another process may have migrated first
    refuseOthers(db, from);
    const steps = from === 0 ? 0 : sharedStepsIn(db);
    for (const statement of isCurrent(db, from) ? [] : statementsFrom(from, steps)) db.query(statement);
    db.exec("COMMIT");
    return from;
  } catch (cause) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw cause;
  }
}

/** Refuses a database that another program uses. */
function refuseOthers(db: SyncDatabase, version: number): void {
  if (version > 0 || tablesIn(db).length === 0) return;
  const hint = "create one for nuthatch alone: createdb <name>; nothing was changed";
  throw new StorageError(`${db.address} is a database of another program`, hint);
}

/** Statements from a schema version and a number of shared steps to the current version, or up to `steps`. */
export function statementsFrom(version: number, sharedSteps: number, steps = sharedTables.length): string[] {
  const changes = migrations
    .slice(version)
    .flatMap((migration, index) => [...statementsIn(migration), postgresParts[version + index + 1] ?? ""]);
  const first =
    version === 0 ? ["CREATE TABLE schema_version (version BIGINT NOT NULL)", "INSERT INTO schema_version VALUES (0)", functions] : [];
  const last = [
    "ALTER TABLE schema_version ADD COLUMN IF NOT EXISTS shared BIGINT",
    `UPDATE schema_version SET version = ${SCHEMA_VERSION}, shared = ${steps}`,
  ];
  return [...first, ...changes.filter((change) => change !== ""), ...sharedTables.slice(sharedSteps, steps), ...last];
}

/** The statements of a migration that apply to every database. */
function statementsIn(migration: string): string[] {
  return migration
    .replace(/CREATE TRIGGER[\s\S]*?END;/g, "")
    .split(/;\s*\n/)
    .map((statement) => statement.trim().replace(/;$/, ""))
    .filter((statement) => statement !== "" && !/CREATE VIRTUAL TABLE|INTO page_text/.test(statement))
    .map((statement) => (/^CREATE VIEW|^INSERT|^DROP|^UPDATE/.test(statement) ? translate(statement).text : translateSchema(statement)));
}
