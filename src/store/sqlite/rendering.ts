import type { RenderedBy, RenderingStore } from "../rendering.ts";
import { saveBody } from "./bodies.ts";
import type { Row, Statements } from "./rows.ts";

const SAVE = `INSERT INTO rendered_version (version_id, engine) VALUES (?1, ?2) ON CONFLICT (version_id) DO UPDATE SET engine = ?2`;

/** The first screenshot is kept as long as its version, because an unchanged page looks the same. */
const SAVE_SCREENSHOT = `UPDATE rendered_version SET picture_hash = :hash, picture_type = :type, width = :width, height = :height
  WHERE version_id = :id AND picture_hash IS NULL`;

/** Call within a transaction. */
export function saveRendered(sql: Statements, versionId: number, { engine, picture }: RenderedBy): void {
  sql.get(SAVE).run(versionId, engine);
  if (!picture) return;
  const { body, type, width, height } = picture;
  const { changes } = sql.named(SAVE_SCREENSHOT).run({ id: versionId, hash: body.hash, type, width, height });
  if (changes === 1) saveBody(sql, body);
}

const SCREENSHOT = `SELECT r.*, v.number FROM rendered_version r JOIN page_version v ON v.id = r.version_id JOIN page p ON p.id = v.page_id
  WHERE p.id = ?1 AND iif(?2 IS NULL, v.id = p.version_id, v.number = ?2) AND r.picture_hash IS NOT NULL`;

export function openRendering(sql: Statements, wall: () => number): RenderingStore {
  return {
    hostEngine: async (host) => {
      const row = sql.get("SELECT engine, is_walled FROM host_engine WHERE host = ?").get(host) as Row | undefined;
      return row && { engine: String(row.engine), isWalled: row.is_walled === 1 };
    },
    saveHostEngine: async (host, { engine, isWalled }) => {
      const save = "INSERT OR REPLACE INTO host_engine (host, engine, is_walled, changed_at) VALUES (?, ?, ?, ?)";
      sql.get(save).run(host, engine, isWalled ? 1 : 0, wall());
    },
    gain: async (siteId, template) => {
      const select = "SELECT shown, gained FROM template_gain WHERE site_id = ? AND template = ?";
      const row = sql.get(select).get(siteId, template) as Row | undefined;
      return row && { shown: Number(row.shown), gained: Number(row.gained) };
    },
    saveGain: async (siteId, template, { shown, gained }) => {
      const save = "INSERT OR REPLACE INTO template_gain (site_id, template, shown, gained) VALUES (?, ?, ?, ?)";
      sql.get(save).run(siteId, template, shown, gained);
    },
    picture: async (pageId, version) => {
      const row = sql.get(SCREENSHOT).get(pageId, version ?? null) as Row | undefined;
      return (
        row && {
          version: Number(row.number),
          engine: String(row.engine),
          bodyHash: String(row.picture_hash),
          type: String(row.picture_type),
          width: Number(row.width),
          height: Number(row.height),
        }
      );
    },
  };
}
