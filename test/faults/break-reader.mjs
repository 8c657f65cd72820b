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
      // The third place of a job is its URL (src/crawl/reading-message.ts).
      const isAsked = (path) => batch.jobs.some(([, , url]) => new URL(url).pathname.startsWith(path));
      const happens = breaks.find(([path]) => isAsked(path))?.[1];
      if (happens) happens();
      else listener(batch);
      // A thread may also die when nobody waits for it.
      if (isAsked("/faints")) setTimeout(() => process.exit(7), 5);
    });
}
