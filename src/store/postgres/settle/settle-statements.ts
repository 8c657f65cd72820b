/**
 * Statements for settling, each for many rows. Rows are locked in id order and new ones written in hash order, so that concurrent
 * settlements wait for each other in the same order and cannot deadlock.
 */
import { asLines, Columns, INDEX_ONLY } from "../columns.ts";

/** Until the transaction ends: triggers do not count, because settling counts itself. */
export const TRANSACTION_SETTINGS = `SELECT set_config('nuthatch.counts', 'off', true), ${INDEX_ONLY}`;

/** $1 hosts, $2 owner, $3 run, $4 now. Fellows: another worker of this run has leased the host. */
export const LOCK_HOSTS = `WITH h AS MATERIALIZED (
    SELECT id, epoch, coalesce(owner = $2, false) AS is_ours,
      coalesce(owner <> $2 AND right(owner, length($3::text) + 1) = '/' || $3::text AND until >= coalesce($4::bigint, now_ms()), false) AS is_fellows
    FROM host WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE
  ) ${asLines("h", "id", "epoch", "is_ours::int", "is_fellows::int")}`;

const STATE = ["d.id", "d.hash", "d.host_id", "d.verdict", "d.reason", "d.depth", "d.mentions", "d.page_id"];

/** $1 rows. */
export const LOCK_ROWS = `WITH d AS MATERIALIZED (
    SELECT id, hash, host_id, verdict, reason, depth, mentions, page_id FROM decision WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE
  ) ${asLines("d", ...STATE)}`;

/** $1 hashes, $2 run. Not locked: the process that holds them may be waiting for us. */
export const KNOWN_ROWS = asLines("decision d WHERE d.run_id = $2 AND d.hash = ANY($1::bigint[])", ...STATE);

/** $1 sequence numbers for settled visits, $2 page ids, $3 version ids. */
export const NUMBERS = `SELECT array_to_json(ARRAY(SELECT nextval('settled_seq') FROM generate_series(1, $1)))::text AS seqs,
  array_to_json(ARRAY(SELECT nextval('page_id_seq') FROM generate_series(1, $2)))::text AS pages,
  array_to_json(ARRAY(SELECT nextval('page_version_id_seq') FROM generate_series(1, $3)))::text AS versions`;

export const endedVisits = new Columns({
  id: "bigint",
  verdict: "text",
  reason: "text",
  rule: "text",
  depth: "bigint",
  status: "bigint",
  attempts: "bigint",
  target: "text",
  page_id: "bigint",
  seq: "bigint",
});

/** The last parameter: at. Others may have found a smaller depth in the meantime. */
export const END_VISITS = `UPDATE decision d SET verdict = v.verdict, reason = v.reason, rule = v.rule, depth = least(d.depth, v.depth), status = v.status,
    attempts = v.attempts, target = v.target, page_id = coalesce(v.page_id, d.page_id), at = $${endedVisits.size + 1}, seq = v.seq
  FROM ${endedVisits.table("v")} WHERE d.id = v.id`;

export const RESPELL = "UPDATE decision SET url = $2, key = $3, hops = $4 WHERE id = $1";

export const newUrls = new Columns({
  hash: "bigint",
  host_id: "bigint",
  site_id: "bigint",
  kind: "text",
  url: "text",
  key: "text",
  depth: "bigint",
  hops: "bigint",
  via: "text",
  parent_id: "bigint",
  level: "bigint",
  priority: "double precision",
  verdict: "text",
  reason: "text",
  rule: "text",
  mentions: "bigint",
});

/** The last two parameters: run, at. Ids follow the order in which the URLs were found. */
export const INSERT_URLS = `WITH written AS (INSERT INTO decision (id, run_id, at, ${newUrls.names})
  SELECT n.id, $${newUrls.size + 1}, $${newUrls.size + 2}, ${newUrls.names} FROM (SELECT nextval('decision_id_seq') AS id, h.* FROM ${newUrls.table("h")}) AS n
  ORDER BY n.hash ON CONFLICT (run_id, hash, host_id) DO NOTHING RETURNING id, hash)
  ${asLines("written", "id", "hash")}`;

/** The last two parameters: run, at. Rows known only through nofollow links are treated as new. */
export const REPLACE_NOFOLLOW = `UPDATE decision d SET depth = h.depth, hops = h.hops, via = h.via, parent_id = h.parent_id, level = h.level, priority = h.priority,
    verdict = h.verdict, reason = h.reason, rule = h.rule, at = $${newUrls.size + 2}, mentions = d.mentions + h.mentions
  FROM ${newUrls.table("h")} WHERE d.run_id = $${newUrls.size + 1} AND d.hash = ANY($1::bigint[]) AND d.hash = h.hash`;

export const mentions = new Columns({ id: "bigint", depth: "bigint" });

/**
 * If another process has locked the row, the mention is not counted. For a queued row the smallest depth is kept here, because the process
 * that found it may be killed before it propagates it.
 */
export const ADD_MENTIONS = `UPDATE decision d SET mentions = d.mentions + 1, depth = CASE d.verdict WHEN 'queued' THEN least(d.depth, m.depth) ELSE d.depth END FROM (
    SELECT n.* FROM ${mentions.table("n")} JOIN decision q ON q.id = n.id ORDER BY q.id FOR NO KEY UPDATE OF q SKIP LOCKED
  ) AS m WHERE d.id = m.id`;

export const updatedRows = new Columns({
  id: "bigint",
  depth: "bigint",
  level: "bigint",
  priority: "double precision",
  mentions: "bigint",
  is_queued: "boolean",
});

export const UPDATE_ROWS = `UPDATE decision d SET depth = least(d.depth, a.depth), level = a.level, priority = a.priority, mentions = greatest(d.mentions, a.mentions),
    verdict = CASE WHEN a.is_queued THEN 'queued' ELSE d.verdict END, reason = CASE WHEN a.is_queued THEN 'ok' ELSE d.reason END,
    rule = CASE WHEN a.is_queued THEN '' ELSE d.rule END
  FROM ${updatedRows.table("a")} WHERE d.id = a.id`;

export const pendingDepths = new Columns({ id: "bigint", depth: "bigint" });

/** The last parameter: run. Deletes depths that this settlement has propagated. */
export const REMOVE_PENDING_DEPTHS = `DELETE FROM nearness n USING ${pendingDepths.table("t")} WHERE n.run_id = $3 AND n.decision_id = t.id AND n.depth >= t.depth`;

/** The last parameter: run. Depths still to be propagated. */
export const SAVE_PENDING_DEPTHS = `INSERT INTO nearness AS n (run_id, decision_id, depth) SELECT $3, t.id, t.depth FROM ${pendingDepths.table("t")} ORDER BY t.id
  ON CONFLICT (run_id, decision_id) DO UPDATE SET depth = least(n.depth, excluded.depth)`;

export const mentionUpdates = new Columns({ id: "bigint", mentions: "bigint", level: "bigint", priority: "double precision" });

/** A row that failed or crashed before keeps its low rank. Rows locked by another process are skipped. */
export const UPDATE_MENTIONS = `UPDATE decision d SET mentions = greatest(d.mentions + 1, m.mentions),
    level = CASE WHEN d.verdict = 'queued' AND d.priority > -1e8 THEN coalesce(m.level, d.level) ELSE d.level END,
    priority = CASE WHEN d.verdict = 'queued' AND d.priority > -1e8 THEN coalesce(m.priority, d.priority) ELSE d.priority END
  FROM (
    SELECT n.* FROM ${mentionUpdates.table("n")} JOIN decision q ON q.id = n.id ORDER BY q.id FOR NO KEY UPDATE OF q SKIP LOCKED
  ) AS m WHERE d.id = m.id`;

export const queueChanges = new Columns({ host_id: "bigint", queued: "bigint", news: "boolean" });

/** The last parameter: run. Counts once what the triggers would count per statement. */
export const COUNT = `INSERT INTO run_host AS r (run_id, host_id, queued, news) SELECT $${queueChanges.size + 1}, w.* FROM ${queueChanges.table("w")} ORDER BY w.host_id
  ON CONFLICT (run_id, host_id) DO UPDATE SET queued = r.queued + excluded.queued, news = r.news OR excluded.news`;

export const hosts = new Columns({
  host_id: "bigint",
  wait: "bigint",
  delay: "bigint",
  cause: "text",
  failures: "bigint",
  is_idle: "boolean",
});

/** The last three parameters: owner, run, now. An idle host is released if nothing is queued for it, or if another run has requested it. */
export const UPDATE_HOSTS = `WITH told AS (UPDATE host h SET cause = n.cause, failures = n.failures, delay = n.delay,
    next_at = CASE WHEN h.owner IS NULL THEN greatest(h.next_at, t.now + n.wait) ELSE t.now + n.wait END,
    owner = CASE WHEN n.is_idle AND (coalesce(r.queued, 0) = 0 OR h.wanted_by IS NOT NULL AND right(h.wanted_by, length($8::text) + 1) <> '/' || $8::text)
      THEN NULL ELSE h.owner END
  FROM ${hosts.table("n")} CROSS JOIN (SELECT coalesce($9::bigint, now_ms()) AS now) AS t LEFT JOIN run_host r ON r.run_id = $8::bigint AND r.host_id = n.host_id
  WHERE h.id = n.host_id AND (h.owner IS NULL OR h.owner = $7) RETURNING h.name, h.owner)
  ${asLines("told WHERE owner IS NULL", "name")}`;

/** $1 run, $2 worker: our row in the run, which is missing if another worker removed us as expired. */
export const LOCK_PART = "SELECT 1 FROM run_worker WHERE run_id = $1 AND worker_id = $2 FOR NO KEY UPDATE";

/** $1 run, $2 worker, $3 counters, $4 visits in flight, $5 sequence number of settling, $6 settlement. */
export const SAVE_PART = `UPDATE run_worker SET counters = $3, out = $4::bigint[], seq = greatest(seq, $5), settlement = $6 WHERE run_id = $1 AND worker_id = $2`;
