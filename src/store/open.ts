import { existsSync } from "node:fs";
import { isPostgres } from "./address.ts";
import type { PostgresFindings } from "./postgres/inspect.ts";
import { openSqlite } from "./sqlite/open.ts";
import { isUnwritable } from "./sqlite/open-file.ts";
import type { Store } from "./store.ts";

/** Opens what is named: a file, `:memory:`, or a database of PostgreSQL's, whose client is loaded for those who name one. */
export async function openStore(db: string, wall?: () => number, isReadOnly?: boolean): Promise<Store> {
  if (!isPostgres(db)) return openSqlite(db, wall, isReadOnly);
  // Its own clock holds for all who share it, whatever ours says.
  return (await import("./postgres/open.ts")).openPostgres(db, undefined, isReadOnly);
}

/** Whether it can only be looked at: a data file where nothing can be written. */
export const isOnlyReadable = (db: string): boolean => !isPostgres(db) && isUnwritable(db);

/** Whether there is a data file of that name, or something of ours in that database. Nothing is made. */
export async function holdsData(db: string): Promise<boolean> {
  if (!isPostgres(db)) return existsSync(db);
  return (await inspectPostgres(db)).version > 0;
}

/** What can be said of a database without changing it. */
export const inspectPostgres = async (db: string): Promise<PostgresFindings> => (await import("./postgres/inspect.ts")).inspect(db);
