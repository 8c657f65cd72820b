import { parentPort, workerData } from "node:worker_threads";
import { type ReadSetup, readBody } from "./read.ts";
import type { Batch, BatchJob, ReadResult } from "./reader.ts";

/** The thread that reads: a batch of bodies comes in, their readings go out. */
const setup = workerData as ReadSetup;

function read({ start, length, ...job }: BatchJob, arena: SharedArrayBuffer): ReadResult {
  try {
    return { reading: readBody({ ...job, bytes: new Uint8Array(arena, start, length) }, setup) };
  } catch (cause) {
    return { error: cause instanceof Error ? cause.message : String(cause) };
  }
}

parentPort!.on("message", ({ jobs, arena: bodies }: Batch) => {
  const { results, arena } = gather(jobs.map((job) => read(job, bodies)));
  parentPort!.postMessage(results, [arena]);
});

/** The arrays of all readings in one piece of memory that is handed over, not copied: an array alone may be a small part of its buffer. */
function gather(results: readonly ReadResult[]): { results: ReadResult[]; arena: ArrayBuffer } {
  const arena = new ArrayBuffer(results.reduce((sum, result) => sum + sizeOf(result), 0));
  let end = 0;
  const moveIn = (array: Uint8Array): Uint8Array => {
    const start = end;
    end += aligned(array.length);
    const moved = new Uint8Array(arena, start, array.length);
    moved.set(array);
    return moved;
  };
  const gathered = results.map((result): ReadResult => {
    if (!("reading" in result)) return result;
    const { packedLinks, body, links, metadata } = result.reading;
    const hashes = moveIn(bytesOf(links.hashes));
    const blocks = metadata && moveIn(bytesOf(metadata.blocks));
    const reading = {
      ...result.reading,
      links: { ...links, hashes: new Uint32Array(arena, hashes.byteOffset, links.hashes.length), flags: moveIn(links.flags) },
      packedLinks: moveIn(packedLinks),
      body: body.data ? { ...body, data: moveIn(body.data) } : body,
      ...(metadata && {
        metadata: {
          ...metadata,
          blocks: new Uint32Array(arena, blocks!.byteOffset, metadata.blocks.length),
          evidence: moveIn(metadata.evidence),
        },
      }),
    };
    return { reading };
  });
  return { results: gathered, arena };
}

const aligned = (length: number) => (length + 3) & ~3;
const bytesOf = (array: Uint32Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

function sizeOf(result: ReadResult): number {
  if (!("reading" in result)) return 0;
  const { packedLinks, body, links, metadata } = result.reading;
  const said = metadata ? metadata.blocks.byteLength + aligned(metadata.evidence.length) : 0;
  return said + links.hashes.byteLength + aligned(links.flags.length) + aligned(packedLinks.length) + aligned(body.data?.length ?? 0);
}
