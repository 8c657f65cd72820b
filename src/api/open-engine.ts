/** The runs of this process: started, held by their numbers, told to whoever listens. */
import type { App } from "../app.ts";
import { type Config, resolveConfig } from "../config/index.ts";
import type { CrawlEvent } from "../crawl/index.ts";
import { type Crawl, crawl, resumeRun } from "../operations/crawl.ts";
import type { Run } from "../store/index.ts";
import type { Engine, EngineEvent, StartRequest } from "./engine.ts";
import { Problem } from "./problem.ts";

export interface EngineSetup {
  readonly setup: Readonly<Record<string, unknown>>;
  readonly emit: (event: EngineEvent) => void;
}

/** With what only its own process needs. */
export interface OwnEngine extends Engine {
  /** Takes up the runs that the process before had begun. */
  carryOn(): Promise<void>;
  /** Stops every run so that another process can take it up. */
  rest(): Promise<void>;
}

interface Held {
  readonly crawl: Crawl;
  isPaused: boolean;
}

const TICK = 1000;

export function openEngine(app: App, { emit }: EngineSetup): OwnEngine {
  const held = new Map<number, Held>();
  const tick = setInterval(() => {
    for (const { crawl, isPaused } of held.values())
      emit(eventOf(crawl.run, "crawl.progress", undefined, { ...crawl.control.progress(), isPaused }));
  }, TICK);
  tick.unref();

  const hold = async (begin: (tell: (event: CrawlEvent) => void) => Promise<Crawl>): Promise<Run> => {
    let run: Run | undefined;
    const early: CrawlEvent[] = [];
    const tell = (event: CrawlEvent) => (run ? emit(asEngineEvent(run, event)) : early.push(event));
    const crawl = await begin(tell);
    run = crawl.run;
    for (const event of early.splice(0)) tell(event);
    held.set(run.id, { crawl, isPaused: false });
    crawl.control.result
      .catch((cause: unknown) => emit(eventOf(crawl.run, "crawl.failed", undefined, { message: String(cause) })))
      .finally(() => held.delete(crawl.run.id));
    return run;
  };
  const atWork = (runId: number): Held => {
    const one = held.get(runId);
    if (!one) throw new Problem("conflict", `run ${runId} is not at work here`, { runId });
    return one;
  };

  return {
    start: (request) =>
      hold((tell) => crawl(app, { seeds: request.seeds, config: configOf(request), mode: request.isNew ? "new" : "auto", emit: tell })),
    async takeUp(runId) {
      const run = await app.store.run(runId);
      if (!run) throw new Problem("not-found", `there is no run ${runId}`);
      return hold((tell) =>
        resumeRun(app, run, { config: resolveConfig([{ from: `run ${runId}`, values: run.options }]) as Config, emit: tell }),
      );
    },
    pause(runId) {
      const one = atWork(runId);
      one.isPaused = true;
      one.crawl.control.pause();
      emit(eventOf(one.crawl.run, "crawl.paused", undefined, {}));
    },
    goOn(runId) {
      const one = atWork(runId);
      one.isPaused = false;
      one.crawl.control.goOn();
      emit(eventOf(one.crawl.run, "crawl.resumed", undefined, {}));
    },
    async stop(runId) {
      const { crawl } = atWork(runId);
      crawl.control.stop();
      await crawl.control.result;
      return (await app.store.run(runId))!;
    },
    async cancel(runId) {
      const { crawl } = atWork(runId);
      crawl.control.abort();
      await crawl.control.result.catch(() => undefined);
      throw new Problem("internal", "not yet");
    },
    async edit() {
      throw new Problem("internal", "not yet");
    },
    progress(runId) {
      const one = held.get(runId);
      return one && { ...one.crawl.control.progress(), isPaused: one.isPaused };
    },
    async carryOn() {},
    async rest() {
      for (const { crawl } of held.values()) crawl.control.stop();
      await Promise.allSettled([...held.values()].map(({ crawl }) => crawl.control.result));
    },
  };
}

const configOf = ({ options }: StartRequest): Config => resolveConfig([{ from: "the request", values: options }]);

function asEngineEvent(run: Run, event: CrawlEvent): EngineEvent {
  const { type, ...data } = event;
  const seq = event.type === "page.fetched" || event.type === "page.gone" ? event.page.seq : undefined;
  return eventOf(run, type, seq, data);
}

const eventOf = (run: Run, type: EngineEvent["type"], seq: number | undefined, data: object): EngineEvent => ({
  runId: run.id,
  siteIds: run.sites.map(({ id }) => id),
  type,
  seq,
  data: JSON.stringify({ type, at: new Date().toISOString(), crawlId: run.id, siteIds: run.sites.map(({ id }) => id), ...data }),
});
