import type { Reading } from "../../../core/records.ts";
import { type JobCodec, MAX_BATCH_BYTES, ThreadPool } from "../../../core/threads.ts";
import type { ReadJob, ReadSetup } from "./read-setup.ts";
import { type JobMessage, packJob, type ReadingMessage, unpackReadings } from "./reading-message.ts";

/** A reading, or the error of a page that cannot be read. */
export type ReadResult = { readonly reading: Reading } | { readonly error: string };

export interface Reader {
  /** Starts a thread for a first body that is certain to come. */
  prepare?(): void;
  read(job: ReadJob): Promise<ReadResult>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  readonly threads?: number | undefined;
  readonly workerUrl?: URL;
}

const MAX_JOBS = 32;

/** Size for a usual batch. A larger batch gets a buffer of its own, which is not reused. */
const ARENA_BYTES = 2 * MAX_BATCH_BYTES;

/** A pool of threads that read the bodies of a crawl. */
export function openReader(setup: ReadSetup, { threads, workerUrl }: ReaderOptions = {}): Reader {
  const url = workerUrl ?? new URL("./read-worker.js", import.meta.url);
  const sizeOf = ({ bytes }: ReadJob) => bytes.length;
  const pool = new ThreadPool<ReadJob, Reading>({ url, data: setup, sizeOf, openCodec, maxJobs: MAX_JOBS }, { threads });
  return {
    prepare: () => pool.prepare(),
    read: async (job) => {
      const result = await pool.ask(job);
      return "answer" in result ? { reading: result.answer } : result;
    },
    close: () => pool.close(),
  };
}

/**
 * Bodies are copied into a buffer that is transferred to the thread and comes back with the readings. We keep the originals: if the thread
 * dies, they are read again.
 */
function openCodec(): JobCodec<ReadJob, Reading> {
  let reusedBuffer = new ArrayBuffer(ARENA_BYTES);
  let sent: readonly ReadJob[] = [];
  return {
    pack(jobs) {
      sent = jobs;
      const message = messageFor(jobs, reusedBuffer);
      return { message, transfer: [message.arena] };
    },
    unpack(given) {
      const message = given as ReadingMessage;
      if (message.bodies.byteLength === ARENA_BYTES) reusedBuffer = message.bodies;
      return unpackReadings(message, sent).map((reading) => (typeof reading === "string" ? { error: reading } : { answer: reading }));
    },
  };
}

function messageFor(batch: readonly ReadJob[], reusedBuffer: ArrayBuffer): JobMessage {
  const size = batch.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const arena = size <= reusedBuffer.byteLength ? reusedBuffer : new ArrayBuffer(size);
  const room = new Uint8Array(arena);
  let end = 0;
  const jobs = batch.map((job) => {
    const start = end;
    room.set(job.bytes, start);
    end += job.bytes.length;
    return packJob(job, start);
  });
  return { arena, jobs };
}
