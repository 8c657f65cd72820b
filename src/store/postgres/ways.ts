import type { BodyShelf } from "../sqlite/bodies.ts";
import type { Ways } from "../sqlite/ways.ts";
import type { SyncDatabase } from "./sync-database.ts";
import { postgresWords } from "./words.ts";

/** Many write at once: numbers are the database's to give, and whoever counts what others may count holds what it counts. */
export const postgresWays = (db: SyncDatabase, bodies: BodyShelf): Ways => ({
  words: postgresWords,
  bodies,
  numbers: {
    begin: (sql, table) => () => Number((sql.get(`SELECT nextval('${table}_id_seq') AS next`).get() as { next: number }).next),
    // A sequence gives no number twice.
    remember: () => undefined,
  },
  holdSite: (siteId) => db.holdSite(siteId),
});
