import type { Row, Statements } from "./rows.ts";

export type Numbered = "run" | "page" | "page_version";

const LAST = (table: Numbered) =>
  `SELECT max(coalesce((SELECT max(id) FROM ${table}), 0), coalesce((SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'last_${table}'), 0)) AS last`;

/** The highest number ever given. What was removed may still be named somewhere, so its number is not given again. */
export const lastNumber = (sql: Statements, table: Numbered): number => Number((sql.get(LAST(table)).get() as Row).last);

/** Called in the transaction that removes rows. */
export function rememberLast(sql: Statements, table: Numbered): void {
  sql.get("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(`last_${table}`, lastNumber(sql, table));
}
