import type { BodyStore } from "../sqlite/bodies.ts";
import type { Dialect } from "../sqlite/dialect.ts";
import type { SyncDatabase } from "./sync/sync-database.ts";
import { postgresTextIndex } from "./words.ts";

/** PostgreSQL's dialect for several writers: ids come from sequences, and a transaction locks the counts that others may change. */
export const postgresDialect = (db: SyncDatabase, bodies: BodyStore): Dialect => ({
  words: postgresTextIndex,
  bodies,
  ids: {
    start: (sql, table) => () => Number((sql.get(`SELECT nextval('${table}_id_seq') AS next`).get() as { next: number }).next),
    // A sequence never repeats an id.
    rememberHighest: () => undefined,
  },
  holdSite: (siteId) => db.lockSite(siteId),
});
