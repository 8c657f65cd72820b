import type { Row, Statements } from "./rows.ts";

/** The numbers of words, which are given to new ones. */
export function wordIds(sql: Statements, words: readonly string[]): number[] {
  const find = sql.get("SELECT id FROM word WHERE word = ?");
  // Another process may be the first to add it.
  const add = sql.get("INSERT INTO word (word) VALUES (?) ON CONFLICT DO NOTHING RETURNING id");
  return words.map((word) => Number(((find.get(word) ?? add.get(word) ?? find.get(word)) as Row).id));
}
