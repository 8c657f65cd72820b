import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { type Query, type Term, words } from "../../analysis/search/index.ts";
import type { FoundPage, IndexedPage, PageToIndex, SearchRequest, SearchStore } from "../search.ts";
import type { TextIndex } from "./dialect.ts";
import { inTransaction, overridesFrom, PAGE_COLUMNS, PAGE_TABLES, pageFrom, type Row, type Statements } from "./rows.ts";

const FILTER = `p.is_gone = 0 AND s.version_id = p.version_id AND (:site IS NULL OR p.site_id = :site)
  AND (:since IS NULL OR v.fetched_at >= :since) AND (:until IS NULL OR v.fetched_at < :until)
  AND (:lang IS NULL OR lower(coalesce((SELECT pc.metadata ->> '$.lang' FROM page_card pc WHERE pc.page_id = p.id), v.metadata ->> '$.lang.value', v.metadata ->> '$.language.value') || '-') GLOB :lang)
  AND (:topic IS NULL OR EXISTS (SELECT 1 FROM json_each(v.metadata, '$.topics.value') t WHERE lower(t.value ->> '$.name') = :topic
    OR EXISTS (SELECT 1 FROM json_each(t.value, '$.parents') WHERE lower(value) = :topic)))
  AND (:everything OR (v.noindex = 0 AND coalesce(m.verdict, 'ok') = 'ok'
    AND NOT EXISTS (SELECT 1 FROM page o JOIN page_version w ON w.id = o.version_id WHERE o.id = p.duplicate_of AND o.is_gone = 0 AND w.text_hash = v.text_hash)))`;

/** CROSS JOIN makes SQLite start from the words and not from the pages. */
const FOUND = `FROM page_text f CROSS JOIN page_search s ON s.page_id = f.rowid CROSS JOIN page p ON p.id = f.rowid
  CROSS JOIN page_version v ON v.id = p.version_id LEFT JOIN page_metadata m ON m.page_id = p.id AND m.version_id = p.version_id
  WHERE page_text MATCH :match AND ${FILTER}`;

const ORDERS: Readonly<Record<string, string>> = {
  relevance: "f.rank, p.id",
  "-relevance": "f.rank DESC, p.id",
  date: "v.fetched_at DESC, f.rank, p.id",
  "-date": "v.fetched_at, f.rank, p.id",
};

/** Finds and counts the hits first; whole rows are read only for those that are shown. */
const bestSql = (sort: string) =>
  `SELECT f.rowid AS id, f.rank AS rank, v.fetched_at AS seen_at, count(*) OVER () AS total ${FOUND} ORDER BY ${ORDERS[sort] ?? ORDERS.relevance} LIMIT :limit`;
const PAGE = `SELECT ${PAGE_COLUMNS} FROM ${PAGE_TABLES} WHERE p.id = ?`;

const TO_INDEX = `FROM page p LEFT JOIN page_search s ON s.page_id = p.id CROSS JOIN page_version v ON v.id = p.version_id
  WHERE p.is_gone = 0 AND s.version_id IS NOT p.version_id AND (:sites IS NULL OR p.site_id IN (SELECT value FROM json_each(:sites)))
    AND v.type IN ('html', 'markdown', 'text')
    AND (EXISTS (SELECT 1 FROM body WHERE hash = v.body_hash) OR EXISTS (SELECT 1 FROM page_card WHERE page_id = p.id))`;

export function openSearch(db: Database, sql: Statements): SearchStore {
  const sitesIn = (siteIds: readonly number[] | undefined) => ({ sites: siteIds ? JSON.stringify(siteIds) : null });
  return {
    find: async (request) => find(sql, request),
    pagesToIndex: async (siteIds, { after, limit }) => {
      const select = `SELECT p.id, p.version_id, p.url, p.content_type, v.body_hash ${TO_INDEX} AND p.id > :after ORDER BY p.id LIMIT :limit`;
      const rows = sql.named(select).all({ ...sitesIn(siteIds), after, limit });
      return rows.map(toIndexFrom);
    },
    countPagesToIndex: async (siteIds) => Number(sql.named(`SELECT count(*) AS pages ${TO_INDEX}`).get(sitesIn(siteIds))!.pages),
    forget: async (pageId) => void sql.get("DELETE FROM page_search WHERE page_id = ?").run(pageId),
    index: async (pages) => inTransaction(db, () => indexPages(sql, pages)),
  };
}

/** Call within a transaction. */
export function indexPages(sql: Statements, pages: readonly IndexedPage[]): void {
  for (const { pageId, versionId, words: pageWords } of pages) {
    if (!sql.get("SELECT 1 FROM page WHERE id = ? AND version_id = ?").get(pageId, versionId)) continue;
    sql.get("INSERT OR REPLACE INTO page_search (page_id, version_id) VALUES (?, ?)").run(pageId, versionId);
    sql.dialect.words.save(sql, pageId, withUserText(sql.get(USER_TEXT).get(pageId) as Row | undefined, pageWords));
  }
}

const USER_TEXT = "SELECT note, tags, metadata FROM page_card WHERE page_id = ?";

/** A page is also found by users' notes, tags and corrections; a corrected title replaces its own. */
function withUserText(userText: Row | undefined, pageWords: IndexedPage["words"]): IndexedPage["words"] {
  if (!userText) return pageWords;
  const { title, ...others } = overridesFrom(userText.metadata);
  const more = [String(userText.note), ...JSON.parse(String(userText.tags)), ...Object.values(others).flat()].filter((text) => text !== "");
  if (title === undefined && more.length === 0) return pageWords;
  return {
    title: typeof title === "string" ? words(title) : (pageWords?.title ?? ""),
    text: [pageWords?.text ?? "", ...more.map((text) => words(String(text)))].join("\n"),
  };
}

function find(sql: Statements, request: SearchRequest): { pages: FoundPage[]; total: number } {
  const { query, siteId, since, until, lang, topic, isForAll, sort = "relevance", limit } = request;
  const values = {
    match: sql.dialect.words.match(query),
    site: siteId ?? null,
    since: since ?? null,
    until: until ?? null,
    lang: lang === undefined ? null : `${lang.toLowerCase().replace(/[^\p{L}\p{N}-]/gu, "")}-*`,
    topic: topic?.toLowerCase() ?? null,
    everything: isForAll ? 1 : 0,
  };
  const rows = sql.named(bestSql(sort)).all({ ...values, limit: Math.max(1, limit) });
  const pages = rows.slice(0, limit).map((row) => foundFrom(row, sql.get(PAGE).get(Number(row.id)) as Row));
  return { pages, total: Number(rows[0]?.total ?? 0) };
}

/** In quotes, so that no input is a command of the index. */
function ftsQueryOf({ wanted, unwanted }: Query): string {
  const quoted = ({ words, isBeginning }: Term) => `"${words.replaceAll('"', '""')}"${isBeginning ? " *" : ""}`;
  const all = wanted.map(quoted).join(" AND ");
  return unwanted.length === 0 ? all : `(${all}) NOT (${unwanted.map(quoted).join(" OR ")})`;
}

export const sqliteTextIndex: TextIndex = {
  match: ftsQueryOf,
  save: (sql, pageId, words) => {
    sql.get("DELETE FROM page_text WHERE rowid = ?").run(pageId);
    if (words) sql.get("INSERT INTO page_text (rowid, title, text) VALUES (?, ?, ?)").run(pageId, words.title, words.text);
  },
};

const foundFrom = (row: Row, page: Row): FoundPage => ({
  page: pageFrom(page),
  score: Number((-Number(row.rank)).toPrecision(4)),
  firstSeenAt: Number(row.seen_at),
});

const toIndexFrom = (row: Row): PageToIndex => ({
  pageId: Number(row.id),
  versionId: Number(row.version_id),
  url: String(row.url),
  contentType: row.content_type === null ? undefined : String(row.content_type),
  bodyHash: row.body_hash === null ? undefined : String(row.body_hash),
});
