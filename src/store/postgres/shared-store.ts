import { randomUUID } from "node:crypto";
import type { Backlog } from "../backlog.ts";
import { repeated } from "../collisions.ts";
import type { Settled, Settlement } from "../settlement.ts";
import type { StoreTools } from "../sqlite/open.ts";
import type { Store } from "../store.ts";
import { PostgresBacklog } from "./backlog.ts";
import type { Patience } from "./patience.ts";
import type { Presence } from "./presence.ts";
import { hasOtherRuns, ledgerRows, twinsOf } from "./reads.ts";
import { hostsIn, Settling } from "./settle.ts";
import type { SharedRuns } from "./shared-runs.ts";
import { openWorkers } from "./workers.ts";

/** The store methods a crawl uses all the time, for several processes at once. */
export function sharedStore(
  { sql, runs, old, words }: StoreTools,
  presence: Presence,
  shared: SharedRuns,
  patience: Patience,
): Partial<Store> {
  const backlogs = new Map<number, { readonly own: PostgresBacklog; readonly patient: Backlog }>();
  const backlogOf = (runId: number) => {
    const known = backlogs.get(runId);
    if (known) return known;
    const own = new PostgresBacklog(presence, runId);
    presence.listen(own);
    const backlog = { own, patient: patientBacklog(own, patience) };
    backlogs.set(runId, backlog);
    return backlog;
  };

  async function settle(settlement: Settlement): Promise<Settled> {
    const { runId } = settlement;
    const id = randomUUID();
    const context = { sql, presence, old, backlog: backlogOf(runId).own, part: shared.partOf(runId) };
    let done: { settling: Settling; settled: Settled } | undefined;
    words.makeRoom();
    const attempt = () => {
      const hostIds = hostsIn(presence, settlement);
      return presence.transaction(() => {
        done = undefined;
        // Made anew for each attempt: a transaction that conflicted with another is repeated from the start.
        const settling = new Settling(context, settlement, { id, hostIds });
        const settled = settling.write();
        done = { settling, settled };
        return done;
      });
    };
    const { settling, settled, isHeard } = await patience.patiently(() => {
      // The commit may have succeeded although its answer was lost.
      const isOnDisk = done && presence.ask(ON_DISK, [runId, id]).length > 0;
      return isOnDisk ? { ...done!, isHeard: false } : { ...repeated(attempt, wasSlower), isHeard: true };
    });
    settling.conclude(isHeard);
    words.add(settling.pages.words);
    return {
      ...settled,
      pages: settled.pages.map((load) => load && (() => patience.stubbornly(load))),
      linksOf: (pageId) => patience.stubbornly(() => settled.linksOf(pageId)),
    };
  }

  return {
    workers: openWorkers(presence, shared, patience),
    backlog: (runId) => backlogOf(runId).patient,
    hasOtherRuns: async (run) => hasOtherRuns(presence, run),
    ledgerRows: async (runId, hashes) => ledgerRows(presence, runId, hashes),
    twins: async (runId, suspects) => twinsOf(presence, runId, suspects),
    settle,
    startRun: async (run) => {
      const started = runs.start(run);
      shared.begin(started);
      presence.callOthers(started.id);
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
    isAlive: (run) => patience.stubbornly(() => runs.isAlive(run)),
    releaseHosts: async (runId) => {
      const { own } = backlogOf(runId);
      own.releaseAll();
      presence.unlisten(own);
      backlogs.delete(runId);
      // Each request outside a run has its own id, and counts nothing.
      if (runId <= 0) shared.drop(runId);
    },
  };
}

/** FOR UPDATE waits for a commit that is still under way. */
const ON_DISK = "SELECT 1 FROM run_worker WHERE run_id = $1 AND settlement = $2 FOR UPDATE";

function patientBacklog(own: PostgresBacklog, patience: Patience): Backlog {
  const { holds, mayAsk, lives, rest, takePages } = own.sharing;
  return {
    sharing: {
      holds,
      mayAsk,
      lives,
      rest: (maxWait) => patience.patiently(() => rest(maxWait)),
      takePages: (...given) => patience.patiently(() => takePages(...given)),
    },
    hosts: (...given) => patience.patiently(() => own.hosts(...given)),
    load: (wants) => patience.patiently(() => own.load(wants)),
    claim: (turns) => patience.patiently(() => own.claim(turns)),
    giveBack: (host) => patience.patiently(() => own.giveBack(host)),
    release: (host) => patience.patiently(() => own.release(host)),
  };
}

/** Unique violation: another process inserted the same row first, and it is visible by now. */
const wasSlower = (cause: unknown): boolean => (cause as { code?: string }).code === "23505";
