import type { BodyShelf } from "../sqlite/bodies.ts";
import type { Ways } from "../sqlite/ways.ts";
import type { SyncDatabase } from "./sync-database.ts";
import { postgresWords } from "./words.ts";

/** PostgreSQL's dialect for several writers: ids come from sequences, and a transaction locks the counts that others may change. */
export const postgresWays = (db: SyncDatabase, bodies: BodyShelf): Ways => ({
  words: postgresWords,
  bodies,
  numbers: {
    begin: (sql, table) => () => Number((sql.get(`SELECT nextval('${table}_id_seq') AS next`).get() as { next: number }).next),
    // A sequence never repeats an id.
    remember: () => undefined,
  },
  holdSite: (siteId) => db.holdSite(siteId),
});
