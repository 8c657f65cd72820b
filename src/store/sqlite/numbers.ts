import type { Row, Statements } from "./rows.ts";
import type { Numbered, Numbering } from "./ways.ts";

const LAST = (table: Numbered) =>
  `SELECT max(coalesce((SELECT max(id) FROM ${table}), 0), coalesce((SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'last_${table}'), 0)) AS last`;

/** The highest number ever given. */
const lastNumber = (sql: Statements, table: Numbered): number => Number((sql.get(LAST(table)).get() as Row).last);

/** Nobody else writes meanwhile, so that rows can be numbered here. */
export const countedNumbers: Numbering = {
  begin: (sql, table) => {
    let last = lastNumber(sql, table);
    return () => ++last;
  },
  remember: (sql, table) =>
    void sql.get("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(`last_${table}`, lastNumber(sql, table)),
};
