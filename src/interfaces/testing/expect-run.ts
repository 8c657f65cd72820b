import type { StopReason } from "../../core/records.ts";
import type { CrawlRun } from "../library/index.ts";

/** Assertions without a test framework: they wait for the run to end, and throw an Error with the actual verdict and its reason. */
export interface RunExpectations {
  toHaveVisited(...urls: string[]): Promise<void>;
  /** `reason` may be the first part of one: "robots" stands for "robots.disallow". */
  toHaveSkipped(url: string, reason?: string): Promise<void>;
  toHaveFailed(url: string, reason?: string): Promise<void>;
  toHaveEnded(stopReason: StopReason): Promise<void>;
}

const VISITED = ["fetched", "not-modified"];

/** URLs may be paths on the first seed's host. */
export function expectRun<Data>(run: CrawlRun<Data>): RunExpectations {
  const expectVerdict = async (path: string, wanted: string, verdicts: readonly string[], reason?: string) => {
    await run.result;
    const { url, verdict, sentence, reason: was } = await run.explain(new URL(path, run.seeds[0]).href);
    const isIt = verdicts.includes(verdict) && (reason === undefined || was === reason || was.startsWith(`${reason}.`));
    if (isIt) return;
    const by = reason === undefined ? "" : ` (${reason})`;
    throw new Error(`expected ${url} to be ${wanted}${by}, but it is ${verdict}${was === "ok" ? "" : ` (${was})`}: ${sentence}`);
  };
  return {
    async toHaveVisited(...urls) {
      for (const url of urls) await expectVerdict(url, "visited", VISITED);
    },
    toHaveSkipped: (url, reason) => expectVerdict(url, "skipped", ["skipped", "deferred"], reason),
    toHaveFailed: (url, reason) => expectVerdict(url, "failed", ["failed"], reason),
    async toHaveEnded(wanted) {
      const { stopReason, stats } = await run.result;
      if (stopReason !== wanted)
        throw new Error(`expected the run to end as ${wanted}, but it ended as ${stopReason} after ${stats.pages} pages`);
    },
  };
}
