import type { Change } from "../../core/records.ts";
import type { ChangeRow, History } from "../history.ts";
import { type Row, type Statements, toInt64 } from "./rows.ts";

/** Muted pages are not reported. */
const IS_NOT_MUTED = "coalesce(pc.is_muted, 0) = 0";

/** Changes found by runs, including those of pages that were pruned. */
const ALL_CHANGES = `(SELECT c.run_id, c.page_id, c.status, c.at, c.detail, c.from_version, c.to_version, p.site_id, p.url, p.hash, p.content_type, p.version_id,
    NULL AS kept_title FROM change c JOIN page p ON p.id = c.page_id
  UNION ALL SELECT run_id, page_id, status, at, detail, NULL, NULL, site_id, url, hash, content_type, NULL, title FROM removed_change)`;

const CARD = "coalesce(c.kept_title, pc.metadata ->> '$.title') AS given_title, pc.note, pc.tags";
const OF_CARD = "LEFT JOIN page_card pc ON pc.page_id = c.page_id";

const CHANGES = `SELECT c.run_id, c.page_id, c.status, c.at, c.detail, ${CARD}, c.site_id, c.url, c.content_type, m.verdict,
    (c.hash >> 32) & 0xffffffff AS hi, c.hash & 0xffffffff AS lo
  FROM ${ALL_CHANGES} c LEFT JOIN page_metadata m ON m.page_id = c.page_id AND m.version_id = c.version_id ${OF_CARD}
  WHERE c.run_id > ? AND c.run_id <= ? AND c.site_id IN (SELECT value FROM json_each(?)) AND ${IS_NOT_MUTED} ORDER BY c.page_id, c.run_id`;

const LATEST = `SELECT c.run_id, c.page_id, c.status, c.at, c.detail, ${CARD}, c.from_version, c.to_version, r.uid AS run_uid, c.site_id, c.url, c.content_type,
    m.verdict, v.noindex, (c.hash >> 32) & 0xffffffff AS hi, c.hash & 0xffffffff AS lo
  FROM ${ALL_CHANGES} c JOIN run r ON r.id = c.run_id LEFT JOIN page_version v ON v.id = c.version_id
    LEFT JOIN page_metadata m ON m.page_id = c.page_id AND m.version_id = c.version_id ${OF_CARD}
  WHERE (:run IS NULL OR c.run_id = :run) AND (:site IS NULL OR c.site_id = :site) AND (:since IS NULL OR c.at >= :since) AND ${IS_NOT_MUTED}
  ORDER BY c.at DESC, c.run_id DESC, c.page_id`;

const MATCHES = `SELECT w.word, coalesce(lk.said, lk.match) AS match FROM link l JOIN link_keyword lk ON lk.link_id = l.id AND lk.site_id = ?
  JOIN word w ON w.id = lk.word_id WHERE l.hash = ? AND coalesce(lk.said, lk.match) > 0`;

export function openHistory(sql: Statements): History {
  return {
    async *changes(siteIds, { after, until }) {
      for (const row of sql.each(CHANGES, after, until, JSON.stringify(siteIds))) yield changeFrom(row);
    },
    async *latest({ siteId, runId, since }) {
      const given = { site: siteId ?? null, run: runId ?? null, since: since ?? null };
      for (const row of sql.each(LATEST, given)) {
        yield {
          ...changeFrom(row),
          runUid: String(row.run_uid),
          fromVersion: row.from_version as number | null,
          toVersion: row.to_version as number | null,
          noindex: row.noindex === 1,
        };
      }
    },
    lastChange: async (pageId, until) => {
      const select = `SELECT run_id, status FROM (
          SELECT c.run_id, c.status FROM run_site rs JOIN page p ON p.id = ?1 AND p.site_id = rs.site_id
            JOIN change c ON c.run_id = rs.run_id AND c.page_id = ?1 WHERE rs.run_id <= ?2
          UNION ALL SELECT c.run_id, c.status FROM run_site rs JOIN removed_change c ON c.run_id = rs.run_id AND c.page_id = ?1 WHERE rs.run_id <= ?2)
        ORDER BY run_id DESC LIMIT 1`;
      return (sql.get(select).get(pageId, until) as Row | undefined)?.status as Change | undefined;
    },
    wasUnlinked: async (pageId, until) => {
      const select = `SELECT c.status FROM run_site rs JOIN page p ON p.id = ?1 AND p.site_id = rs.site_id
        JOIN run r ON r.id = rs.run_id AND r.kind = 'crawl' LEFT JOIN change c ON c.run_id = rs.run_id AND c.page_id = ?1
        WHERE rs.run_id <= ?2 AND coalesce(c.status, r.status) IN ('finished', 'new', 'changed', 'gone', 'unlinked') ORDER BY rs.run_id DESC LIMIT 1`;
      return (sql.get(select).get(pageId, until) as Row | undefined)?.status === "unlinked";
    },
    links: async (versionId) => {
      const row = sql.get("SELECT links FROM page_version WHERE id = ?").get(versionId) as Row | undefined;
      return (row?.links as Uint8Array | null) ?? undefined;
    },
    async *linkIndexes(siteIds) {
      const select = `SELECT p.id, v.link_index FROM page p JOIN page_version v ON v.id = p.version_id
        WHERE p.site_id = ? AND p.is_gone = 0 AND v.link_index IS NOT NULL`;
      for (const siteId of siteIds) {
        for (const row of sql.each(select, siteId)) {
          yield { pageId: Number(row.id), index: row.link_index as Uint8Array };
        }
      }
    },
    matches: async (siteId, hash) =>
      (sql.get(MATCHES).all(siteId, toInt64(hash)) as Row[]).map(({ word, match }) => ({ word: String(word), match: Number(match) })),
  };
}

const changeFrom = (row: Row): ChangeRow => ({
  runId: Number(row.run_id),
  pageId: Number(row.page_id),
  siteId: Number(row.site_id),
  url: String(row.url),
  hash: { hi: Number(row.hi), lo: Number(row.lo) },
  contentType: row.content_type as string | null,
  verdict: row.verdict as ChangeRow["verdict"],
  change: row.status as Change,
  at: Number(row.at),
  detail: String(row.detail),
  title: (row.given_title as string | null) ?? undefined,
  note: String(row.note ?? ""),
  tags: JSON.parse(String(row.tags ?? "[]")),
});
