import { parentPort, workerData } from "node:worker_threads";
import type { Reading } from "../../../core/records.ts";
import { openBodyReader } from "./read.ts";
import type { ReadJob, ReadSetup } from "./read-setup.ts";
import { type JobMessage, packReadings, unpackJob } from "./reading-message.ts";

/** The reader thread: receives batches of bodies and returns their readings. */
const readBody = await openBodyReader(workerData as ReadSetup);

function read(job: ReadJob): Reading | string {
  try {
    return readBody(job);
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

parentPort!.on("message", ({ jobs, arena }: JobMessage) => {
  const results = jobs.map((job) => read(unpackJob(job, arena)));
  const message = packReadings(results, arena);
  parentPort!.postMessage(message, [message.arena, message.bodies]);
});
