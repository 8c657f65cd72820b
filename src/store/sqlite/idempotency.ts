import type { IdempotencyStore } from "../idempotency.ts";
import type { Row, Statements } from "./rows.ts";

export const openIdempotency = (sql: Statements): IdempotencyStore => ({
  find: async (key, since) => {
    const row = sql.get("SELECT asked, status, headers, body FROM replayed WHERE key = ? AND at >= ?").get(key, since) as Row | undefined;
    return (
      row && {
        asked: String(row.asked),
        status: Number(row.status),
        headers: JSON.parse(String(row.headers)) as Record<string, string>,
        body: row.body as string | null,
      }
    );
  },
  save: async (key, { asked, status, headers, body }, at, since) => {
    sql.get("DELETE FROM replayed WHERE at < ?").run(since);
    sql
      .get("INSERT OR REPLACE INTO replayed (key, asked, status, headers, body, at) VALUES (?, ?, ?, ?, ?, ?)")
      .run(key, asked, status, JSON.stringify(headers), body, at);
  },
});
