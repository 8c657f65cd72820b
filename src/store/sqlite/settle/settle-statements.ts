/** Statements used by settling. */
import { PAGE_COLUMNS, PAGE_TABLES } from "../rows.ts";

export const END_VISIT = `UPDATE decision SET verdict = :verdict, reason = :reason, rule = :rule, depth = :depth, status = :status,
  attempts = :attempts, target = :target, page_id = coalesce(:page, page_id), at = :at, seq = :seq WHERE id = :id`;

export const INSERT_URL = `INSERT INTO decision
  (run_id, hash, host_id, site_id, kind, url, key, depth, hops, via, parent_id, level, priority, verdict, reason, rule, at)
  VALUES (:run, :hash, :host, :site, :kind, :url, :key, :depth, :hops, :via, :parent, :level, :priority, :verdict, :reason, :rule, :at)
  ON CONFLICT DO NOTHING`;

/** A URL known only through nofollow links is treated as new when a link without nofollow names it. */
export const REPLACE_NOFOLLOW = `UPDATE decision SET depth = :depth, hops = :hops, via = :via, parent_id = :parent, level = :level,
    priority = :priority, verdict = :verdict, reason = :reason, rule = :rule, at = :at, mentions = mentions + 1
  WHERE run_id = :run AND hash = :hash AND reason = 'meta.nofollow' AND :reason <> 'meta.nofollow' RETURNING id`;

export const UPDATE_URL = `UPDATE decision SET depth = :depth, level = :level, priority = :priority, mentions = :mentions,
  verdict = iif(:requeue, 'queued', verdict), reason = iif(:requeue, 'ok', reason), rule = iif(:requeue, '', rule) WHERE id = :id`;

/** A row that failed or crashed before keeps its low rank. */
export const UPDATE_MENTIONS = `UPDATE decision SET mentions = ?, level = iif(verdict = 'queued' AND priority > -1e8, ?, level),
  priority = iif(verdict = 'queued' AND priority > -1e8, ?, priority) WHERE run_id = ? AND hash = ? RETURNING id, verdict`;

/** Without a new rank, so that the index of queued rows is not touched. */
export const UPDATE_COUNT = "UPDATE decision SET mentions = ? WHERE run_id = ? AND hash = ? RETURNING id, verdict";

export const UPDATE_HOST = `UPDATE host SET next_at = iif(owner = :owner, :next, max(next_at, :next)), delay = :delay, cause = :cause,
  failures = :failures, owner = iif(:free, NULL, :owner), until = :until
  WHERE name = :host AND (owner IS NULL OR owner = :owner) RETURNING wanted_by IS NOT NULL AND wanted_by <> :owner AS wanted`;

export const NEW_PAGE = `INSERT INTO page (id, uid, site_id, hash, host_id, url, depth, via, parent_url, status, content_type, change, run_id, seq,
    first_run_id, first_seen_at, fetched_at, changed_at, duration, bytes, etag, last_modified, moved_to, reader,
    duplicate_of, near_duplicate_of, version_id, print, page_type)
  VALUES (:id, :uid, :site, :hash, :host, :url, :depth, :via, :parent, :status, :type, :change, :run, :seq,
    :run, :at, :at, :at, :duration, :bytes, :etag, :modified, :moved, :reader, :twin, :near, :version, :print, :pageType)`;

const VISITED = `UPDATE page SET depth = :depth, via = iif(:via = 'due', via, :via),
  parent_url = iif(:via = 'due', parent_url, :parent), status = :status, history = coalesce(:history, history),
  content_type = coalesce(:type, content_type), change = :change, run_id = :run, seq = :seq, previous_at = fetched_at, fetched_at = :at,
  duration = :duration, bytes = iif(:cached = 1, bytes, :bytes), from_cache = :cached,
  etag = iif(:cached = 1, coalesce(:etag, etag), :etag), last_modified = iif(:cached = 1, coalesce(:modified, last_modified), :modified),
  moved_to = :moved, reader = :reader`;

/**
 * A page that is unchanged and was not gone. SQLite rewrites every index whose columns are named in an UPDATE, even if the values are the
 * same, so these columns are left out.
 */
export const SAME_PAGE = `${VISITED} WHERE id = :id AND is_gone = 0`;

export const VISITED_PAGE = `${VISITED}, changed_at = iif(:change IN ('same', 'unlinked'), changed_at, :at), is_gone = iif(:change = 'gone' OR :moved IS NOT NULL, 1, 0),
  version_id = coalesce(:version, version_id), print = coalesce(:print, print), page_type = iif(:version IS NULL, page_type, :pageType),
  duplicate_of = iif(:version IS NULL, duplicate_of, :twin), near_duplicate_of = iif(:version IS NULL, near_duplicate_of, :near) WHERE id = :id`;

export const NEW_VERSION = `INSERT INTO page_version (id, page_id, number, run_id, fetched_at, type, charset, metadata, canonical, noindex, nofollow,
    text_hash, links_hash, simhash, word_count, link_count, body_hash, link_index, links)
  VALUES (:id, :page, :number, :run, :at, :type, :charset, :metadata,
    :canonical, :noindex, :nofollow, :text, :links, :simhash, :words, :linkCount, :body, :index, :packed)`;

/** When a run without an extractor reads this version again, its extracted metadata is kept. */
export const REREAD = `UPDATE page_version SET type = :type, charset = :charset,
  metadata = iif(:extracted = 0 AND EXISTS (SELECT 1 FROM page_metadata WHERE version_id = :id AND page_id = :page), metadata, :metadata), canonical = :canonical, noindex = :noindex,
  nofollow = :nofollow, text_hash = :text, links_hash = :links, simhash = :simhash, word_count = :words, link_count = :linkCount,
  link_index = :index, links = :packed WHERE id = :id`;

export const PAGE = `SELECT ${PAGE_COLUMNS} FROM ${PAGE_TABLES} WHERE p.id = ?`;

export const CHANGE = `INSERT OR REPLACE INTO change (run_id, page_id, status, at, from_version, to_version, detail) VALUES (?, ?, ?, ?, ?, ?, ?)`;
