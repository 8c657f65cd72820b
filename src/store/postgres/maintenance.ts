import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { MaintenanceStore } from "../maintenance.ts";
import { contradictions } from "../sqlite/problems.ts";
import { StorageError } from "../store.ts";
import type { BodyFiles } from "./body-files.ts";
import { TABLES_OF_PAGES } from "./host-keys.ts";
import type { SyncDatabase } from "./sync/sync-database.ts";

const SIZE =
  "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace";

/** Rows without their parent: these tables have no foreign keys in PostgreSQL. */
function orphans(db: SyncDatabase): string[] {
  const orphansIn = (table: string, key: string, owner: string, what: string) => {
    const rows = `SELECT count(*) AS count FROM ${table} t WHERE ${key} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${owner} WHERE id = t.${key})`;
    const count = Number(db.query(rows).rows[0]!.count);
    return count > 0 ? [`${count} rows of ${table} name a ${what} that is not there`] : [];
  };
  return [
    ...TABLES_OF_PAGES.flatMap((table) => orphansIn(table, "page_id", "page", "page")),
    ...orphansIn("rendered_version", "version_id", "page_version", "version"),
    ...orphansIn("link_source", "link_id", "link", "link"),
  ];
}

/** Damage and free space are left to PostgreSQL's own tools and to autovacuum. */
export function postgresMaintenance(
  db: SyncDatabase,
  bodies: BodyFiles,
): Pick<MaintenanceStore, "problems" | "size" | "vacuum" | "backup"> {
  return {
    problems: async () => {
      db.exec("BEGIN");
      try {
        return [...orphans(db), ...contradictions(db as unknown as Database), ...bodies.problems()];
      } finally {
        db.exec("COMMIT");
      }
    },
    size: async () => ({ bytes: Number(db.query(SIZE).rows[0]!.bytes), free: 0 }),
    vacuum: async () => {
      throw new StorageError(
        `${db.address} is no file: PostgreSQL gives room back by itself`,
        "to have it given back at once, run vacuumdb --full",
      );
    },
    backup: async () => {
      throw new StorageError(`${db.address} is no file that could be copied`, "make a backup with pg_dump");
    },
  };
}
