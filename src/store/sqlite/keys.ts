import type { ApiKey, KeyScope, KeyStore } from "../keys.ts";
import type { Row, Statements } from "./rows.ts";

const COLUMNS = "id, name, scope, made_at, used_at";

export const openKeys = (sql: Statements): KeyStore => ({
  add: async ({ name, hash, scope, at }) =>
    keyFrom(
      sql
        .get(`INSERT INTO api_key (name, hash, scope, made_at) VALUES (?, ?, ?, ?) RETURNING ${COLUMNS}`)
        .get(name, hash, scope, at) as Row,
    ),
  list: async () => (sql.get(`SELECT ${COLUMNS} FROM api_key ORDER BY id`).all() as Row[]).map(keyFrom),
  find: async (hash) => {
    const row = sql.get(`SELECT ${COLUMNS} FROM api_key WHERE hash = ?`).get(hash) as Row | undefined;
    return row && keyFrom(row);
  },
  markUsed: async (id, at) => void sql.get("UPDATE api_key SET used_at = ? WHERE id = ?").run(at, id),
  remove: async (id) => sql.get("DELETE FROM api_key WHERE id = ?").run(id).changes === 1,
});

const keyFrom = (row: Row): ApiKey => ({
  id: Number(row.id),
  name: String(row.name),
  scope: row.scope as KeyScope,
  madeAt: Number(row.made_at),
  usedAt: row.used_at === null ? undefined : Number(row.used_at),
});
