import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { inTransaction, type Row, type Statements } from "../rows.ts";

/** As computed by the view `v_scores`. A score given by a model or plugin (`said`) overrides the match. */
const scoresOf = (which: string) => `SELECT lk.site_id, lk.link_id, lk.first_run_id,
    coalesce(lk.said, lk.match) * coalesce(k.weight, 0.25) AS worth
  FROM link_keyword lk LEFT JOIN keyword k ON k.site_id = lk.site_id AND k.word_id = lk.word_id
  WHERE lk.site_id = :site AND ${which} AND coalesce(lk.said, lk.match) > 0 AND (k.word_id IS NOT NULL OR lk.said IS NOT NULL)`;

const summedScores = (
  which: string,
) => `SELECT min(site_id) AS site_id, link_id, round(sum(worth / (1 << min(nth - 1, 60))), 3) AS score, min(first_run_id) AS first
  FROM (SELECT *, row_number() OVER (PARTITION BY link_id ORDER BY worth DESC) AS nth FROM (${scoresOf(which)})) GROUP BY link_id`;

const ON_CONFLICT =
  "ON CONFLICT DO UPDATE SET score = excluded.score, first_run_id = excluded.first_run_id WHERE link_score.score <> excluded.score OR link_score.first_run_id <> excluded.first_run_id";
const SAVE = (which: string) => `INSERT INTO link_score (site_id, link_id, score, first_run_id)
  SELECT w.site_id, w.link_id, coalesce(c.score, w.score), w.first FROM (${summedScores(which)}) w
  LEFT JOIN link_card c ON c.site_id = w.site_id AND c.link_id = w.link_id WHERE true ${ON_CONFLICT}`;

/** Removes scores of links that no longer have a match or a given score. */
const DROP = (which: string) => `DELETE FROM link_score WHERE site_id = :site AND ${which}
  AND NOT EXISTS (SELECT 1 FROM link_card c WHERE c.site_id = link_score.site_id AND c.link_id = link_score.link_id AND c.score IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM link_keyword lk LEFT JOIN keyword k ON k.site_id = lk.site_id AND k.word_id = lk.word_id
    WHERE lk.site_id = link_score.site_id AND lk.link_id = link_score.link_id AND coalesce(lk.said, lk.match) > 0
      AND (k.word_id IS NOT NULL OR lk.said IS NOT NULL))`;

const SOME = { save: SAVE("lk.link_id > :from AND lk.link_id <= :to"), drop: DROP("link_id > :from AND link_id <= :to") };

/** For one link, row by row: this runs for every link that a crawl finds, and a window function in SQL costs ten times as much. */
const WORTHS = `${scoresOf("lk.link_id = :link")} ORDER BY worth DESC`;
const SAVE_ONE = `INSERT INTO link_score (site_id, link_id, score, first_run_id)
  VALUES (:site, :link, coalesce((SELECT score FROM link_card WHERE site_id = :site AND link_id = :link), :score), :first) ${ON_CONFLICT}`;
const DROP_ONE = `DELETE FROM link_score WHERE site_id = :site AND link_id = :link
  AND NOT EXISTS (SELECT 1 FROM link_card WHERE site_id = :site AND link_id = :link AND score IS NOT NULL)`;

/** The matches of a link have changed. */
export function rescoreLink(sql: Statements, siteId: number, linkId: number): void {
  const place = { site: siteId, link: linkId };
  const rows = sql.named(WORTHS).all(place);
  if (rows.length === 0) return void sql.named(DROP_ONE).run(place);
  const score = rows.reduce((sum, { worth }, rank) => sum + Number(worth) / 2 ** rank, 0);
  const first = Math.min(...rows.map((row) => Number(row.first_run_id)));
  sql.named(SAVE_ONE).run({ ...place, score: Math.round(1000 * score) / 1000, first });
}

const rescoringKey = (siteId: number) => `rescoring.${siteId}`;

/** Marks the scores of a whole site for recomputation. Stored, so that another process continues if this one is killed. */
export function markForRescoring(sql: Statements, siteId: number): void {
  sql.get("INSERT OR REPLACE INTO meta (key, value) VALUES (?, 0)").run(rescoringKey(siteId));
}

/** Links per transaction: each transaction locks the file for a few hundredths of a second. */
const BATCH = 10_000;

/** In batches, so that a crawl can write in between. */
export async function rescoreMarked(db: Database, sql: Statements, siteId: number): Promise<void> {
  for (;;) {
    const began = performance.now();
    const isDone = inTransaction(db, () => rescoreBatch(sql, siteId));
    if (isDone) return;
    await sleep(Math.max(1, performance.now() - began));
  }
}

function rescoreBatch(sql: Statements, siteId: number): boolean {
  sql.dialect.holdSite?.(siteId);
  const mark = sql.get("SELECT value FROM meta WHERE key = ?").get(rescoringKey(siteId)) as Row | undefined;
  if (!mark) return true;
  const from = Number(mark.value);
  const ahead = (table: string) =>
    sql
      .get(`SELECT link_id FROM ${table} WHERE site_id = ? AND link_id > ? ORDER BY link_id LIMIT 1 OFFSET ${BATCH - 1}`)
      .get(siteId, from) as Row | undefined;
  const to = Math.min(...["link_keyword", "link_score"].map((table) => Number(ahead(table)?.link_id ?? Number.MAX_SAFE_INTEGER)));
  sql.named(SOME.save).run({ site: siteId, from, to });
  sql.named(SOME.drop).run({ site: siteId, from, to });
  const isDone = to === Number.MAX_SAFE_INTEGER;
  if (isDone) sql.get("DELETE FROM meta WHERE key = ?").run(rescoringKey(siteId));
  else sql.get("UPDATE meta SET value = ? WHERE key = ?").run(to, rescoringKey(siteId));
  return isDone;
}
