import type { Job, JobKind, JobStatus, ServerRun, ServiceStore } from "../service.ts";
import { isFromElsewhere, isOwnerAlive, ownerId } from "./files/owner.ts";
import { type Row, type Statements, uuidv7 } from "./rows.ts";

const parsed = (text: unknown) => JSON.parse(String(text ?? "{}")) as Record<string, unknown>;

const jobFrom = (row: Row): Job => ({
  id: Number(row.id),
  uid: String(row.uid),
  kind: row.kind as JobKind,
  status: row.status as JobStatus,
  input: parsed(row.input),
  result: parsed(row.result),
  madeAt: Number(row.made_at),
  endedAt: row.ended_at === null ? undefined : Number(row.ended_at),
});

const serverRunFrom =
  (file: string | undefined) =>
  ({ key, value }: Row): ServerRun => {
    const { isPaused, isCancelled, owner = "" } = parsed(value) as Partial<ServerRun> & { owner?: string };
    const isElsewhere = isFromElsewhere(owner, file);
    return { id: Number(String(key).slice(5)), isPaused: isPaused === true, isCancelled: isCancelled === true, isElsewhere };
  };

/** `file`: identifies the data file, if there is one. */
export function openService(sql: Statements, file: string | undefined): ServiceStore {
  const setMeta = (key: string, value: unknown) =>
    sql.get("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(key, JSON.stringify(value));
  return {
    serverRuns: async () =>
      (sql.get("SELECT key, value FROM meta WHERE key GLOB 'held.*' ORDER BY key").all() as Row[]).map(serverRunFrom(file)),
    saveServerRun: async ({ id, isPaused, isCancelled }) =>
      void setMeta(`held.${id}`, { isPaused, isCancelled, owner: ownerId(process.pid, file) }),
    removeServerRun: async (runId) => void sql.get("DELETE FROM meta WHERE key = ?").run(`held.${runId}`),
    server: async () => {
      const row = sql.get("SELECT value FROM meta WHERE key = 'server'").get() as Row | undefined;
      const { url, owner } = parsed(row?.value) as { url?: string; owner?: string };
      return owner !== undefined && isOwnerAlive(owner, { file }) ? url : undefined;
    },
    setServerUrl: async (url, pid) => {
      if (url === undefined) sql.get("DELETE FROM meta WHERE key = 'server' AND value ->> '$.owner' = ?").run(ownerId(pid, file));
      else setMeta("server", { url, owner: ownerId(pid, file) });
    },

    addJob: async (kind, input, at) =>
      jobFrom(
        sql
          .get("INSERT INTO job (uid, kind, status, input, made_at) VALUES (?, ?, 'queued', ?, ?) RETURNING *")
          .get(uuidv7(at), kind, JSON.stringify(input), at) as Row,
      ),
    job: async (id) => {
      const row = sql.get("SELECT * FROM job WHERE id = ?").get(id) as Row | undefined;
      return row && jobFrom(row);
    },
    updateJob: async (id, { status, result, endedAt }) =>
      void sql
        .get("UPDATE job SET status = ?, result = ?, ended_at = ? WHERE id = ?")
        .run(status, JSON.stringify(result), endedAt ?? null, id),
    unfinishedJobs: async () => (sql.get("SELECT * FROM job WHERE ended_at IS NULL ORDER BY id").all() as Row[]).map(jobFrom),
    jobs: async (kind, { before, limit }) =>
      (
        sql
          .get("SELECT * FROM job WHERE kind = ? AND id < ? ORDER BY id DESC LIMIT ?")
          .all(kind, before ?? Number.MAX_SAFE_INTEGER, limit) as Row[]
      ).map(jobFrom),
    removeJob: async (id) => void sql.get("DELETE FROM job WHERE id = ?").run(id),

    samples: async (runId) => {
      const row = sql.get("SELECT samples FROM run_samples WHERE run_id = ?").get(runId) as Row | undefined;
      return row && JSON.parse(String(row.samples));
    },
    // The run may have been removed in the meantime.
    saveSamples: async (runId, samples) =>
      void sql
        .get("INSERT OR REPLACE INTO run_samples (run_id, samples) SELECT id, ? FROM run WHERE id = ?")
        .run(JSON.stringify(samples), runId),
    saveOptions: async (runId, options) => void sql.get("UPDATE run SET options = ? WHERE id = ?").run(JSON.stringify(options), runId),
    pageIds: async (uids) => {
      const rows = sql.get("SELECT id, uid FROM page WHERE uid IN (SELECT value FROM json_each(?))").all(JSON.stringify(uids)) as Row[];
      return new Map(rows.map(({ id, uid }) => [String(uid), Number(id)]));
    },
  };
}
