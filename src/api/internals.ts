/** Calls from the front to the desks. They have no path, so clients cannot reach them. */
import type { Replay } from "../store/index.ts";
import type { Wanted } from "./engine.ts";
import { runEvent } from "./event-json.ts";
import { giveUpHung } from "./give-up-hung.ts";
import { missedEvents, standing } from "./past-events.ts";
import type { EngineDesk, Reply } from "./route.ts";
import { type ExportOrder, writeExport } from "./write-export.ts";

const DAY = 86_400_000;

export interface Internals {
  readonly ready: undefined;
  readonly workers: undefined;
  readonly findKey: string;
  readonly findReplay: string;
  readonly keepReplay: { readonly key: string; readonly replay: Replay };
  /** Settled outcomes of a run after a position, as a stream of event lists. */
  readonly missedEvents: { readonly runId: number; readonly after: number };
  readonly standing: number;
  readonly runsAfter: number;
  readonly listen: Wanted;
  readonly answersAt: string;
  /** Returns the events to send for it. */
  readonly giveUpHung: undefined;
  readonly writeExport: ExportOrder;
}

type Work = { readonly [name in keyof Internals]: (desk: EngineDesk, input: Internals[name]) => Promise<Reply> };

export const internals: Work = {
  ready: async ({ app }) => ({ data: { sites: (await app.store.sites()).length } }),
  workers: async ({ app }) => ({ data: await app.store.workers.list() }),
  findKey: async ({ app }, hash) => {
    const key = await app.store.keys.find(hash);
    return { data: key?.scope ?? null };
  },
  findReplay: async ({ app }, key) => ({ data: (await app.store.replays.find(key, app.world.clock.wall() - DAY)) ?? null }),
  keepReplay: async ({ app }, { key, replay }) => {
    const now = app.world.clock.wall();
    await app.store.replays.keep(key, replay, now, now - DAY);
    return { status: 204 };
  },
  missedEvents: async ({ app }, { runId, after }) => ({ stream: { type: "application/json", parts: missedEvents(app, runId, after) } }),
  standing: async ({ app }, runId) => ({ data: (await standing(app, runId)) ?? null }),
  runsAfter: async ({ app }, runId) => {
    const runs = await app.store.runs({ limit: MOST_RUNS });
    return { data: runs.map(({ id }) => id).filter((id) => id > runId) };
  },
  listen: async ({ engine }, wanted) => {
    engine.listen(wanted);
    return { status: 204 };
  },
  answersAt: async ({ app }, url) => {
    // The parent of this process is the one that listens on the network.
    await app.store.service.answersAt(url, process.ppid);
    return { status: 204 };
  },
  giveUpHung: async ({ app }) => ({
    data: (await giveUpHung(app)).map((run) => runEvent(run, "crawl.failed", { message: "the crawling process hung, and was ended" })),
  }),
  writeExport: async ({ app }, order) => ({ data: await writeExport(app, order) }),
};

const MOST_RUNS = 100;
