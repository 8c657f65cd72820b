/** Calls from the front to the desks. They have no path, so clients cannot reach them. */
import type { SavedResponse } from "../../../store/index.ts";
import { runEvent } from "../events/event-json.ts";
import { missedEvents, readRunState } from "../events/past-events.ts";
import type { EngineContext, Reply } from "../route.ts";
import { type ExportTask, writeExport } from "../write-export.ts";
import type { WantedRuns } from "./engine.ts";
import { failHungRuns } from "./fail-hung-runs.ts";

const DAY_MS = 86_400_000;

export interface Internals {
  readonly ready: undefined;
  readonly workers: undefined;
  readonly findKey: string;
  readonly findReplay: string;
  readonly keepReplay: { readonly key: string; readonly replay: SavedResponse };
  /** Settled outcomes of a run after a position, as a stream of event lists. */
  readonly missedEvents: { readonly runId: number; readonly after: number };
  readonly standing: number;
  readonly runsAfter: number;
  readonly listen: WantedRuns;
  readonly answersAt: string;
  /** Returns the events to send for it. */
  readonly giveUpHung: undefined;
  readonly writeExport: ExportTask;
}

type Handlers = { readonly [name in keyof Internals]: (context: EngineContext, input: Internals[name]) => Promise<Reply> };

export const internals: Handlers = {
  ready: async ({ app }) => ({ data: { sites: (await app.store.sites()).length } }),
  workers: async ({ app }) => ({ data: await app.store.workers.list() }),
  findKey: async ({ app }, hash) => {
    const key = await app.store.keys.find(hash);
    return { data: key?.scope ?? null };
  },
  findReplay: async ({ app }, key) => ({ data: (await app.store.idempotency.find(key, app.world.clock.wall() - DAY_MS)) ?? null }),
  keepReplay: async ({ app }, { key, replay }) => {
    const now = app.world.clock.wall();
    await app.store.idempotency.save(key, replay, now, now - DAY_MS);
    return { status: 204 };
  },
  missedEvents: async ({ app }, { runId, after }) => ({ stream: { type: "application/json", parts: missedEvents(app, runId, after) } }),
  standing: async ({ app }, runId) => ({ data: (await readRunState(app, runId)) ?? null }),
  runsAfter: async ({ app }, runId) => {
    const runs = await app.store.runs({ limit: MAX_RUNS });
    return { data: runs.map(({ id }) => id).filter((id) => id > runId) };
  },
  listen: async ({ engine }, wanted) => {
    engine.listen(wanted);
    return { status: 204 };
  },
  answersAt: async ({ app }, url) => {
    // The parent of this process is the one that listens on the network.
    await app.store.service.setServerUrl(url, process.ppid);
    return { status: 204 };
  },
  giveUpHung: async ({ app }) => ({
    data: (await failHungRuns(app)).map((run) => runEvent(run, "crawl.failed", { message: "the crawling process hung, and was ended" })),
  }),
  writeExport: async ({ app }, order) => ({ data: await writeExport(app, order) }),
};

const MAX_RUNS = 100;
