import { EXTRACTOR_VERSION } from "../../core/version.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import type { CrawlEvent, MetadataReport, RunControl, RunResult } from "../../engine/crawl/index.ts";
import type { Run } from "../../store/index.ts";
import { type PhaseSetup, withPhase } from "./phase.ts";

interface PhaseInput {
  readonly config: Config;
  readonly emit: (event: CrawlEvent) => void;
  readonly stop: AbortSignal;
}

/** The maximum: nothing is fetched, so there is no reason for smaller batches. */
const BATCH = 100;
/** Least number of new pages for learning what repeats. */
const MIN_NEW_PAGES = 5;

/**
 * A crawl followed by a phase that fills in missing metadata of stored pages and learns what repeats on its sites. Its failures do not
 * affect the crawl's result.
 */
export async function withEnhancing(
  app: App,
  run: Run,
  { config, emit, start }: PhaseSetup & { readonly config: Config },
): Promise<RunControl> {
  return withPhase(app, run, { emit, start }, async (crawled, { stop }) => ({
    ...crawled,
    metadata: await completeMetadata(app, run, crawled, { config, emit, stop }),
  }));
}

async function completeMetadata(app: App, run: Run, { stats }: RunResult, input: PhaseInput): Promise<MetadataReport> {
  const counts = { read: 0, failed: 0 };
  const report = async (ended: MetadataReport["ended"], trouble: string | null): Promise<MetadataReport> => ({
    ...counts,
    ended,
    trouble,
    verdicts: await app.store.metadata.verdicts({ runId: run.id }),
  });
  try {
    await fillIn(app, run, input, counts);
    await indexPages(app, run, input);
    if (input.stop.aborted) return await report("interrupted", null);
    if (stats.changes.new + stats.changes.changed + counts.read >= MIN_NEW_PAGES) await learnFromPages(app, run);
    return await report("finished", null);
  } catch (cause) {
    return report("failed", cause instanceof Error ? cause.message : String(cause));
  }
}

async function fillIn(
  app: App,
  { sites }: Run,
  { config, emit, stop }: PhaseInput,
  counts: { read: number; failed: number },
): Promise<void> {
  const siteIds = sites.map(({ id }) => id);
  const total = await app.store.metadata.countPagesToFill({ siteIds, before: EXTRACTOR_VERSION, hasBody: true });
  if (total === 0) return;
  emit({ type: "crawl.phase", phase: "enhancing", pages: total });
  const { enhanceEach: enhancing } = await import("../enrich/enhance.ts");
  for (const id of siteIds) {
    for await (const { status } of enhancing(app, { config, site: String(id), batchSize: BATCH, signal: stop })) {
      counts[status === "failed" ? "failed" : "read"] += 1;
      emit({ type: "metadata.filled", filling: { done: counts.read + counts.failed, total } });
    }
  }
}

/** Indexes pages whose metadata is older than the search index, or that came without metadata. */
async function indexPages(app: App, { sites }: Run, { config, stop }: PhaseInput): Promise<void> {
  const { indexWords } = await import("../search/index-words.ts");
  await indexWords(app, { siteIds: sites.map(({ id }) => id), config, signal: stop });
}

async function learnFromPages({ store, world }: App, { sites }: Run): Promise<void> {
  const { learnBoilerplate, learnSourceTrust: rememberSources } = await import("../../engine/enhance/index.ts");
  for (const site of sites) {
    await learnBoilerplate(store, site.id, world.clock.wall());
    await rememberSources(store, site, world.clock.wall());
  }
}
