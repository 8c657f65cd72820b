import type { Hash64 } from "../../../core/records.ts";
import type { HintUpdate, PageObservations } from "../../settlement.ts";
import { type Row, type Statements, toInt64 } from "../rows.ts";

const HASH = "(p.hash >> 32) & 0xffffffff AS hi, p.hash & 0xffffffff AS lo";
/** Weighted matches of the links to a page, if its site has keywords. */
const KEYWORD_SCORES = `iif(EXISTS (SELECT 1 FROM keyword k WHERE k.site_id = p.site_id),
  (SELECT group_concat(coalesce(lk.said, lk.match) * coalesce(k.weight, 0.25)) FROM link l
    JOIN link_keyword lk ON lk.site_id = p.site_id AND lk.link_id = l.id LEFT JOIN keyword k ON k.site_id = p.site_id AND k.word_id = lk.word_id WHERE l.hash = p.hash), NULL) AS worths`;
const OBSERVATIONS = `SELECT p.id, p.url, ${HASH}, p.depth, p.site_id, p.first_seen_at, p.history, v.type, ${KEYWORD_SCORES}
  FROM page p JOIN page_version v ON v.id = p.version_id`;

function observationsFrom(row: Row): PageObservations {
  return {
    pageId: Number(row.id),
    url: String(row.url),
    hash: { hi: Number(row.hi), lo: Number(row.lo) },
    depth: Number(row.depth),
    siteId: Number(row.site_id),
    firstSeenAt: Number(row.first_seen_at),
    history: (row.history as Uint8Array | null) ?? undefined,
    isFeed: row.type === "feed",
    keywordScores: row.worths === null ? [] : String(row.worths).split(",").map(Number),
  };
}

export function* pageObservations(sql: Statements, siteIds: readonly number[]): Generator<PageObservations> {
  // In disk order (the plus sign keeps SQLite from using the index): with the index, each batch would be sorted again.
  const select = `${OBSERVATIONS} WHERE +p.site_id = ? AND p.is_gone = 0 AND p.id > ? ORDER BY p.id LIMIT 500`;
  for (const siteId of siteIds) {
    // In batches: a reader left open while its consumer writes is locked out by any other process that writes.
    for (let rows: Row[] = [], last = 0; rows.length > 0 || last === 0; last = Number(rows.at(-1)?.id ?? -1)) {
      rows = sql.get(select).all(siteId, last) as Row[];
      yield* rows.map(observationsFrom);
    }
  }
}

export function observationsOf(sql: Statements, siteIds: readonly number[], hash: Hash64): PageObservations | undefined {
  const rows = sql.get(`${OBSERVATIONS} WHERE p.hash = ? AND p.is_gone = 0`).all(toInt64(hash)) as Row[];
  const row = rows.find((page) => siteIds.includes(Number(page.site_id)));
  return row && observationsFrom(row);
}

const LAST_COMPLETE = `SELECT coalesce(max(r.id), 0) FROM run r JOIN run_site s ON s.run_id = r.id
  WHERE s.site_id = ? AND r.status = 'finished' AND r.kind = 'crawl' AND CAST(json_extract(r.options, '$.due') AS TEXT) IS NOT '1'`;
const REQUESTED = `SELECT (d.hash >> 32) & 0xffffffff AS hi, d.hash & 0xffffffff AS lo FROM decision d JOIN run_site s ON s.run_id = d.run_id
  WHERE s.site_id = ? AND d.run_id >= (${LAST_COMPLETE}) AND d.verdict <> 'queued' AND (d.status IS NOT NULL OR d.verdict = 'failed')
    AND (d.kind = 'page' OR d.at > ?)`;

export function forEachRequested(sql: Statements, siteIds: readonly number[], sitemapsSince: number, onEach: (hash: Hash64) => void): void {
  for (const siteId of siteIds) {
    for (const row of sql.each(REQUESTED, siteId, siteId, sitemapsSince)) onEach({ hi: Number(row.hi), lo: Number(row.lo) });
  }
}

export function hints(sql: Statements, siteIds: readonly number[]): HintUpdate[] {
  const select = sql.get("SELECT source, said, was_right, expected FROM hint WHERE site_id = ?");
  return siteIds.flatMap((siteId) =>
    (select.all(siteId) as Row[]).map((row) => ({
      siteId,
      source: String(row.source),
      said: Number(row.said),
      wasRight: Number(row.was_right),
      expected: Number(row.expected),
    })),
  );
}

/** Older observations count half, so that a source can recover. */
const SAVE_HINT = `INSERT INTO hint (site_id, source, said, was_right, expected) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT DO UPDATE SET said = hint.said / iif(hint.said >= 200, 2, 1) + ?3, was_right = hint.was_right / iif(hint.said >= 200, 2, 1) + ?4,
    expected = hint.expected / iif(hint.said >= 200, 2, 1) + ?5`;

export function saveHint(sql: Statements, { siteId, source, said, wasRight, expected }: HintUpdate): void {
  sql.get(SAVE_HINT).run(siteId, source, said, wasRight, expected);
}
