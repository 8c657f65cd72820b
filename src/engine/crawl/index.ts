/**
 * The crawl loop. N workers pull jobs from the frontier; each visit is fetched through the gate, read on another thread, compared with the
 * stored version, and settled in a batch of outcomes in one transaction. Pulling is the backpressure: a slow disk or a slow reader means
 * fewer takes, so memory stays flat.
 */
import type { Reading } from "../../core/records.ts";
import type { ReadJob, ReadSetup } from "./read/read-setup.ts";

export { queuePlaceOf } from "./admit/queue-place.ts";
export { RelevanceEstimator } from "./admit/relevance-estimator.ts";
export { sourceMemories } from "./admit/source-memories.ts";
export { type DueSetup, type ForecastPage, revisitPlan } from "./due.ts";
export type {
  CrawlEvent,
  DescribingReport,
  FillingProgress,
  HostReport,
  LinkResult,
  MetadataReport,
  Progress,
  RunResult,
  ScoringProgress,
  ScoringReport,
  SeedResult,
} from "./events.ts";
export type { Hooks, PageBody, PluginLinkScores, PluginPageData, RequestChange } from "./hooks.ts";
export { type HostPause, minuteText, pauseCauseText, pauseText } from "./host-pause.ts";
export type { CrawlOptions } from "./options.ts";
export { countLinks } from "./read/link-counts.ts";
export { unpackLinks } from "./read/link-document.ts";
export { packText, unpackText } from "./read/pack.ts";
export type { ReadJob, ReadSetup } from "./read/read-setup.ts";
export { openReader, type Reader, type ReadResult } from "./read/reader.ts";
export { SilentStoreError } from "./read/timeouts.ts";
export { startRun } from "./run.ts";
export { type CrawlConfig, type RunChange, type RunControl, type RunSetup, readSetupOf } from "./run-setup.ts";
export { relevanceOf } from "./settle/match-keywords.ts";
export { rekey } from "./settle/rekey.ts";
export { scoreStored } from "./settle/score-stored.ts";

/** For callers that read on this thread. A crawl does not use it: its reader threads load these modules. */
export async function openBodyReader(setup: ReadSetup): Promise<(job: ReadJob) => Reading> {
  return (await import("./read/read.ts")).openBodyReader(setup);
}
