/** Statements that settle pages, each for many rows. */
import { Columns } from "./columns.ts";

/** Columns written for every visited page. */
const updateColumns = {
  id: "bigint",
  depth: "bigint",
  via: "text",
  parent_url: "text",
  status: "bigint",
  content_type: "text",
  change: "text",
  seq: "bigint",
  duration: "bigint",
  bytes: "bigint",
  etag: "text",
  last_modified: "text",
  moved_to: "text",
  reader: "text",
  duplicate_of: "bigint",
  near_duplicate_of: "bigint",
  version_id: "bigint",
  print: "bigint",
  page_type: "text",
} as const;

export const newPages = new Columns({ ...updateColumns, uid: "text", site_id: "bigint", hash: "bigint", host_id: "bigint", url: "text" });
export const visitedPages = new Columns({ ...updateColumns, history: "bytea", is_cached: "boolean" });

/** The last two parameters: run, at. */
export const INSERT_PAGES = `INSERT INTO page (${newPages.names}, run_id, first_run_id, first_seen_at, fetched_at, changed_at)
  SELECT p.*, $${newPages.size + 1}::bigint, $${newPages.size + 1}::bigint, $${newPages.size + 2}::bigint, $${newPages.size + 2}::bigint, $${newPages.size + 2}::bigint
  FROM ${newPages.table("p")}`;

/** The last two parameters: run, at. */
export const UPDATE_PAGES = `UPDATE page p SET depth = n.depth, via = CASE WHEN n.via = 'due' THEN p.via ELSE n.via END,
    parent_url = CASE WHEN n.via = 'due' THEN p.parent_url ELSE n.parent_url END, status = n.status, history = coalesce(n.history, p.history),
    content_type = coalesce(n.content_type, p.content_type), change = n.change, run_id = $${visitedPages.size + 1}, seq = n.seq, previous_at = p.fetched_at,
    fetched_at = $${visitedPages.size + 2}, changed_at = CASE WHEN n.change IN ('same', 'unlinked') THEN p.changed_at ELSE $${visitedPages.size + 2} END,
    duration = n.duration, bytes = CASE WHEN n.is_cached THEN p.bytes ELSE n.bytes END, from_cache = n.is_cached::int,
    etag = CASE WHEN n.is_cached THEN coalesce(n.etag, p.etag) ELSE n.etag END,
    last_modified = CASE WHEN n.is_cached THEN coalesce(n.last_modified, p.last_modified) ELSE n.last_modified END,
    moved_to = n.moved_to, is_gone = (n.change = 'gone' OR n.moved_to IS NOT NULL)::int, reader = n.reader, version_id = coalesce(n.version_id, p.version_id),
    print = coalesce(n.print, p.print), page_type = CASE WHEN n.version_id IS NULL THEN p.page_type ELSE n.page_type END,
    duplicate_of = CASE WHEN n.version_id IS NULL THEN p.duplicate_of ELSE n.duplicate_of END,
    near_duplicate_of = CASE WHEN n.version_id IS NULL THEN p.near_duplicate_of ELSE n.near_duplicate_of END
  FROM ${visitedPages.table("n")} WHERE p.id = n.id`;

export const smallerDepths = new Columns({ id: "bigint", depth: "bigint" });

/** Locks pages of other processes and ours, in id order. */
export const LOCK_PAGES = "SELECT id FROM page WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE";
export const REDUCE_DEPTHS = `UPDATE page p SET depth = n.depth FROM ${smallerDepths.table("n")} WHERE p.id = n.id AND p.depth > n.depth`;

export const versions = new Columns({
  id: "bigint",
  page_id: "bigint",
  number: "bigint",
  type: "text",
  charset: "text",
  metadata: "text",
  canonical: "text",
  noindex: "bigint",
  nofollow: "bigint",
  text_hash: "text",
  links_hash: "text",
  simhash: "text",
  word_count: "bigint",
  link_count: "bigint",
  body_hash: "text",
  link_index: "bytea",
  links: "bytea",
});

/** The last two parameters: run, at. */
export const INSERT_VERSIONS = `INSERT INTO page_version (${versions.names}, run_id, fetched_at)
  SELECT v.*, $${versions.size + 1}::bigint, $${versions.size + 2}::bigint FROM ${versions.table("v")}`;

/** $1 pages. */
export const LAST_VERSIONS = "SELECT page_id, max(number) AS number FROM page_version WHERE page_id = ANY($1::bigint[]) GROUP BY page_id";

export const changes = new Columns({
  page_id: "bigint",
  status: "text",
  from_version: "bigint",
  to_version: "bigint",
  detail: "text",
});

/** The last two parameters: run, at. */
export const CHANGES = `INSERT INTO change (run_id, at, ${changes.names}) SELECT $${changes.size + 1}, $${changes.size + 2}, c.* FROM ${changes.table("c")}
  ON CONFLICT (run_id, page_id) DO UPDATE SET status = excluded.status, at = excluded.at, from_version = excluded.from_version,
    to_version = excluded.to_version, detail = excluded.detail`;

/** $1 hashes. */
export const KNOWN_BODIES = "SELECT hash FROM body WHERE hash = ANY($1::text[])";
export const bodies = new Columns({ hash: "text", size: "bigint", coding: "text", data: "bytea" });
export const INSERT_BODIES = `INSERT INTO body (${bodies.names}) SELECT * FROM ${bodies.table("b")} ORDER BY b.hash ON CONFLICT DO NOTHING`;
