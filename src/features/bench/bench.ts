import { mkdtemp, rm, stat } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { seedsBy } from "../../core/seed.ts";
import { openApp } from "../../engine/app.ts";
import { resolveConfig } from "../../engine/config/index.ts";
import type { RunResult } from "../../engine/crawl/index.ts";
import { crawl } from "../crawl/crawl.ts";
import { openBenchServer } from "./bench-server.ts";

export interface BenchReport {
  readonly pages: number;
  readonly seconds: number;
  readonly pagesPerSecond: number;
  /** CPU time of this process, including all threads and its start. */
  readonly cpuSecondsPer1000Pages: number;
  readonly peakRssMb: number;
  readonly everyPageOnce: boolean;
  readonly bytesOnDisk: number;
  /** CPU time of the server: if it is high, the result measures the server and not the crawler. */
  readonly serverMicrosPerRequest: number;
  readonly node: string;
  readonly cores: number;
  readonly stopReason: RunResult["stopReason"];
}

/** Default options, but without pauses: the server is our own. */
const unpaced = { rateLimit: "none", autoSlow: "off", maxConcurrent: 64, perHost: 64 };

const round = (value: number, digits: number) => Number(value.toFixed(digits));

/** Crawls a generated site on this machine into a temporary file, and reports the cost. */
export async function bench(given: { pages: number; signal: AbortSignal }): Promise<BenchReport> {
  const folder = await mkdtemp(join(tmpdir(), "nuthatch-bench-"));
  const server = await openBenchServer({ pages: given.pages });
  try {
    const db = join(folder, "bench.db");
    const { durationMs, stopReason } = await crawlInto(db, server.origins, given);
    const { user, system } = process.cpuUsage();
    const served = await server.served();
    const pages = served.different;
    return {
      pages,
      seconds: round(durationMs / 1000, 3),
      pagesPerSecond: Math.round((pages / Math.max(1, durationMs)) * 1000),
      cpuSecondsPer1000Pages: round((user + system) / 1000 / Math.max(1, pages), 3),
      peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
      everyPageOnce: pages === given.pages && served.twice === 0,
      bytesOnDisk: (await stat(db)).size,
      serverMicrosPerRequest: served.cpuMicrosPerRequest,
      node: process.versions.node,
      cores: availableParallelism(),
      stopReason,
    };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function crawlInto(db: string, seeds: readonly string[], { pages, signal }: { pages: number; signal: AbortSignal }) {
  const app = await openApp({ db });
  try {
    // One more than there are, so that the crawl ends with an empty queue and not at the limit.
    const config = resolveConfig([{ from: "bench", values: { ...unpaced, maxPages: pages + 1 } }]);
    const { control } = await crawl(app, { seeds: seedsBy("person", seeds), config, mode: "new", emit: () => undefined });
    const abort = () => control.abort();
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    return await control.result;
  } finally {
    await app.close();
  }
}
