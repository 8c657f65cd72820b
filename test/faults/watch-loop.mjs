// Preloaded into a crawler under test: says on stderr, when it ends, how long its loop ever stood still and how much memory it took.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  const samples = [];
  // Loading modules is not crawling.
  setTimeout(() => delay.enable(), 1000).unref();
  setInterval(() => samples.push(process.memoryUsage.rss()), 100).unref();
  process.on("exit", () => {
    const watched = { stall: delay.max / 1e6, peak: process.resourceUsage().maxRSS * 1024, samples };
    process.stderr.write(`\nWATCHED ${JSON.stringify(watched)}\n`);
  });
}
