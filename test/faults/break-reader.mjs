// Preloaded into a crawler whose reader threads are to break on certain pages: what the page's path says is what happens.
import { isMainThread, parentPort } from "node:worker_threads";

const breaks = [
  ["/exits", () => process.exit(7)],
  ["/throws", () => setImmediate(() => undefined.nothing)],
  ["/hangs", () => hang()],
  ["/swells", () => swell()],
];

function hang() {
  for (;;);
}

function swell() {
  for (const heap = []; ; ) heap.push(new Array(100_000).fill(heap.length));
}

if (!isMainThread && parentPort) {
  const listen = parentPort.on.bind(parentPort);
  parentPort.on = (event, listener) =>
    listen(event, (batch) => {
      // A job is a list of values; the first URL among them is that of its page (src/engine/crawl/read/reading-message.ts).
      const pathOf = (job) => new URL(job.find((value) => typeof value === "string" && URL.canParse(value))).pathname;
      const isAsked = (path) => batch.jobs.some((job) => pathOf(job).startsWith(path));
      const happens = breaks.find(([path]) => isAsked(path))?.[1];
      if (happens) happens();
      else listener(batch);
      // A thread may also die when nobody waits for it.
      if (isAsked("/faints")) setTimeout(() => process.exit(7), 5);
    });
}
