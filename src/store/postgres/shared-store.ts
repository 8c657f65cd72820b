import { randomUUID } from "node:crypto";
import type { Backlog } from "../backlog.ts";
import { withRetries } from "../retries.ts";
import type { Settlement, SettleResult } from "../settlement.ts";
import type { StoreTools } from "../sqlite/open.ts";
import type { Store } from "../store.ts";
import { PostgresBacklog } from "./backlog.ts";
import type { DatabaseRetry } from "./database-retry.ts";
import { findDuplicates, hasOtherRuns, ledgerRows } from "./reads.ts";
import { hostsIn, Settling } from "./settle/settle.ts";
import type { SharedRuns } from "./shared-runs.ts";
import type { WorkerSession } from "./worker-session.ts";
import { openWorkers } from "./workers.ts";

/** The store methods a crawl uses all the time, for several processes at once. */
export function sharedStore(
  { sql, runs, oldVersions: old, words }: StoreTools,
  session: WorkerSession,
  shared: SharedRuns,
  databaseRetry: DatabaseRetry,
): Partial<Store> {
  const backlogs = new Map<number, { readonly own: PostgresBacklog; readonly retrying: Backlog }>();
  const backlogOf = (runId: number) => {
    const known = backlogs.get(runId);
    if (known) return known;
    const own = new PostgresBacklog(session, runId);
    session.listen(own);
    const backlog = { own, retrying: retryingBacklog(own, databaseRetry) };
    backlogs.set(runId, backlog);
    return backlog;
  };

  async function settle(settlement: Settlement): Promise<SettleResult> {
    const { runId } = settlement;
    const id = randomUUID();
    const context = { sql, session, old, backlog: backlogOf(runId).own, part: shared.partOf(runId) };
    let done: { settling: Settling; settled: SettleResult } | undefined;
    words.flushIfFull();
    const attempt = () => {
      const hostIds = hostsIn(session, settlement);
      return session.transaction(() => {
        done = undefined;
        // Made anew for each attempt: a transaction that conflicted with another is repeated from the start.
        const settling = new Settling(context, settlement, { id, hostIds });
        const settled = settling.write();
        done = { settling, settled };
        return done;
      });
    };
    const {
      settling,
      settled,
      isHeard: isAnswered,
    } = await databaseRetry.run(() => {
      // The commit may have succeeded although its answer was lost.
      const isCommitted = done && session.query(IS_COMMITTED, [runId, id]).length > 0;
      return isCommitted ? { ...done!, isHeard: false } : { ...withRetries(attempt, isUniqueViolation), isHeard: true };
    });
    settling.finish(isAnswered);
    words.add(settling.pages.words);
    return {
      ...settled,
      pages: settled.pages.map((load) => load && (() => databaseRetry.runSync(load))),
      linksOf: (pageId) => databaseRetry.runSync(() => settled.linksOf(pageId)),
    };
  }

  return {
    workers: openWorkers(session, shared, databaseRetry),
    backlog: (runId) => backlogOf(runId).retrying,
    hasOtherRuns: async (run) => hasOtherRuns(session, run),
    ledgerRows: async (runId, hashes) => ledgerRows(session, runId, hashes),
    findDuplicates: async (runId, suspects) => findDuplicates(session, runId, suspects),
    settle,
    startRun: async (run) => {
      const started = runs.start(run);
      shared.begin(started);
      session.notifyWorkers(started.id);
      return started;
    },
    resumeRun: async (...given) => {
      const resumed = runs.resume(...given);
      shared.begin(resumed);
      return resumed;
    },
    endRun: async (runId, end) => {
      words.flush();
      shared.end(runs, runId, end);
      old.removeBodies();
    },
    isAlive: (run) => databaseRetry.runSync(() => runs.isAlive(run)),
    releaseHosts: async (runId) => {
      const { own } = backlogOf(runId);
      own.releaseAll();
      session.unlisten(own);
      backlogs.delete(runId);
      // Each request outside a run has its own id, and counts nothing.
      if (runId <= 0) shared.drop(runId);
    },
  };
}

/** FOR UPDATE waits for a commit that is still under way. */
const IS_COMMITTED = "SELECT 1 FROM run_worker WHERE run_id = $1 AND settlement = $2 FOR UPDATE";

function retryingBacklog(own: PostgresBacklog, databaseRetry: DatabaseRetry): Backlog {
  const { holds, mayAsk, lives, rest, takePages } = own.sharing;
  return {
    sharing: {
      holds,
      mayAsk,
      lives,
      rest: (maxWait) => databaseRetry.run(() => rest(maxWait)),
      takePages: (...given) => databaseRetry.run(() => takePages(...given)),
    },
    hosts: (...given) => databaseRetry.run(() => own.hosts(...given)),
    load: (requests) => databaseRetry.run(() => own.load(requests)),
    claim: (turns) => databaseRetry.run(() => own.claim(turns)),
    giveBack: (host) => databaseRetry.run(() => own.giveBack(host)),
    release: (host) => databaseRetry.run(() => own.release(host)),
  };
}

/** Unique violation: another process inserted the same row first, and it is visible by now. */
const isUniqueViolation = (cause: unknown): boolean => (cause as { code?: string }).code === "23505";
