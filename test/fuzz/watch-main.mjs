// Preloaded into a program under test: says on stderr, when it ends, how long its main thread was busy without a pause, in milliseconds.
// Only the processor time of that thread counts, so that a machine that is busy with something else is not blamed on the program.
import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const LOOK = 10;
const OWN = `/proc/${process.pid}/task/${process.pid}/schedstat`;

/** Milliseconds that the main thread has had of a processor. */
function cpu() {
  if (process.platform === "linux") return Number(readFileSync(OWN, "latin1").split(" ", 1)[0]) / 1e6;
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: LOOK });
  let [busy, isWatching] = [0, false];
  const watch = () => {
    if (isWatching) return;
    isWatching = true;
    delay.enable();
    let [at, used] = [performance.now(), cpu()];
    setInterval(() => {
      const [now, spent] = [performance.now(), cpu()];
      busy = Math.max(busy, Math.min(now - at - LOOK, spent - used));
      [at, used] = [now, spent];
    }, LOOK).unref();
  };
  // Loading the program is not reading pages: that begins with the first request.
  subscribe("net.client.socket", watch);
  process.on("exit", () => {
    const watched = { busy, stall: delay.max / 1e6, peak: process.resourceUsage().maxRSS / 1024 };
    process.stderr.write(`\nWATCHED ${JSON.stringify(watched)}\n`);
  });
}
