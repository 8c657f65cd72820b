import type { Row, Statements } from "./rows.ts";

/** The ids of the words; new words are inserted. */
export function wordIds(sql: Statements, words: readonly string[]): number[] {
  const find = sql.get("SELECT id FROM word WHERE word = ?");
  // Another process may insert it first.
  const add = sql.get("INSERT INTO word (word) VALUES (?) ON CONFLICT DO NOTHING RETURNING id");
  return words.map((word) => Number(((find.get(word) ?? add.get(word) ?? find.get(word)) as Row).id));
}
