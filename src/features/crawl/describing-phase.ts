import type { Spending } from "../../engine/ai/index.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import type { DescribingReport, RunControl } from "../../engine/crawl/index.ts";
import type { Run } from "../../store/index.ts";
import { Describer } from "../enrich/describe-pages.ts";
import { describeStored } from "../enrich/describe-stored.ts";
import { type PhaseSetup, withPhase } from "./phase.ts";

interface DescribingSetup extends PhaseSetup {
  readonly config: Config;
  readonly spending: Spending;
}

/** A crawl followed by a phase in which a model describes pages that lack it. Failures of the model do not affect the crawl's result. */
export async function withDescribing(app: App, run: Run, { config, spending, ...setup }: DescribingSetup): Promise<RunControl> {
  return withPhase(app, run, setup, async (crawled, { stop, abort }) => {
    const describer = await Describer.open(app, config, AbortSignal.any([stop, abort]), spending);
    let trouble: string | null = null;
    try {
      setup.emit({ type: "crawl.phase", phase: "describing", pages: 0 });
      const siteIds = run.sites.map(({ id }) => id);
      for await (const { url } of describeStored(app, siteIds, describer))
        setup.emit({ type: "page.described", url, describing: describer.report() });
    } catch (cause) {
      trouble = cause instanceof Error ? cause.message : String(cause);
    } finally {
      await describer.close();
    }
    const report = describer.report();
    const describing: DescribingReport = trouble === null ? report : { ...report, trouble };
    return { ...crawled, describing };
  });
}
