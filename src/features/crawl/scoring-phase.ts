import type { Spending } from "../../engine/ai/index.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import { countLinks, type RunControl, type RunResult, type ScoringReport } from "../../engine/crawl/index.ts";
import type { Run } from "../../store/index.ts";
import { scoreLinks } from "../links/score-links.ts";
import { type PhaseSetup, withPhase } from "./phase.ts";

/** A crawl followed by a phase in which a model scores its new links. Failures of the model do not affect the crawl's result. */
export async function withScoring(
  app: App,
  run: Run,
  { config, emit, start, spending }: PhaseSetup & { readonly config: Config; readonly spending?: Spending },
): Promise<RunControl> {
  return withPhase(app, run, { emit, start }, async (crawled, signals) => {
    emit({ type: "crawl.phase", phase: "judging", pages: 0 });
    const request = { config, sites: run.sites, runId: run.id, spending, ...signals };
    const scoring = await scoreLinks(app, { ...request, onProgress: (scored) => emit({ type: "links.scored", scoring: scored }) });
    return saveScoring(app, run, { crawled, scoring, ratio: config.scoreRatio });
  });
}

/** Stores result and cost with the run, unless the run has been resumed meanwhile. */
async function saveScoring(
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
