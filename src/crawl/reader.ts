import type { Reading } from "../records.ts";
import { MOST_BYTES, ThreadPool, type Wire } from "../threads.ts";
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

const MOST_JOBS = 32;

/** Size for a usual batch. A larger batch gets a buffer of its own, which is not reused. */
const ARENA = 2 * MOST_BYTES;

/** A pool of threads that read the bodies of a crawl. */
export function openReader(setup: ReadSetup, { threads, workerUrl }: ReaderOptions = {}): Reader {
  const url = workerUrl ?? new URL("./read-worker.js", import.meta.url);
  const sizeOf = ({ bytes }: ReadJob) => bytes.length;
  const pool = new ThreadPool<ReadJob, Reading>({ url, data: setup, sizeOf, openWire, mostJobs: MOST_JOBS }, { threads });
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
function openWire(): Wire<ReadJob, Reading> {
  let kept = new ArrayBuffer(ARENA);
  let sent: readonly ReadJob[] = [];
  return {
    pack(jobs) {
      sent = jobs;
      const message = messageFor(jobs, kept);
      return { message, transfer: [message.arena] };
    },
    unpack(given) {
      const message = given as ReadingMessage;
      if (message.bodies.byteLength === ARENA) kept = message.bodies;
      return unpackReadings(message, sent).map((reading) => (typeof reading === "string" ? { error: reading } : { answer: reading }));
    },
  };
}

function messageFor(batch: readonly ReadJob[], kept: ArrayBuffer): JobMessage {
  const size = batch.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const arena = size <= kept.byteLength ? kept : new ArrayBuffer(size);
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
