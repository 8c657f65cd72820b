import type { StoredBody } from "../../records.ts";
import type { Statements } from "./rows.ts";

/** Each body once, however many pages and answers have it. Answers whether it is here. */
export function keepBody(sql: Statements, { hash, size, coding, data }: StoredBody): boolean {
  if (sql.get("SELECT 1 FROM body WHERE hash = ?").get(hash)) return true;
  if (!data) return false;
  sql.get("INSERT INTO body (hash, size, coding, data) VALUES (?, ?, ?, ?)").run(hash, size, coding, data);
  return true;
}
