import type { Row } from "../sqlite/rows.ts";
import type { LeaseInfo, ShallowerUrl, WorkerInfo, WorkerStore } from "../workers.ts";
import type { DatabaseRetry } from "./database-retry.ts";
import { pendingDepths, REMOVE_PENDING_DEPTHS } from "./settle/settle-statements.ts";
import type { SharedRuns } from "./shared-runs.ts";
import type { WorkerSession } from "./worker-session.ts";

/** $1 now. */
const WORKERS = `SELECT w.*, t.now - w.seen_at AS silence, (SELECT count(*) FROM host WHERE owner >= w.id || '/' AND owner < w.id || '0') AS leases,
    coalesce((SELECT sum(cardinality(out)) FROM run_worker WHERE worker_id = w.id), 0) AS out,
    coalesce((SELECT sum((counters::json ->> 'pages')::bigint) FROM run_worker WHERE worker_id = w.id), 0) AS pages,
    coalesce((SELECT json_agg(run_id ORDER BY run_id) FROM run_worker WHERE worker_id = w.id)::text, '[]') AS runs
  FROM worker w CROSS JOIN (SELECT coalesce($1::bigint, now_ms()) AS now) AS t ORDER BY w.started_at, w.id`;

/** $1 worker, $2 limit, $3 now. An owner is a worker id and a run id. */
const LEASES = `SELECT h.name, h.owner, h.until, h.epoch, h.next_at, coalesce(r.queued, 0) AS queued FROM host h
    LEFT JOIN run_host r ON r.host_id = h.id AND r.run_id = substring(h.owner from '[^/]*$')::bigint
  WHERE h.owner IS NOT NULL AND ($1::text IS NULL OR h.owner >= $1 || '/' AND h.owner < $1 || '0') AND h.until >= coalesce($3::bigint, now_ms())
  ORDER BY h.name LIMIT $2`;

const IS_LEADER = "SELECT 1 FROM run WHERE id = $1 AND owner = $2 AND status = 'running'";

const RESIGN_LEAD = "UPDATE run SET owner = NULL WHERE id = $1 AND owner = $2 AND status = 'running'";

/** $1 now, $2 lease, $3 worker. A run that was asked to stop is not taken over. */
const RUNNING = `WITH alive AS (SELECT id, is_draining FROM worker WHERE seen_at >= coalesce($1::bigint, now_ms()) - $2)
  SELECT r.id, r.owner IN (SELECT id FROM alive) IS TRUE AS is_led,
    $3 = (SELECT min(p.worker_id) FROM run_worker p JOIN alive a ON a.id = p.worker_id WHERE p.run_id = r.id AND NOT a.is_draining) AS is_next
  FROM run r WHERE r.status = 'running' AND r.stop_wanted = 0 ORDER BY r.id`;

const PENDING_DEPTHS = `SELECT n.decision_id AS id, n.depth, d.url, coalesce(d.key, d.url) AS key, (d.hash >> 32) & 4294967295 AS hi, d.hash & 4294967295 AS lo,
    d.kind, d.hops, d.via, d.site_id, (SELECT url FROM decision WHERE id = d.parent_id) AS parent
  FROM nearness n JOIN decision d ON d.id = n.decision_id WHERE n.run_id = $1 ORDER BY n.depth, n.decision_id`;

export function openWorkers(session: WorkerSession, runs: SharedRuns, databaseRetry: DatabaseRetry): WorkerStore {
  return {
    canShare: true,
    list: async () => session.query(WORKERS, [session.now]).map((row) => workerFrom(row, session.lease)),
    leases: async ({ worker, limit }) => session.query(LEASES, [worker, limit, session.now]).map(leaseFrom),
    announce: async (worker) => session.announce(worker),
    drain: async () => session.drain(),
    join: async (run) => runs.begin(run),
    leave: async (runId, counters) => runs.leave(runId, counters),
    isLeader: async (runId) => session.query(IS_LEADER, [runId, session.id]).length > 0,
    resignLead: async (runId) => void session.query(RESIGN_LEAD, [runId, session.id]),
    pendingDepths: async (runId) => session.query(PENDING_DEPTHS, [runId]).map(shallowerFrom),
    markDepthsDone: async (runId, urls) =>
      void session.query(REMOVE_PENDING_DEPTHS, [...pendingDepths.values(urls.map(({ id, depth }) => ({ id, depth }))), runId]),
    running: async () =>
      session
        .query(RUNNING, [session.now, session.lease, session.id])
        .map(({ id, is_led, is_next }) => ({ runId: Number(id), hasLeader: is_led === 1, isNext: is_next === 1 })),
    shortenWaits: () => databaseRetry.shortenWaits(),
    waitForSignal: (milliseconds) => session.wake(milliseconds),
  };
}

const shallowerFrom = (row: Row): ShallowerUrl => ({
  id: Number(row.id),
  url: String(row.url),
  key: String(row.key),
  hash: { hi: Number(row.hi), lo: Number(row.lo) },
  kind: row.kind as ShallowerUrl["kind"],
  depth: Number(row.depth),
  hops: Number(row.hops),
  via: row.via as ShallowerUrl["via"],
  parent: row.parent === null ? undefined : String(row.parent),
  siteId: Number(row.site_id),
});

const workerFrom = (row: Row, lease: number): WorkerInfo => ({
  id: String(row.id),
  name: String(row.name),
  machine: String(row.machine),
  pid: Number(row.pid),
  version: String(row.version),
  startedAt: Number(row.started_at),
  seenAt: Number(row.seen_at),
  silence: Number(row.silence),
  isAlive: Number(row.silence) <= lease,
  isDraining: row.is_draining === 1,
  maxConcurrent: Number(row.max_concurrent),
  leases: Number(row.leases),
  out: Number(row.out),
  pages: Number(row.pages),
  runs: JSON.parse(String(row.runs)) as number[],
});

function leaseFrom(row: Row): LeaseInfo {
  const owner = String(row.owner);
  const cut = owner.lastIndexOf("/");
  return {
    host: String(row.name),
    worker: owner.slice(0, cut),
    runId: Number(owner.slice(cut + 1)),
    until: Number(row.until),
    epoch: Number(row.epoch),
    nextAt: Number(row.next_at),
    queued: Number(row.queued),
  };
}
