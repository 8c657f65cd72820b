import type { Via, VisitKind } from "../../core/records.ts";
import { LEVELS } from "../../core/records.ts";
import type { StoredCandidate, Want } from "../backlog.ts";
import { parseLines } from "./columns.ts";
import { LOAD, queuesToLoad } from "./lease-statements.ts";
import type { WorkerSession } from "./worker-session.ts";

/** Extra rows to read, because rows already in memory are skipped. */
const EXTRA_ROWS = 16;

/** A front queue of a host, and how many rows it may still return. */
interface FrontQueue {
  readonly host: string;
  readonly level: number;
  readonly left: number;
  inMemory(id: number): boolean;
}

const frontQueuesOf = ({ host, share, inMemory }: Want): FrontQueue[] =>
  Array.from({ length: LEVELS }, (_, level) => ({ host, level, left: share(level), inMemory })).filter(({ left }) => left > 0);

const queueKey = ({ host, level }: { readonly host: string; readonly level: number }) => `${host} ${level}`;

interface RunOwner {
  readonly runId: number;
  readonly owner: string;
}

/**
 * The best queued rows of each host, all in one statement. Queues of which more rows were in memory than expected are read again, with a
 * larger limit.
 */
export function load(session: WorkerSession, runOwner: RunOwner, requests: readonly Want[]): StoredCandidate[][] {
  const found = new Map(requests.map(({ host }) => [host, [] as StoredCandidate[]]));
  let frontQueues = requests.flatMap(frontQueuesOf);
  for (let more = EXTRA_ROWS; frontQueues.length > 0; more *= 4) {
    const queries = frontQueues.map((frontQueue) => ({
      ...frontQueue,
      most: Number.isFinite(frontQueue.left) ? frontQueue.left + more : undefined,
    }));
    const rows = rowsOf(session, runOwner, queries);
    frontQueues = queries.filter((frontQueue) => {
      const all = rows.get(queueKey(frontQueue)) ?? [];
      const some = all.filter(({ id }) => !frontQueue.inMemory(id)).slice(0, frontQueue.left);
      const isCut = frontQueue.most !== undefined && all.length >= frontQueue.most && some.length < frontQueue.left;
      if (!isCut) found.get(frontQueue.host)!.push(...some);
      return isCut;
    });
  }
  return requests.map(({ host }) => found.get(host)!.sort((a, b) => a.level - b.level));
}

/** By host and level, best first. */
function rowsOf(
  session: WorkerSession,
  { runId, owner }: RunOwner,
  queries: readonly { host: string; level: number; most: number | undefined }[],
): Map<string, StoredCandidate[]> {
  const rows = new Map<string, StoredCandidate[]>();
  for (const line of parseLines(session.queryByIndex(LOAD, [...queuesToLoad.values(queries), runId, owner, session.now]))) {
    const candidate = candidateFrom(line);
    const key = queueKey(candidate);
    const known = rows.get(key);
    if (known) known.push(candidate);
    else rows.set(key, [candidate]);
  }
  for (const some of rows.values()) some.sort((a, b) => b.priority - a.priority || a.id - b.id);
  return rows;
}

/** In the column order of `LOAD` in `lease-statements.ts`. */
function candidateFrom(line: readonly string[]): StoredCandidate {
  const [host, id, url, key, hi, lo, kind, depth, hops, via, siteId, level, priority, attempts, parent] = line;
  return {
    id: Number(id),
    url: url!,
    key: key === "" ? url! : key!,
    hash: { hi: Number(hi), lo: Number(lo) },
    host: host!,
    kind: kind as VisitKind,
    depth: Number(depth),
    hops: Number(hops),
    via: via as Via,
    parent: parent === "" ? undefined : parent,
    siteId: Number(siteId),
    level: Number(level),
    priority: Number(priority),
    attempts: Number(attempts),
  };
}
