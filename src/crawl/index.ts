/**
 * The crawl loop. N workers pull jobs from the frontier; each visit is fetched through the gate, read on another thread, compared with the
 * stored version, and settled in a batch of outcomes in one transaction. Pulling is the backpressure: a slow disk or a slow reader means
 * fewer takes, so memory stays flat.
 */
import type { Reading } from "../records.ts";
import type { ReadJob, ReadSetup } from "./read-setup.ts";

export { Aim } from "./aim.ts";
export { type DueSetup, type ForeseenPage, planOf } from "./due.ts";
export type {
  CrawlEvent,
  DescribingReport,
  FillingProgress,
  HostReport,
  LinkFate,
  MetadataReport,
  Progress,
  RunResult,
  ScoringProgress,
  ScoringReport,
  SeedFate,
} from "./events.ts";
export type { Hooks, Looked, SaidOfLinks, SeenBody, Wish } from "./hooks.ts";
export { causeOfPause, type HostPause, minuteOf, pauseWords } from "./host-pause.ts";
export { relevanceOf } from "./judge.ts";
export { unpackLinks } from "./link-document.ts";
export { countLinks } from "./link-news.ts";
export type { CrawlOptions } from "./options.ts";
export { packText, unpackText } from "./pack.ts";
export { placing } from "./placing.ts";
export type { ReadJob, ReadSetup } from "./read-setup.ts";
export { openReader, type Reader, type ReadResult } from "./reader.ts";
export { rekey } from "./rekey.ts";
export { startRun } from "./run.ts";
export { type CrawlConfig, type RunChange, type RunControl, type RunSetup, readSetupOf } from "./run-setup.ts";
export { scoreStored } from "./score-stored.ts";
export { sourceMemories } from "./source-memories.ts";
export { SilentStoreError } from "./watched.ts";

/** For callers that read on this thread. A crawl does not use it: its reader threads load these modules. */
export async function openBodyReader(setup: ReadSetup): Promise<(job: ReadJob) => Reading> {
  return (await import("./read.ts")).openBodyReader(setup);
}
