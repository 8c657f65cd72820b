/**
 * The process that opens PDFs. A few kilobytes can expand to gigabytes outside the JavaScript heap, which only the end of a process
 * reliably frees. So it watches its own memory while a thread opens the document. It exits when its parent does, because stdin ends.
 */
import { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { readFrames, toFrame } from "./frames.ts";
import type { PdfAnswer } from "./pdf-text.ts";

const [workerUrl = "", megabytes = ""] = process.argv.slice(2);

/** Milliseconds between two checks of the memory in use. */
const CHECK_MS = 20;
/** Heap limit of the thread in megabytes. */
const MAX_HEAP_MB = 256;
/** Characters; longer than any real document. */
const MAX_TEXT = 8_000_000;

const frameOf = (answer: PdfAnswer & { readonly isLast?: boolean }) => toFrame(Buffer.from(JSON.stringify(answer)));

/** Exits at once, even if the thread is busy. */
function exit(last?: PdfAnswer): void {
  if (last) writeSync(1, frameOf({ ...last, isLast: true }));
  process.kill(process.pid, "SIGKILL");
}

const worker = new Worker(new URL(workerUrl), {
  stdout: true,
  stderr: true,
  env: {},
  resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
});
worker.on("message", (answer: PdfAnswer) => {
  const isTooLong = "markdown" in answer && answer.markdown.length > MAX_TEXT;
  process.stdout.write(frameOf(isTooLong ? { trouble: `a PDF too large to open: its text is longer than ${MAX_TEXT / 1e6} MB` } : answer));
});
worker.on("error", ({ message }) => exit({ trouble: `a PDF that cannot be read: ${message}` }));
worker.on("exit", () => exit({ trouble: "a PDF that ended its reader" }));

setInterval(() => {
  if (process.memoryUsage.rss() > Number(megabytes) * 1024 * 1024)
    exit({ trouble: `a PDF too large to open: it takes more than ${megabytes} MB of memory` });
}, CHECK_MS);

process.stdin
  .on(
    "data",
    readFrames(Number.POSITIVE_INFINITY, (document) => worker.postMessage(document)),
  )
  .on("end", () => exit())
  .on("error", () => exit());
