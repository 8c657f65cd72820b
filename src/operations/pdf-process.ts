/**
 * The process that opens PDFs. A few kilobytes can expand to gigabytes outside the JavaScript heap, which only the end of a process
 * reliably frees. So it watches its own memory while a thread opens the document. It exits when its parent does, because stdin ends.
 */
import { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { framed, readFrames } from "./frames.ts";
import type { PdfAnswer } from "./pdf-text.ts";

const [workerUrl = "", megabytes = ""] = process.argv.slice(2);

/** Milliseconds between two checks of the memory in use. */
const LOOK = 20;
/** Heap limit of the thread in megabytes. */
const HEAP = 256;
/** Characters; longer than any real document. */
const MOST_TEXT = 8_000_000;

const frameOf = (answer: PdfAnswer & { readonly isLast?: boolean }) => framed(Buffer.from(JSON.stringify(answer)));

/** Exits at once, even if the thread is busy. */
function leave(last?: PdfAnswer): void {
  if (last) writeSync(1, frameOf({ ...last, isLast: true }));
  process.kill(process.pid, "SIGKILL");
}

const worker = new Worker(new URL(workerUrl), { stdout: true, stderr: true, env: {}, resourceLimits: { maxOldGenerationSizeMb: HEAP } });
worker.on("message", (answer: PdfAnswer) => {
  const isTooLong = "markdown" in answer && answer.markdown.length > MOST_TEXT;
  process.stdout.write(frameOf(isTooLong ? { trouble: `a PDF too large to open: its text is longer than ${MOST_TEXT / 1e6} MB` } : answer));
});
worker.on("error", ({ message }) => leave({ trouble: `a PDF that cannot be read: ${message}` }));
worker.on("exit", () => leave({ trouble: "a PDF that ended its reader" }));

setInterval(() => {
  if (process.memoryUsage.rss() > Number(megabytes) * 1024 * 1024)
    leave({ trouble: `a PDF too large to open: it takes more than ${megabytes} MB of memory` });
}, LOOK);

process.stdin
  .on(
    "data",
    readFrames(Number.POSITIVE_INFINITY, (document) => worker.postMessage(document)),
  )
  .on("end", () => leave())
  .on("error", () => leave());
