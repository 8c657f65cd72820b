import { parentPort, workerData } from "node:worker_threads";
import { type ReadJob, type ReadSetup, readBody } from "./read.ts";

/** The thread that reads: bytes come in, a reading goes out, one at a time. */
const setup = workerData as ReadSetup;

parentPort!.on("message", (job: ReadJob) => {
  try {
    parentPort!.postMessage({ reading: readBody(job, setup) });
  } catch (cause) {
    parentPort!.postMessage({ error: cause instanceof Error ? cause.message : String(cause) });
  }
});
