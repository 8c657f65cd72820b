/**
 * Detects a blocked main thread in the crawling process. A watch thread writes one byte per second to the parent process. Time is counted
 * in these bytes, so that a machine that was asleep, or a process that was suspended, is not taken for hung.
 */
import { Worker } from "node:worker_threads";
import { programPath } from "./program.ts";

/** File descriptor of the pipe to the parent process. */
export const WATCH_PIPE = 3;
/** Byte values: the main thread has turned since the last byte, or it has not. */
export const ALIVE = 1;
export const BLOCKED = 0;
export const CHECK_INTERVAL_MS = 1000;
/** Number of looks that a process without a parent has to finish what is in flight. */
export const MAX_CHECKS_ALONE = 8;

export function watchMainThread(): void {
  const aliveCount = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(aliveCount, 0, 1), CHECK_INTERVAL_MS / 4).unref();
  new Worker(programPath("api-watch", "watch-worker"), { workerData: aliveCount }).unref();
}
