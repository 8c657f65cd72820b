import type { IdGenerator, NumberedTable } from "./dialect.ts";
import type { Row, Statements } from "./rows.ts";

const HIGHEST_IDS: Record<NumberedTable, string> = {
  run: "SELECT max(id) AS id FROM run",
  page: "SELECT max(id) AS id FROM page",
  page_version: "SELECT max(id) AS id FROM page_version",
};
const REMOVED = "SELECT value AS id FROM meta WHERE key = 'last_' || ?";

const idOf = (row: unknown): number => Number((row as Row | undefined)?.id ?? 0);

/** There is no other writer during a transaction, so row ids can be counted here. */
export function countedIds(): IdGenerator {
  /**
   * The highest removed ids, cached until another connection writes. They are in the same table as the memory of runs, which is long:
   * SQLite reads all of it when it passes it, which cost as much per transaction as writing a page.
   */
  const removed = new Map<NumberedTable, number>();
  let dataVersion: unknown;

  function highestRemoved(sql: Statements, table: NumberedTable): number {
    const { data_version: version } = sql.get("PRAGMA data_version").get() as Row;
    if (version !== dataVersion) removed.clear();
    dataVersion = version;
    const known = removed.get(table) ?? idOf(sql.get(REMOVED).get(table));
    removed.set(table, known);
    return known;
  }

  /** The highest id ever used. */
  const lastId = (sql: Statements, table: NumberedTable) => Math.max(idOf(sql.get(HIGHEST_IDS[table]).get()), highestRemoved(sql, table));

  return {
    start: (sql, table) => {
      let last = lastId(sql, table);
      return () => ++last;
    },
    rememberHighest: (sql, table) => {
      const last = lastId(sql, table);
      sql.get("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(`last_${table}`, last);
      removed.set(table, last);
    },
  };
}
