import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { PageVerdict, ReadMetadata } from "../../core/records.ts";
import type { MetadataStore, PagesToFill, PageToFill } from "../metadata.ts";
import { inTransaction, metadataFrom, type Row, type Statements } from "./rows.ts";
import { indexPages } from "./search.ts";

const SAVE = `INSERT OR REPLACE INTO page_metadata (page_id, version_id, extractor, scraped_at, verdict) VALUES (?, ?, ?, ?, ?)`;
const SAVE_EVIDENCE = `INSERT OR REPLACE INTO page_evidence (page_id, preview, blocks, evidence) VALUES (?, ?, ?, ?)`;

/** Stores the metadata read with a version. Call within a transaction. */
export function saveReadMetadata(
  sql: Statements,
  { pageId, versionId }: { pageId: number; versionId: number },
  { extractor, verdict, preview, blocks, evidence }: ReadMetadata,
  at: number,
): void {
  sql.get(SAVE).run(pageId, versionId, extractor, at, verdict.value);
  sql.get(SAVE_EVIDENCE).run(pageId, preview, new Uint8Array(blocks.buffer, blocks.byteOffset, blocks.byteLength), evidence);
}

/** The condition on missing metadata is checked last, because most pages have it. */
const TO_FILL = `FROM page p LEFT JOIN page_metadata m ON m.page_id = p.id AND m.version_id = p.version_id CROSS JOIN page_version v ON v.id = p.version_id
  WHERE p.is_gone = 0 AND (:before IS NULL OR m.page_id IS NULL OR m.extractor < :before OR m.scraped_at IS NULL)
    AND (:sites IS NULL OR p.site_id IN (SELECT value FROM json_each(:sites))) AND (:pages IS NULL OR p.id IN (SELECT value FROM json_each(:pages)))
    AND v.type = 'html' AND (:any OR EXISTS (SELECT 1 FROM body WHERE hash = v.body_hash))`;

const SOME = `SELECT p.id, p.site_id, p.url, p.content_type, p.version_id, v.metadata, v.body_hash, m.extractor, m.page_id IS NOT NULL AND m.scraped_at IS NULL AS is_reset
  ${TO_FILL} AND p.id > :after ORDER BY p.id LIMIT :limit`;

const OLDEST = SOME.replace("ORDER BY p.id", "ORDER BY m.scraped_at NULLS FIRST, p.id");

const VERDICTS = `SELECT m.verdict, count(*) AS pages FROM page_metadata m CROSS JOIN page p ON p.id = m.page_id AND p.version_id = m.version_id
  WHERE m.verdict <> 'ok' AND (:run IS NULL OR p.run_id = :run) AND (:site IS NULL OR p.site_id = :site) AND p.is_gone = 0 GROUP BY m.verdict ORDER BY pages DESC, m.verdict`;

const given = ({ siteIds, pageIds, before, hasBody }: PagesToFill) => ({
  sites: siteIds ? JSON.stringify(siteIds) : null,
  pages: pageIds ? JSON.stringify(pageIds) : null,
  before: before ?? null,
  any: hasBody ? 0 : 1,
});

export function openMetadata(db: Database, sql: Statements): MetadataStore {
  return {
    pagesToFill: async (which, { after, limit }) =>
      sql
        .named(which.oldestFirst ? OLDEST : SOME)
        .all({ ...given(which), after, limit })
        .map(pageFrom),
    countPagesToFill: async (which) => Number(sql.named(`SELECT count(*) AS pages ${TO_FILL}`).get(given(which))!.pages),
    fill: async (pages, at) => {
      inTransaction(db, () => {
        for (const { pageId, versionId, metadata, read, words } of pages) {
          if (!sql.get("SELECT 1 FROM page WHERE id = ? AND version_id = ?").get(pageId, versionId)) continue;
          sql.get("UPDATE page_version SET metadata = ? WHERE id = ?").run(JSON.stringify(metadata), versionId);
          if (read) saveReadMetadata(sql, { pageId, versionId }, read, at);
          if (words) indexPages(sql, [{ pageId, versionId, words }]);
        }
      });
    },
    reset: async ({ siteId, pageIds }) => {
      const reset = `UPDATE page_metadata SET scraped_at = NULL WHERE page_id IN (SELECT id FROM page
        WHERE (:site IS NULL OR site_id = :site) AND (:pages IS NULL OR id IN (SELECT value FROM json_each(:pages))))`;
      return Number(sql.named(reset).run({ site: siteId ?? null, pages: pageIds ? JSON.stringify(pageIds) : null }).changes);
    },
    evidence: async (pageId) => {
      const select = `SELECT m.extractor, m.scraped_at, m.verdict, e.preview, e.evidence FROM page p
        JOIN page_metadata m ON m.page_id = p.id AND m.version_id = p.version_id JOIN page_evidence e ON e.page_id = p.id WHERE p.id = ?`;
      const row = sql.get(select).get(pageId) as Row | undefined;
      return (
        row && {
          extractor: Number(row.extractor),
          scrapedAt: row.scraped_at === null ? undefined : Number(row.scraped_at),
          verdict: row.verdict as PageVerdict,
          preview: String(row.preview),
          evidence: row.evidence as Uint8Array,
        }
      );
    },
    verdicts: async ({ siteId, runId }) => {
      const rows = sql.named(VERDICTS).all({ site: siteId ?? null, run: runId ?? null });
      return Object.fromEntries(rows.map(({ verdict, pages }) => [String(verdict), Number(pages)]));
    },
    async *blocks(siteId, limit) {
      const select = `SELECT p.url, e.blocks FROM page p JOIN page_metadata m ON m.page_id = p.id AND m.version_id = p.version_id
        JOIN page_evidence e ON e.page_id = p.id WHERE p.site_id = ? AND p.is_gone = 0 AND m.verdict = 'ok' ORDER BY p.id DESC LIMIT ?`;
      for (const row of sql.each(select, siteId, limit)) yield { url: String(row.url), blocks: numbersIn(row.blocks as Uint8Array) };
    },
    async *evidences(siteId, limit) {
      const select = `SELECT p.url, e.evidence FROM page p JOIN page_metadata m ON m.page_id = p.id AND m.version_id = p.version_id
        JOIN page_evidence e ON e.page_id = p.id WHERE p.site_id = ? AND p.is_gone = 0 AND m.verdict = 'ok' ORDER BY p.id DESC LIMIT ?`;
      for (const row of sql.each(select, siteId, limit)) yield { url: String(row.url), evidence: row.evidence as Uint8Array };
    },
    sourceMemories: async (siteIds) => {
      const select = `SELECT s.url, m.sources FROM source_memory m JOIN site s ON s.id = m.site_id WHERE m.site_id IN (SELECT value FROM json_each(?))`;
      const rows = sql.get(select).all(JSON.stringify(siteIds)) as Row[];
      return rows.map((row) => ({ siteUrl: String(row.url), sources: new Map(JSON.parse(String(row.sources)) as [string, number][]) }));
    },
    saveSourceMemory: async (siteId, sources, at) => {
      sql
        .get("INSERT OR REPLACE INTO source_memory (site_id, sources, learned_at) VALUES (?, ?, ?)")
        .run(siteId, JSON.stringify([...sources]), at);
    },
    boilerplate: async (siteId) => {
      const row = sql.get("SELECT blocks FROM boilerplate WHERE site_id = ?").get(siteId) as Row | undefined;
      return row && numbersIn(row.blocks as Uint8Array);
    },
    saveBoilerplate: async (siteId, blocks, at) => {
      const bytes = new Uint8Array(blocks.buffer, blocks.byteOffset, blocks.byteLength);
      sql.get("INSERT OR REPLACE INTO boilerplate (site_id, blocks, learned_at) VALUES (?, ?, ?)").run(siteId, bytes, at);
    },
  };
}

/** Copied, because bytes from the database may not be aligned to four bytes. */
const numbersIn = (bytes: Uint8Array) => new Uint32Array(Uint8Array.from(bytes).buffer);

const pageFrom = (row: Row): PageToFill => ({
  pageId: Number(row.id),
  siteId: Number(row.site_id),
  versionId: Number(row.version_id),
  url: String(row.url),
  contentType: row.content_type === null ? undefined : String(row.content_type),
  bodyHash: row.body_hash === null ? undefined : String(row.body_hash),
  metadata: metadataFrom(row.metadata),
  extractor: row.extractor === null ? undefined : Number(row.extractor),
  isReset: row.is_reset === 1,
});
