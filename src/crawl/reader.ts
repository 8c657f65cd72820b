import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Reading } from "../records.ts";
import type { ReadJob, ReadSetup } from "./read-setup.ts";
import { type JobMessage, packJob, type ReadingMessage, unpackReadings } from "./reading-message.ts";

/** A reading, or why there is none: the page is to blame, not the crawler. */
export type ReadResult = { readonly reading: Reading } | { readonly error: string };

export interface Reader {
  /** Makes ready for a first body that is sure to come. */
  prepare?(): void;
  read(job: ReadJob): Promise<ReadResult>;
  close(): Promise<void>;
}

interface Waiting {
  readonly job: ReadJob;
  readonly settle: (result: ReadResult) => void;
  /** Was in a batch that a thread died of: read alone next time, so that the page to blame is known. */
  isSuspect: boolean;
}

interface Thread {
  readonly worker: Worker;
  /** Memory that bodies travel in, there and back. */
  arena: ArrayBuffer;
  current: readonly Waiting[];
  watchdog: ReturnType<typeof setTimeout> | undefined;
}

export interface ReaderOptions {
  readonly threads?: number | undefined;
  /** Longer than any page of the permitted size takes; shorter than a person's patience. */
  readonly patience?: number;
  readonly workerUrl?: URL;
}

/** Bodies go to a thread together: waking it costs as much as reading a small page. */
const MOST_JOBS = 32;
const MOST_BYTES = 1024 * 1024;

/** Room for the usual batch. One that needs more makes its own, which is not kept. */
const ARENA = 2 * MOST_BYTES;

/** Threads that read bodies. A thread that crashes or hangs is replaced, and the page it was reading is named. */
export function openReader(setup: ReadSetup, options: ReaderOptions = {}): Reader {
  const { threads: size = Math.max(1, availableParallelism() - 1), patience = 30_000 } = options;
  const workerUrl = options.workerUrl ?? new URL("./read-worker.js", import.meta.url);
  const threads = new Set<Thread>();
  const idle: Thread[] = [];
  const waiting: Waiting[] = [];
  let isClosed = false;
  let isGiving = false;

  function start(): Thread {
    const worker = new Worker(workerUrl, { workerData: setup });
    const thread: Thread = { worker, arena: new ArrayBuffer(ARENA), current: [], watchdog: undefined };
    threads.add(thread);
    worker.on("message", (message: ReadingMessage) => {
      if (message.bodies.byteLength === ARENA) thread.arena = message.bodies;
      finish(
        thread,
        unpackReadings(
          message,
          thread.current.map(({ job }) => job),
        ),
      );
    });
    worker.on("error", (cause: Error) => lose(thread, `the reader crashed: ${cause.message}`));
    worker.on("exit", () => lose(thread, "the reader stopped"));
    worker.unref();
    return thread;
  }

  function finish(thread: Thread, answers: readonly (Reading | string)[]): void {
    clearTimeout(thread.watchdog);
    const { current } = thread;
    thread.current = [];
    give(thread);
    for (const [index, { settle }] of current.entries()) {
      const answer = answers[index]!;
      settle(typeof answer === "string" ? { error: answer } : { reading: answer });
    }
  }

  function lose(thread: Thread, why: string): void {
    clearTimeout(thread.watchdog);
    if (!threads.delete(thread)) return;
    const place = idle.indexOf(thread);
    if (place >= 0) idle.splice(place, 1);
    const { current } = thread;
    thread.current = [];
    if (current.length === 1 || isClosed) for (const { settle } of current) settle({ error: why });
    else for (const each of current) waiting.unshift(Object.assign(each, { isSuspect: true }));
    if (!isClosed && waiting.length > 0) give(start());
  }

  /** As many as fit together; a suspect, or a body that had to be copied to be read again, goes alone. */
  function nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    let bytes = 0;
    while (waiting.length > 0 && batch.length < MOST_JOBS && bytes < MOST_BYTES) {
      if (waiting[0]!.isSuspect && batch.length > 0) break;
      const next = waiting.shift()!;
      batch.push(next);
      bytes += next.job.bytes.length;
      if (next.isSuspect) break;
    }
    return batch;
  }

  function give(thread: Thread): void {
    const batch = nextBatch();
    if (batch.length === 0) {
      thread.worker.unref();
      idle.push(thread);
      return;
    }
    thread.current = batch;
    thread.worker.ref();
    thread.watchdog = setTimeout(() => {
      lose(thread, `reading took longer than ${patience / 1000} s`);
      void thread.worker.terminate();
    }, patience);
    const message = messageFor(thread, batch);
    thread.worker.postMessage(message, [message.arena]);
  }

  /** Whatever came in the same moment goes together. */
  function giveSoon(): void {
    isGiving = false;
    while (waiting.length > 0) {
      const thread = idle.pop() ?? (threads.size < size ? start() : undefined);
      if (!thread) return;
      give(thread);
    }
  }

  return {
    prepare() {
      if (threads.size === 0) idle.push(start());
    },
    read: (job) =>
      new Promise((settle) => {
        waiting.push({ job, settle, isSuspect: false });
        if (isGiving || (idle.length === 0 && threads.size >= size)) return;
        isGiving = true;
        setImmediate(giveSoon);
      }),
    async close() {
      isClosed = true;
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

/** The bodies themselves stay with us: if the thread dies, they are read again. */
function messageFor(thread: Thread, batch: readonly Waiting[]): JobMessage {
  const size = batch.reduce((sum, { job }) => sum + job.bytes.length, 0);
  const arena = size <= thread.arena.byteLength ? thread.arena : new ArrayBuffer(size);
  const room = new Uint8Array(arena);
  let end = 0;
  const jobs = batch.map(({ job }) => {
    const start = end;
    room.set(job.bytes, start);
    end += job.bytes.length;
    return packJob(job, start);
  });
  return { arena, jobs };
}
