import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { storeOn } from "../sqlite/open.ts";
import type { Store } from "../store.ts";
import { postgresCare } from "./care.ts";
import { migrate, refuseForeign } from "./migrate.ts";
import { SyncDatabase } from "./sync-database.ts";
import { postgresWays } from "./ways.ts";

/** Opens a database of PostgreSQL's, bringing it to today's version, unless it is only to be read. */
export function openPostgres(url: string, wall: () => number = () => Date.now(), isReadOnly = false): Store {
  const sync = new SyncDatabase(url, isReadOnly);
  try {
    refuseForeign(sync);
    if (!isReadOnly) migrate(sync);
    // It has what the store uses of the driver's.
    const db = sync as unknown as Database;
    const store = storeOn({ db, path: sync.place, upgraded: undefined, wall, ways: postgresWays(sync) });
    return { ...store, care: { ...store.care, ...postgresCare(sync) }, check: async () => "ok" };
  } catch (cause) {
    sync.close();
    throw cause;
  }
}
