import { parentPort, workerData } from "node:worker_threads";
import type { Reading } from "../records.ts";
import { type Changeable, readBody } from "./read.ts";
import type { ReadSetup } from "./read-setup.ts";
import type { Batch, BatchJob, ReadResult } from "./reader.ts";

/** The thread that reads: a batch of bodies comes in, their readings go out. */
const setup = workerData as ReadSetup;

function read(job: BatchJob, arena: SharedArrayBuffer): ReadResult {
  const { start, length, url, contentType, robotsTags, as, isSuspect, now, textUnless, metadataUnless } = job;
  const bytes = new Uint8Array(arena, start, length);
  try {
    return { reading: readBody({ bytes, url, contentType, robotsTags, as, isSuspect, now, textUnless, metadataUnless }, setup) };
  } catch (cause) {
    return { error: cause instanceof Error ? cause.message : String(cause) };
  }
}

parentPort!.on("message", ({ jobs, arena: bodies }: Batch) => {
  const { results, arena } = gather(jobs.map((job) => read(job, bodies)));
  parentPort!.postMessage(results, [arena]);
});

/** The arrays of all readings in one piece of memory that is handed over, not copied: an array alone may be a small part of its buffer. */
function gather(results: readonly ReadResult[]): { results: readonly ReadResult[]; arena: ArrayBuffer } {
  const arena = new ArrayBuffer(results.reduce((sum, result) => sum + sizeOf(result), 0));
  let end = 0;
  const moveIn = (array: Uint8Array): Uint8Array => {
    const start = end;
    end += aligned(array.length);
    const moved = new Uint8Array(arena, start, array.length);
    moved.set(array);
    return moved;
  };
  const numbersIn = (array: Uint32Array): Uint32Array => new Uint32Array(arena, moveIn(bytesOf(array)).byteOffset, array.length);
  for (const result of results) {
    if (!("reading" in result)) continue;
    // The readings are ours alone: they are changed where they are, which is cheaper than to put new ones together.
    const reading = result.reading as Changeable<Reading>;
    const { links, body, metadata } = reading;
    reading.links = { ...links, hashes: numbersIn(links.hashes), flags: moveIn(links.flags) };
    reading.packedLinks = moveIn(reading.packedLinks);
    if (body.data) reading.body = { ...body, data: moveIn(body.data) };
    if (metadata) reading.metadata = { ...metadata, blocks: numbersIn(metadata.blocks), evidence: moveIn(metadata.evidence) };
  }
  return { results, arena };
}

const aligned = (length: number) => (length + 3) & ~3;
const bytesOf = (array: Uint32Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

function sizeOf(result: ReadResult): number {
  if (!("reading" in result)) return 0;
  const { packedLinks, body, links, metadata } = result.reading;
  const said = metadata ? metadata.blocks.byteLength + aligned(metadata.evidence.length) : 0;
  return said + links.hashes.byteLength + aligned(links.flags.length) + aligned(packedLinks.length) + aligned(body.data?.length ?? 0);
}
