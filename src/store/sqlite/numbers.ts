import type { Row, Statements } from "./rows.ts";
import type { Numbered, Numbering } from "./ways.ts";

const HIGHEST: Record<Numbered, string> = {
  run: "SELECT max(id) AS id FROM run",
  page: "SELECT max(id) AS id FROM page",
  page_version: "SELECT max(id) AS id FROM page_version",
};
const REMOVED = "SELECT value AS id FROM meta WHERE key = 'last_' || ?";

const idOf = (row: unknown): number => Number((row as Row | undefined)?.id ?? 0);

/** Nobody else writes meanwhile, so that rows can be numbered here. */
export function countedNumbers(): Numbering {
  /**
   * The highest of those that were removed, until another connection has written. What a run remembers lies in the same table and is long: SQLite
   * reads all of it whenever it comes across it, which at every transaction cost as much as writing a page.
   */
  const removed = new Map<Numbered, number>();
  let seenAt: unknown;

  function highestRemoved(sql: Statements, table: Numbered): number {
    const { data_version: version } = sql.get("PRAGMA data_version").get() as Row;
    if (version !== seenAt) removed.clear();
    seenAt = version;
    const known = removed.get(table) ?? idOf(sql.get(REMOVED).get(table));
    removed.set(table, known);
    return known;
  }

  /** The highest number ever given. */
  const lastNumber = (sql: Statements, table: Numbered) => Math.max(idOf(sql.get(HIGHEST[table]).get()), highestRemoved(sql, table));

  return {
    begin: (sql, table) => {
      let last = lastNumber(sql, table);
      return () => ++last;
    },
    remember: (sql, table) => {
      const last = lastNumber(sql, table);
      sql.get("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(`last_${table}`, last);
      removed.set(table, last);
    },
  };
}
