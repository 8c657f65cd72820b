import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { DelayCause, Reason, Verdict } from "../../core/records.ts";
import type { HostPace, HostState, QueueCursor, QueueStore, SettledUrl } from "../queue.ts";
import { inTransaction, OF_PAGE, PAGE_COLUMNS, pageFrom, type Row, type Statements } from "./rows.ts";

/** In the order of the index of queued rows, so that the cursor is the last row's position in it. */
const QUEUED_URLS = `SELECT d.id, d.url, d.kind, d.depth, d.level, d.priority, d.attempts, d.host_id, h.name AS host, h.next_at, parent.url AS parent
  FROM decision d JOIN host h ON h.id = d.host_id LEFT JOIN decision parent ON parent.id = d.parent_id
  WHERE d.run_id = :run AND d.verdict = 'queued' AND (:host IS NULL OR d.host_id = (SELECT id FROM host WHERE name = :host))
    AND (d.host_id > :hostId OR (d.host_id = :hostId AND (d.level > :level OR (d.level = :level
      AND (d.priority < :priority OR (d.priority = :priority AND d.id > :id))))))
  ORDER BY d.host_id, d.level, d.priority DESC, d.id LIMIT :limit`;

const START_CURSOR: QueueCursor = { hostId: -1, level: 0, priority: 0, id: 0 };

const HOST = "h.name, h.next_at, h.delay, h.cause, h.failures";
const QUEUED_HOSTS = `SELECT ${HOST}, c.queued, 0 AS done, 0 AS failed
  FROM (SELECT host_id, count(*) AS queued FROM decision WHERE run_id = ? AND verdict = 'queued' GROUP BY host_id) c JOIN host h ON h.id = c.host_id
  ORDER BY c.queued DESC, h.name LIMIT ?`;
const ALL_HOSTS = `SELECT ${HOST}, c.queued, c.done, c.failed
  FROM (SELECT host_id, sum(verdict = 'queued') AS queued, sum(seq IS NOT NULL) AS done, sum(verdict = 'failed') AS failed FROM decision
    WHERE run_id = ? GROUP BY host_id) c JOIN host h ON h.id = c.host_id
  WHERE c.queued + c.done + c.failed > 0 ORDER BY c.queued DESC, c.done DESC, h.name LIMIT ?`;

const USUAL_PAUSE_MS = 5000;
const PAUSES = `SELECT ${HOST} FROM host h WHERE h.next_at > ? AND (h.cause IN ('backoff', 'retry-after') OR h.delay >= ${USUAL_PAUSE_MS})
  ORDER BY h.next_at, h.name LIMIT ?`;
const PACE = `SELECT ${HOST} FROM host h WHERE h.name = ?`;
const RESET_HOST = "UPDATE host SET next_at = :next, delay = :delay, cause = 'rate', failures = 0 WHERE name = :host";

/** Read in disk order without an index: a caller that continues after a pause scans the ledger once. */
const SETTLED_IDS = `SELECT id, seq FROM decision WHERE id > (SELECT ledger_from FROM run WHERE id = ?1) AND +run_id = ?1 AND seq > ?2`;
/** The rows are chosen by id first: otherwise all pages would be joined for every chunk. */
export const SETTLED = `SELECT d.seq AS place, d.url AS asked, d.depth AS clicks, d.verdict AS fate, d.reason, d.rule, d.status AS answer, d.at, ${PAGE_COLUMNS}
  FROM decision d LEFT JOIN page p ON p.id = d.page_id AND p.run_id = d.run_id AND p.seq = d.seq AND p.moved_to IS NULL ${OF_PAGE}
  WHERE d.id IN (SELECT value FROM json_each(?)) ORDER BY d.seq`;
const CHUNK = 200;

const LIST_QUEUED = `SELECT d.id, d.url, d.kind, h.name AS host FROM decision d JOIN host h ON h.id = d.host_id
  WHERE d.run_id = ? AND d.verdict = 'queued' AND d.id > ? ORDER BY d.id LIMIT ?`;

const REMOVE_QUEUED = "UPDATE decision SET verdict = 'skipped', reason = ?, rule = ?, at = ? WHERE id = ? AND verdict = 'queued'";

export function openQueue(db: Database, sql: Statements): QueueStore {
  return {
    queuedUrls: async (run, { host, after = START_CURSOR, limit }) =>
      sql
        .named(QUEUED_URLS)
        .all({ run, host: host ?? null, limit, ...after })
        .map(queuedFrom),
    hosts: async (runId, { counts, limit }) => (sql.get(counts ? ALL_HOSTS : QUEUED_HOSTS).all(runId, limit) as Row[]).map(hostFrom),
    pauses: async (now, limit) => (sql.get(PAUSES).all(now, limit) as Row[]).map(paceFrom),
    pace: async (host) => {
      const row = sql.get(PACE).get(host) as Row | undefined;
      return row && paceFrom(row);
    },
    resetHost: async (host, nextAt, now) => {
      sql.named(RESET_HOST).run({ host, next: Math.ceil(nextAt), delay: Math.max(0, Math.ceil(nextAt) - now) });
    },
    async *settled(runId, after) {
      const found = sql.get(SETTLED_IDS).all(runId, after) as Row[];
      const ids = found.sort((a, b) => Number(a.seq) - Number(b.seq)).map(({ id }) => Number(id));
      for (let from = 0; from < ids.length; from += CHUNK) {
        const rows = sql.get(SETTLED).all(JSON.stringify(ids.slice(from, from + CHUNK))) as Row[];
        yield* rows.map(settledFrom);
      }
    },
    listQueued: async (runId, after, limit) =>
      (sql.get(LIST_QUEUED).all(runId, after, limit) as Row[]).map(({ id, url, kind, host }) => ({
        id: Number(id),
        url: String(url),
        kind: String(kind),
        host: String(host),
      })),
    removeQueued: async (rows, at) =>
      inTransaction(db, () => {
        for (const { id, reason, rule } of rows) sql.get(REMOVE_QUEUED).run(reason, rule, at, id);
      }),
  };
}

const queuedFrom = (row: Row) => ({
  id: Number(row.id),
  url: String(row.url),
  host: String(row.host),
  kind: String(row.kind),
  depth: Number(row.depth),
  level: Number(row.level),
  priority: Number(row.priority),
  attempts: Number(row.attempts),
  parentUrl: row.parent as string | null,
  notBefore: Number(row.next_at),
  place: { hostId: Number(row.host_id), level: Number(row.level), priority: Number(row.priority), id: Number(row.id) },
});

const hostFrom = (row: Row): HostState => ({
  ...paceFrom(row),
  queued: Number(row.queued),
  done: Number(row.done),
  failed: Number(row.failed),
});

const paceFrom = (row: Row): HostPace => ({
  host: String(row.name),
  nextAt: Number(row.next_at),
  delayMs: Number(row.delay),
  cause: row.cause as DelayCause,
  failures: Number(row.failures),
});

const settledFrom = (row: Row): SettledUrl => ({
  seq: Number(row.place),
  url: String(row.asked),
  depth: Number(row.clicks),
  verdict: row.fate as Verdict,
  reason: row.reason as Reason,
  rule: String(row.rule),
  status: row.answer as number | null,
  at: Number(row.at),
  page: row.id === null ? undefined : pageFrom(row),
});
