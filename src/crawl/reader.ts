import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Reading } from "../records.ts";
import type { ReadJob, ReadSetup } from "./read.ts";

/** A reading, or why there is none: the page is to blame, not the crawler. */
export type ReadResult = { readonly reading: Reading } | { readonly error: string };

export interface Reader {
  read(job: ReadJob): Promise<ReadResult>;
  close(): Promise<void>;
}

interface Waiting {
  readonly job: ReadJob;
  readonly settle: (result: ReadResult) => void;
}

interface Thread {
  readonly worker: Worker;
  current: Waiting | undefined;
  watchdog: ReturnType<typeof setTimeout> | undefined;
}

/** Longer than any page of the permitted size takes; shorter than a person's patience. */
const PATIENCE = 30_000;

/** Threads that read bodies. A thread that crashes or hangs is replaced, and the page it was reading is named. */
export function openReader(setup: ReadSetup, size = Math.max(1, availableParallelism() - 1)): Reader {
  const threads = new Set<Thread>();
  const idle: Thread[] = [];
  const waiting: Waiting[] = [];
  let isClosed = false;

  function start(): Thread {
    const worker = new Worker(new URL("./read-worker.js", import.meta.url), { workerData: setup });
    const thread: Thread = { worker, current: undefined, watchdog: undefined };
    threads.add(thread);
    worker.on("message", (answer: ReadResult) => finish(thread, answer));
    worker.on("error", (cause: Error) => lose(thread, `the reader crashed: ${cause.message}`));
    worker.on("exit", () => lose(thread, "the reader stopped"));
    worker.unref();
    return thread;
  }

  function finish(thread: Thread, answer: ReadResult): void {
    clearTimeout(thread.watchdog);
    const { current } = thread;
    thread.current = undefined;
    current?.settle(answer);
    give(thread);
  }

  function lose(thread: Thread, why: string): void {
    clearTimeout(thread.watchdog);
    if (!threads.delete(thread)) return;
    const { current } = thread;
    thread.current = undefined;
    const place = idle.indexOf(thread);
    if (place >= 0) idle.splice(place, 1);
    current?.settle({ error: why });
    if (!isClosed && waiting.length > 0) give(start());
  }

  function give(thread: Thread): void {
    const next = waiting.shift();
    if (!next) {
      thread.worker.unref();
      idle.push(thread);
      return;
    }
    thread.current = next;
    thread.worker.ref();
    thread.watchdog = setTimeout(() => {
      lose(thread, `reading took longer than ${PATIENCE / 1000} s`);
      void thread.worker.terminate();
    }, PATIENCE);
    const { bytes } = next.job;
    // A body that owns its memory is handed over instead of copied.
    const isOwner = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
    thread.worker.postMessage(next.job, isOwner ? [bytes.buffer as ArrayBuffer] : []);
  }

  return {
    read: (job) =>
      new Promise((settle) => {
        waiting.push({ job, settle });
        const thread = idle.pop() ?? (threads.size < size ? start() : undefined);
        if (thread) give(thread);
      }),
    async close() {
      isClosed = true;
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
