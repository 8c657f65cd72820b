import type { ContextInfo, ContextStore, StoredContext } from "../contexts.ts";
import { type Row, type Statements, uuidv7 } from "./rows.ts";

const INFO_COLUMNS = "id, uid, site_id, url, options, made_at";
const SAVE = `INSERT INTO context (uid, site_id, url, options, pack, made_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (url, options) DO UPDATE SET site_id = excluded.site_id, pack = excluded.pack, made_at = excluded.made_at RETURNING ${INFO_COLUMNS}`;

export function openContexts(sql: Statements): ContextStore {
  return {
    save: async ({ siteId, url, options, pack, madeAt }) =>
      infoFrom(sql.get(SAVE).get(uuidv7(madeAt), siteId, url, options, pack, madeAt) as Row),
    find: async (url, options) => contextFrom(sql.get("SELECT * FROM context WHERE url = ? AND options = ?").get(url, options)),
    get: async (id) => contextFrom(sql.get("SELECT * FROM context WHERE id = ?").get(id)),
    list: async () => (sql.get(`SELECT ${INFO_COLUMNS} FROM context ORDER BY made_at DESC, id DESC`).all() as Row[]).map(infoFrom),
    remove: async (id) => Number(sql.get("DELETE FROM context WHERE id = ?").run(id).changes) > 0,
  };
}

const infoFrom = (row: Row): ContextInfo => ({
  id: Number(row.id),
  uid: String(row.uid),
  siteId: Number(row.site_id),
  url: String(row.url),
  options: String(row.options),
  madeAt: Number(row.made_at),
});

const contextFrom = (row: unknown): StoredContext | undefined =>
  row === undefined ? undefined : { ...infoFrom(row as Row), pack: (row as Row).pack as Uint8Array };
