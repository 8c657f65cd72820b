import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import { type CrawlEvent, countLinks, type RunControl, type RunResult, type ScoringReport } from "../crawl/index.ts";
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
  let last: (result: RunResult, ended: Run) => void = () => undefined;
  const control = await start((event) => {
    if (event.type !== "crawl.finished") return emit(event);
    // The end of the run is told when it is the end.
    last = (result, ended) => emit({ ...event, run: ended, result });
  });

  async function score({ stopReason }: RunResult): Promise<ScoringReport | undefined> {
    if (stopReason === "interrupted" || stop.signal.aborted) return undefined;
    emit({ type: "crawl.phase", phase: "judging", pages: 0 });
    const request = { config, sites: run.sites, runId: run.id, stop: stop.signal, abort: abort.signal };
    return scoreLinks(app, { ...request, onProgress: (scoring) => emit({ type: "links.scored", scoring }) });
  }

  const result = control.result.then(async (crawled) => {
    const scoring = await score(crawled);
    const judged = scoring ? await noted(app, run, { crawled, scoring, ratio: config.scoreRatio }) : crawled;
    last(judged, (await app.store.run(run.id)) ?? run);
    return judged;
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

/** What it found and cost stays with the run, unless somebody has taken that up again meanwhile. */
async function noted(
  { store }: App,
  { id, sites }: Run,
  { crawled, scoring, ratio }: { crawled: RunResult; scoring: ScoringReport; ratio: number },
): Promise<RunResult> {
  const siteIds = sites.map((site) => site.id);
  const links = crawled.stats.links && (await countLinks(store, siteIds, { runId: id, ratio }));
  const stats = links ? { ...crawled.stats, links } : crawled.stats;
  const run = await store.run(id);
  if (run?.stopReason && run.endedAt !== undefined && run.status !== "running") {
    const { status, stopReason, endedAt: at, state } = run;
    await store.endRun(id, { status, stopReason, at, counters: stats, state: { ...state, scoring } });
  }
  return { ...crawled, stats, scoring };
}
