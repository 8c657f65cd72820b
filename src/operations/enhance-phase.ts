import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import type { CrawlEvent, MetadataReport, RunControl, RunResult } from "../crawl/index.ts";
import type { Run } from "../store/index.ts";
import { EXTRACTOR_VERSION } from "../version.ts";
import { type PhaseSetup, withPhase } from "./phase.ts";

interface Given {
  readonly config: Config;
  readonly emit: (event: CrawlEvent) => void;
  readonly stop: AbortSignal;
}

/** The maximum: nothing is fetched, so there is no reason for smaller batches. */
const BATCH = 100;
/** Least number of new pages for learning what repeats. */
const ENOUGH = 5;

/**
 * A crawl followed by a phase that fills in missing metadata of stored pages and learns what repeats on its sites. Its failures do not
 * affect the crawl's result.
 */
export async function thenEnhance(
  app: App,
  run: Run,
  { config, emit, start }: PhaseSetup & { readonly config: Config },
): Promise<RunControl> {
  return withPhase(app, run, { emit, start }, async (crawled, { stop }) => ({
    ...crawled,
    metadata: await complete(app, run, crawled, { config, emit, stop }),
  }));
}

async function complete(app: App, run: Run, { stats }: RunResult, given: Given): Promise<MetadataReport> {
  const counts = { read: 0, failed: 0 };
  const report = async (ended: MetadataReport["ended"], trouble: string | null): Promise<MetadataReport> => ({
    ...counts,
    ended,
    trouble,
    verdicts: await app.store.metadata.verdicts({ runId: run.id }),
  });
  try {
    await fillIn(app, run, given, counts);
    await findable(app, run, given);
    if (given.stop.aborted) return await report("interrupted", null);
    if (stats.changes.new + stats.changes.changed + counts.read >= ENOUGH) await learn(app, run);
    return await report("finished", null);
  } catch (cause) {
    return report("failed", cause instanceof Error ? cause.message : String(cause));
  }
}

async function fillIn(app: App, { sites }: Run, { config, emit, stop }: Given, counts: { read: number; failed: number }): Promise<void> {
  const siteIds = sites.map(({ id }) => id);
  const total = await app.store.metadata.countToFill({ siteIds, before: EXTRACTOR_VERSION, hasBody: true });
  if (total === 0) return;
  emit({ type: "crawl.phase", phase: "enhancing", pages: total });
  const { enhancing } = await import("./enhance.ts");
  for (const id of siteIds) {
    for await (const { status } of enhancing(app, { config, site: String(id), batchSize: BATCH, signal: stop })) {
      counts[status === "failed" ? "failed" : "read"] += 1;
      emit({ type: "metadata.filled", filling: { done: counts.read + counts.failed, total } });
    }
  }
}

/** Indexes pages whose metadata is older than the search index, or that came without metadata. */
async function findable(app: App, { sites }: Run, { config, stop }: Given): Promise<void> {
  const { indexWords } = await import("./index-words.ts");
  await indexWords(app, { siteIds: sites.map(({ id }) => id), config, signal: stop });
}

async function learn({ store, world }: App, { sites }: Run): Promise<void> {
  const { learnBoilerplate, rememberSources } = await import("../enhance/index.ts");
  for (const site of sites) {
    await learnBoilerplate(store, site.id, world.clock.wall());
    await rememberSources(store, site, world.clock.wall());
  }
}
