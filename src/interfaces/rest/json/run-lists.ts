/** Lists of runs and of queued URLs. */
import type { z } from "zod";
import type { Cursor, List, QueueCursor, QueuedUrl, Run, Store } from "../../../store/index.ts";
import { numbersOf } from "../cursor.ts";
import type { LiveRuns } from "../events/live.ts";
import type { RunSummary } from "../shapes/shapes.ts";
import { runJson, statusOf } from "./run-json.ts";

const RUNS_PER_READ = 200;

type RunRow = z.output<typeof RunSummary>;

interface RunFilter {
  readonly siteId?: number | undefined;
  readonly isWanted: (run: RunRow) => boolean;
}

/** Latest first. */
export function runList(store: Store, live: LiveRuns): List<RunFilter, RunRow> {
  async function* from({ siteId, isWanted }: RunFilter, first?: number): AsyncGenerator<RunRow> {
    for (let before = first; ; ) {
      const runs: readonly Run[] = await store.runs({ kind: "crawl", siteId, before, limit: RUNS_PER_READ });
      for (const run of runs) {
        const json = runJson(run, statusOf(store, run, live));
        if (isWanted(json)) yield json;
      }
      if (runs.length < RUNS_PER_READ) return;
      before = runs.at(-1)!.id;
    }
  }
  return {
    sorts: ["latest"],
    async part(filter, { after, limit }) {
      const rows: RunRow[] = [];
      for await (const run of from(filter, after && numbersOf(after, 1)[0])) {
        if (rows.length === limit) return { rows, next: [rows.at(-1)!.id] };
        rows.push(run);
      }
      return { rows, next: undefined };
    },
    async count(filter) {
      let count = 0;
      for await (const _ of from(filter)) count += 1;
      return count;
    },
  };
}

interface QueueFilter {
  readonly runId: number;
  readonly host?: string | undefined;
}

const queuePlaceOf = (after: Cursor): QueueCursor => {
  const [hostId, level, priority, id] = numbersOf(after, 4);
  return { hostId: hostId!, level: level!, priority: priority!, id: id! };
};

/** Grouped by host, in queue order. */
export const queueList = ({ queue }: Store): List<QueueFilter, QueuedUrl> => ({
  sorts: ["turn"],
  async part({ runId, host }, { after, limit }) {
    const rows = await queue.queuedUrls(runId, { host, after: after && queuePlaceOf(after), limit: limit + 1 });
    const { hostId, level, priority, id } = rows[limit - 1]?.place ?? {};
    const next = rows.length > limit ? [hostId!, level!, priority!, id!] : undefined;
    return { rows: rows.slice(0, limit), next };
  },
  async count({ runId, host }) {
    const hosts = await queue.hosts(runId, { counts: false, limit: Number.MAX_SAFE_INTEGER });
    return hosts.reduce((sum, { queued, host: name }) => sum + (host === undefined || host === name ? queued : 0), 0);
  },
});
