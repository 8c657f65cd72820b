import type { ReplayShelf } from "../replays.ts";
import type { Row, Statements } from "./rows.ts";

export const openReplays = (sql: Statements): ReplayShelf => ({
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
  keep: async (key, { asked, status, headers, body }, at, since) => {
    sql.get("DELETE FROM replayed WHERE at < ?").run(since);
    sql
      .get("INSERT OR REPLACE INTO replayed (key, asked, status, headers, body, at) VALUES (?, ?, ?, ?, ?, ?)")
      .run(key, asked, status, JSON.stringify(headers), body, at);
  },
});
