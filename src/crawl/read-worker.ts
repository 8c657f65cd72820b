import { parentPort, workerData } from "node:worker_threads";
import { type ReadJob, type ReadSetup, readBody } from "./read.ts";
import type { ReadResult } from "./reader.ts";

/** The thread that reads: a batch of bodies comes in, their readings go out. */
const setup = workerData as ReadSetup;

function read(job: ReadJob): ReadResult {
  try {
    return { reading: readBody(job, setup) };
  } catch (cause) {
    return { error: cause instanceof Error ? cause.message : String(cause) };
  }
}

parentPort!.on("message", (jobs: readonly ReadJob[]) => {
  const results = jobs.map(read);
  parentPort!.postMessage(results, results.flatMap(buffersOf));
});

/** What may be handed over instead of copied: memory that belongs to one array alone. */
function buffersOf(result: ReadResult): ArrayBuffer[] {
  if (!("reading" in result)) return [];
  const { packedLinks, body, links } = result.reading;
  const owned = [packedLinks, body.data, links.hashes, links.flags].filter((array) => array !== undefined);
  return owned.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0 ? [buffer] : [],
  );
}
