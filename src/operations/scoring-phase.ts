import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import type { CrawlEvent, RunControl, RunResult, ScoringReport } from "../crawl/index.ts";
import type { Run } from "../store/index.ts";
import type { StartRun } from "./crawl.ts";
import { scoreLinks } from "./score-links.ts";

interface PhaseSetup {
  readonly config: Config;
  readonly emit: (event: CrawlEvent) => void;
  readonly start: StartRun;
}

/** A crawl whose new links are shown to a model when it is over. The crawl is as good as done by then: whatever becomes of the model, its result stands. */
export async function thenScore(app: App, run: Run, { config, emit, start }: PhaseSetup): Promise<RunControl> {
  const [stop, abort] = [new AbortController(), new AbortController()];
  let last: (scoring: ScoringReport | undefined) => void = () => undefined;
  const control = await start((event) => {
    if (event.type !== "crawl.finished") return emit(event);
    // The end of the run is told when it is the end.
    last = (scoring) => emit(scoring ? { ...event, result: { ...event.result, scoring } } : event);
  });

  async function score({ stopReason }: RunResult): Promise<ScoringReport | undefined> {
    if (stopReason === "interrupted" || stop.signal.aborted) return undefined;
    emit({ type: "crawl.phase", phase: "judging", pages: 0 });
    const request = { config, sites: run.sites, runId: run.id, stop: stop.signal, abort: abort.signal };
    return scoreLinks(app, { ...request, onProgress: (scoring) => emit({ type: "links.scored", scoring }) });
  }

  const result = control.result.then(async (crawled) => {
    const scoring = await score(crawled);
    if (scoring) await note(app, run, scoring);
    last(scoring);
    return scoring ? { ...crawled, scoring } : crawled;
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

/** What it cost stays with the run, unless somebody has taken that up again meanwhile. */
async function note({ store }: App, { id }: Run, scoring: ScoringReport): Promise<void> {
  const run = await store.run(id);
  if (!run?.stopReason || run.endedAt === undefined || run.status === "running") return;
  const { status, stopReason, endedAt: at, counters, state } = run;
  await store.endRun(id, { status, stopReason, at, counters, state: { ...state, scoring } });
}
