import type { App } from "../../engine/app.ts";
import type { CrawlEvent, RunControl, RunResult } from "../../engine/crawl/index.ts";
import type { Run } from "../../store/index.ts";
import type { StartRun } from "./crawl.ts";

export interface PhaseSetup {
  readonly emit: (event: CrawlEvent) => void;
  readonly start: StartRun;
}

export interface PhaseSignals {
  /** Ends the phase after the current work. */
  readonly stop: AbortSignal;
  /** Ends the phase at once. */
  readonly abort: AbortSignal;
}

/**
 * Adds a phase after a crawl, unless that was interrupted. `crawl.finished` is held back until the phase is done, and includes its
 * result.
 */
export async function withPhase(
  app: App,
  run: Run,
  { emit, start }: PhaseSetup,
  work: (crawled: RunResult, signals: PhaseSignals) => Promise<RunResult>,
): Promise<RunControl> {
  const [stop, abort] = [new AbortController(), new AbortController()];
  let emitFinished: (result: RunResult, ended: Run) => void = () => undefined;
  const control = await start((event) => {
    if (event.type !== "crawl.finished") return emit(event);
    emitFinished = (result, ended) => emit({ ...event, run: ended, result });
  });
  const result = control.result.then(async (crawled) => {
    const wasStopped = crawled.stopReason === "stopped" || stop.signal.aborted;
    const done = wasStopped ? crawled : await work(crawled, { stop: stop.signal, abort: abort.signal });
    emitFinished(done, (await app.store.run(run.id)) ?? run);
    return done;
  });
  return {
    ...control,
    result,
    stop: () => {
      stop.abort();
      control.stop();
    },
    abort: () => {
      stop.abort();
      abort.abort(new Error("stopped"));
      control.abort();
    },
  };
}
