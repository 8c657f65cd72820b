/**
 * Statements for leases and turns. All times are the database's (`now_ms`), unless a test passes its own clock as `$now`. Host ids are
 * passed as arrays: for a join, the planner of a young database expects one row and scans the whole run for each of many. A lease is
 * `owner` until `until`; taking a host that has no owner, or whose lease expired, raises `epoch`, which distinguishes successive owners.
 */
import { asLines, Columns } from "./columns.ts";

/** The host measures from when it receives the request, which may be later than the claim: see `sqlite/backlog.ts`. */
const RECEIPT_ALLOWANCE = 250;
/** How long another run's request for a host stays valid after the host is due, unless renewed. */
const REQUEST_VALID_MS = 2000;
const POLL_MS = 200;
/** A paused host is polled at this interval, because the pause may be lifted. */
const PAUSE_POLL_MS = 1000;

/** An owner ends with the id of its run. */
const isOfRun = (column: string, run: string) => `right(${column}, length(${run}::text) + 1) = '/' || ${run}::text`;
const mayTakeHost = (h: string, run: string, now: string) =>
  `(${h}.wanted_by IS NULL OR ${isOfRun(`${h}.wanted_by`, run)} OR ${h}.wanted_at > ${now} OR greatest(${h}.wanted_at, ${h}.next_at) < ${now} - ${REQUEST_VALID_MS})`;

/**
 * One row per host. Paced: we have held the lease since we last learned or set its due time. Busy: requests of ours are in flight. Visits:
 * those to be sent.
 */
export const claims = new Columns({
  name: "text",
  delay: "bigint",
  cause: "text",
  is_paced: "boolean",
  is_busy: "boolean",
  visits: "text",
  began_at: "bigint",
});

/**
 * $1-$7 asked, $8 owner, $9 run, $10 worker, $11 lease, $12 now, $13 visits already in flight. A host whose back-off started before
 * `began_at` is tried once more: see `retryTime` in `sqlite/backlog.ts`. The time is read after the rows are locked, so that waiting
 * for the locks does not shorten the delay.
 */
export const CLAIM = `WITH locked AS MATERIALIZED (
    SELECT h.id, h.name, h.owner, h.until, h.epoch, h.next_at, h.delay AS last_delay, h.wanted_by, h.wanted_at, a.cause, a.is_paced, a.is_busy, a.visits,
      h.cause AS last_cause, h.failures, a.began_at,
      greatest(a.delay, c.delay, 0) AS pause, coalesce(c.paused_until, 0) AS paused_until
    FROM ${claims.table("a")} JOIN host h ON h.name = a.name LEFT JOIN host_card c ON c.host = a.name ORDER BY h.id FOR NO KEY UPDATE OF h
  ), timed AS MATERIALIZED (
    SELECT l.*, coalesce($12::bigint, now_ms()) AS now, pause + CASE WHEN pause > 0 THEN ${RECEIPT_ALLOWANCE} ELSE 0 END AS distance FROM locked l
  ), seen AS (
    SELECT t.*, least(next_at, CASE WHEN last_cause = 'backoff' AND next_at - last_delay < began_at
        THEN next_at - last_delay + ceil(greatest(distance, last_delay / power(2, least(greatest(failures - 1, 0), 60))))::bigint END) AS due_at, coalesce(t.owner = $8, false) AS is_ours, t.owner IS NULL OR t.until < t.now AS is_free, ${mayTakeHost("t", "$9::bigint", "t.now")} AS is_welcome,
      ($9::bigint <= 0 OR EXISTS (SELECT 1 FROM run_worker WHERE run_id = $9 AND worker_id = $10)) AS is_known
    FROM timed t
  ), judged AS MATERIALIZED (
    SELECT s.*, s.is_known AND s.paused_until <= s.now AND s.is_welcome
        AND CASE WHEN s.is_ours THEN s.is_paced OR s.due_at <= s.now ELSE s.is_free AND s.due_at <= s.now END AS is_granted,
      NOT s.is_ours AND NOT s.is_free AND ${isOfRun("s.owner", "$9::bigint")} AS is_fellows
    FROM seen s
  ), taken AS (
    UPDATE host h SET owner = $8, until = j.now + $11, epoch = h.epoch + (NOT j.is_ours)::int, next_at = j.now + j.distance, delay = j.distance, cause = j.cause,
      wanted_by = NULL FROM judged j WHERE h.id = j.id AND j.is_granted
  ), refused AS (
    UPDATE host h SET owner = CASE WHEN j.is_ours AND NOT j.is_welcome AND NOT j.is_busy THEN NULL ELSE h.owner END,
      next_at = CASE WHEN j.next_at - j.now > j.last_delay THEN j.now + j.last_delay ELSE h.next_at END,
      wanted_by = CASE WHEN j.is_welcome AND NOT j.is_ours AND NOT j.is_fellows THEN $8 ELSE h.wanted_by END,
      wanted_at = CASE WHEN j.is_welcome AND NOT j.is_ours AND NOT j.is_fellows THEN j.now ELSE h.wanted_at END
    FROM judged j WHERE h.id = j.id AND NOT j.is_granted AND j.is_known AND j.paused_until <= j.now
  ), noted AS (
    UPDATE run_worker SET out = $13::bigint[] || coalesce((SELECT string_to_array(string_agg(visits, ','), ',')::bigint[] FROM judged WHERE is_granted), '{}')
    WHERE run_id = $9 AND worker_id = $10
  )
  ${asLines(
    "judged",
    "name",
    "is_granted::int",
    "is_known::int",
    "is_fellows::int",
    "(is_ours AND (is_welcome OR is_busy))::int",
    "epoch + (NOT is_ours)::int",
    "last_cause",
    "last_delay",
    "failures",
    "(next_at > now)::int",
    `CASE WHEN paused_until > now THEN least(paused_until - now, ${PAUSE_POLL_MS}) WHEN next_at - now > last_delay THEN last_delay
      WHEN due_at > now THEN due_at - now ELSE ${POLL_MS} END`,
  )}`;

/**
 * $1 run, $2 now, $3 lease, $4 whether workers that are in no run count. The fair share: open hosts divided by the workers that lease
 * hosts.
 */
export const FAIR_SHARE = `SELECT ceil((SELECT count(*) FROM run_host WHERE run_id = $1 AND is_open)::numeric / greatest(1, (
    SELECT count(*) FROM worker w WHERE NOT w.is_draining AND w.seen_at >= coalesce($2::bigint, now_ms()) - $3
      AND (EXISTS (SELECT 1 FROM run_worker WHERE run_id = $1 AND worker_id = w.id)
        OR $4::boolean AND w.max_concurrent > 0 AND NOT EXISTS (SELECT 1 FROM run_worker WHERE worker_id = w.id)))))::bigint AS share`;

/**
 * $1 run, $2 owner, $3 limit, $4 now, $5 lease. A process whose lease expired may have asked the host a moment ago, so the delay is added.
 */
export const LEASE_HOSTS = `WITH free AS (
    SELECT h.id, h.owner IS NOT NULL AS is_left, t.now, r.queued FROM (SELECT coalesce($4::bigint, now_ms()) AS now) AS t
      JOIN run_host r ON r.run_id = $1 AND r.is_open JOIN host h ON h.id = r.host_id
    WHERE (h.owner IS NULL OR h.until < t.now) AND ${mayTakeHost("h", "$1::bigint", "t.now")}
    ORDER BY h.next_at, h.id LIMIT $3 FOR NO KEY UPDATE OF h SKIP LOCKED
  ), heard AS (
    UPDATE run_host r SET news = false FROM (
      SELECT r.host_id FROM run_host r WHERE r.run_id = $1 AND r.host_id = ANY(ARRAY(SELECT id FROM free)) AND r.news
      ORDER BY r.host_id FOR NO KEY UPDATE OF r SKIP LOCKED
    ) AS n WHERE r.run_id = $1 AND r.host_id = n.host_id
  )
  UPDATE host h SET owner = $2, until = f.now + $5, epoch = h.epoch + 1, wanted_by = NULL,
    next_at = CASE WHEN f.is_left THEN greatest(h.next_at, f.now + h.delay) ELSE h.next_at END
  FROM free f WHERE h.id = f.id RETURNING h.name, h.id, h.epoch, h.next_at, f.queued`;

/**
 * $1 run, $2 owner: hosts of ours for which others added URLs since the last check. A row locked by a process that is adding more is
 * skipped and read the next time.
 */
export const HOSTS_WITH_NEWS = `UPDATE run_host r SET news = false FROM (
    SELECT r.host_id FROM run_host r WHERE r.run_id = $1 AND r.host_id = ANY(ARRAY(SELECT id FROM host WHERE owner = $2)) AND r.news
    ORDER BY r.host_id FOR NO KEY UPDATE OF r SKIP LOCKED
  ) AS n WHERE r.run_id = $1 AND r.host_id = n.host_id RETURNING (SELECT name FROM host WHERE id = n.host_id), r.queued`;

/** $1 run, $2 hosts. */
export const QUEUED = `SELECT (SELECT name FROM host WHERE id = r.host_id), r.queued FROM run_host r
  WHERE r.run_id = $1 AND r.host_id = ANY(ARRAY(SELECT id FROM host WHERE name = ANY($2::text[]))) AND r.is_open`;

/** One row per front queue of a host, with how many of its best rows to load. */
export const queuesToLoad = new Columns({ host: "text", level: "bigint", most: "bigint" });

/** $1-$3 wanted, $4 run, $5 owner, $6 now. Returns nothing for a host that another process of this run has leased. */
export const LOAD = asLines(
  `(SELECT w.host, d.id, d.url, d.key, (d.hash >> 32) & 4294967295 AS hi, d.hash & 4294967295 AS lo, d.kind, d.depth, d.hops, d.via,
      d.site_id, d.level, d.priority, d.attempts, (SELECT url FROM decision WHERE id = d.parent_id) AS parent
    FROM ${queuesToLoad.table("w")} JOIN host h ON h.name = w.host CROSS JOIN LATERAL (
      SELECT * FROM decision WHERE run_id = $4 AND host_id = h.id AND verdict = 'queued' AND level = w.level ORDER BY priority DESC, id LIMIT w.most
    ) AS d
    WHERE NOT coalesce(h.owner <> $5 AND h.until >= coalesce($6::bigint, now_ms()) AND ${isOfRun("h.owner", "$4::bigint")}, false)) AS c`,
  ...["host", "id", "url", "key", "hi", "lo", "kind", "depth", "hops", "via", "site_id", "level", "priority", "attempts", "parent"],
);

/**
 * $1 host, $2 owner, $3 run, $4 now, $5 whether the turn was unused. The lease is kept while the run has URLs queued for the host, unless
 * another run has requested it.
 */
export const RELEASE = `UPDATE host h SET next_at = CASE WHEN $5::boolean THEN t.now ELSE h.next_at END,
    owner = CASE WHEN ${mayTakeHost("h", "$3::bigint", "t.now")} AND EXISTS (SELECT 1 FROM run_host WHERE run_id = $3 AND host_id = h.id AND is_open) THEN h.owner END
  FROM (SELECT coalesce($4::bigint, now_ms()) AS now) AS t WHERE h.name = $1 AND h.owner = $2 RETURNING h.owner IS NOT NULL AS is_kept`;

/**
 * $1 run: owners of hosts that work in another run. There are few owners with many hosts each, so the query skips from one owner to the
 * next.
 */
export const OTHER_OWNERS = `WITH RECURSIVE owners AS (
    (SELECT owner FROM host WHERE owner IS NOT NULL ORDER BY owner LIMIT 1)
    UNION ALL SELECT (SELECT h.owner FROM host h WHERE h.owner > o.owner ORDER BY h.owner LIMIT 1) FROM owners o WHERE o.owner IS NOT NULL
  ) SELECT owner FROM owners WHERE owner IS NOT NULL AND NOT ${isOfRun("owner", "$1::bigint")}`;

/**
 * $1 run, $2 owner, $3 limit, $4 now. Requests hosts leased by another run that have URLs queued here; the other run releases them at its
 * next turn.
 */
export const REQUEST_HOSTS = `UPDATE host h SET wanted_by = $2, wanted_at = w.now FROM (
    SELECT h.id, t.now FROM (SELECT coalesce($4::bigint, now_ms()) AS now) AS t JOIN run_host r ON r.run_id = $1 AND r.is_open JOIN host h ON h.id = r.host_id
    WHERE h.owner IS NOT NULL AND h.until >= t.now AND NOT ${isOfRun("h.owner", "$1::bigint")} AND ${mayTakeHost("h", "$1::bigint", "t.now")}
    ORDER BY h.id LIMIT $3 FOR NO KEY UPDATE OF h SKIP LOCKED
  ) AS w WHERE h.id = w.id`;

/**
 * $1 owner, $2 now, $3 lease: renews leases with less than three quarters of their time left. A row locked by another process is skipped
 * until the next renewal.
 */
export const RENEW = `UPDATE host h SET until = m.now + $3 FROM (
    SELECT h.id, t.now FROM (SELECT coalesce($2::bigint, now_ms()) AS now) AS t JOIN host h ON h.owner = $1 AND h.until < t.now + $3 * 3 / 4
    ORDER BY h.id FOR NO KEY UPDATE OF h SKIP LOCKED
  ) AS m WHERE h.id = m.id`;

/** $1 owner, $2 run. */
export const LEASED_HOSTS = `SELECT h.name, h.epoch, coalesce(r.queued, 0) AS queued FROM host h LEFT JOIN run_host r ON r.run_id = $2 AND r.host_id = h.id WHERE h.owner = $1 ORDER BY h.next_at DESC`;

/** $1 owner, $2 hosts. */
export const RELEASE_HOSTS = `UPDATE host h SET owner = NULL FROM (
    SELECT id FROM host WHERE owner = $1 AND name = ANY($2::text[]) ORDER BY id FOR NO KEY UPDATE
  ) AS m WHERE h.id = m.id RETURNING h.name`;

/** $1 run, $2 owner, $3 now, $4 the longest wait. Elsewhere: another process has leased it, or another run has requested it first. */
export const CHECK_WORK = `SELECT (r.status = 'running' AND r.stop_wanted = 0) AS is_on,
    EXISTS (SELECT 1 FROM run_host rh JOIN host h ON h.id = rh.host_id WHERE rh.run_id = r.id AND rh.is_open AND h.next_at <= t.now + $4
      AND (h.owner IS NULL OR h.until < t.now) AND ${mayTakeHost("h", "$1::bigint", "t.now")}) AS is_free,
    EXISTS (SELECT 1 FROM run_host rh JOIN host h ON h.id = rh.host_id WHERE rh.run_id = r.id AND rh.is_open AND rh.news AND h.owner = $2) AS has_news,
    EXISTS (SELECT 1 FROM run_host rh JOIN host h ON h.id = rh.host_id WHERE rh.run_id = r.id AND rh.is_open
      AND h.owner IS DISTINCT FROM $2 AND (h.next_at <= t.now + $4 OR h.until >= t.now)) AS is_elsewhere
  FROM run r CROSS JOIN (SELECT coalesce($3::bigint, now_ms()) AS now) AS t WHERE r.id = $1`;
