import { existsSync } from "node:fs";
import { isPostgres } from "./address.ts";
import type { PostgresFindings } from "./postgres/inspect.ts";
import { isUnwritable } from "./sqlite/files/open-file.ts";
import { openSqlite } from "./sqlite/open.ts";
import type { Store } from "./store.ts";

/** Opens a file, `:memory:`, or a PostgreSQL database; its client is loaded only then. */
export async function openStore(db: string, wall?: () => number, isReadOnly?: boolean): Promise<Store> {
  if (!isPostgres(db)) return openSqlite(db, wall, isReadOnly);
  // The database's clock is used by all processes, so `wall` is not passed.
  return (await import("./postgres/open.ts")).openPostgres(db, undefined, isReadOnly);
}

/** True for a data file that cannot be written. */
export const isReadOnlyFile = (db: string): boolean => !isPostgres(db) && isUnwritable(db);

/** Whether the data file exists, or the database has our schema. Creates nothing. */
export async function hasData(db: string): Promise<boolean> {
  if (!isPostgres(db)) return existsSync(db);
  return (await inspectPostgres(db)).version > 0;
}

/** Findings about a database, read without changing it. */
export const inspectPostgres = async (db: string): Promise<PostgresFindings> => (await import("./postgres/inspect.ts")).inspect(db);
