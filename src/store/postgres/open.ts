import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { storeOn } from "../sqlite/open.ts";
import type { Store } from "../store.ts";
import { migrate } from "./migrate.ts";
import { SyncDatabase } from "./sync-database.ts";

export function openPostgres(url: string, wall: () => number = () => Date.now()): Store {
  const sync = new SyncDatabase(url);
  migrate(sync);
  // It has what the store uses of the driver's.
  const db = sync as unknown as Database;
  // What is damaged there is found and mended by PostgreSQL's own tools.
  return { ...storeOn({ db, path: url, upgraded: undefined, wall }), check: async () => "ok" };
}
