/**
 * Detects a blocked main thread in the crawling process. A watch thread writes one byte per second to the parent process. Time is counted
 * in these bytes, so that a machine that was asleep, or a process that was suspended, is not taken for hung.
 */
import { Worker } from "node:worker_threads";
import { program } from "./program.ts";

/** File descriptor of the pipe to the parent process. */
export const WATCH_PIPE = 3;
/** Byte values: the main thread has turned since the last byte, or it has not. */
export const TURNS = 1;
export const STANDS = 0;
export const LOOK = 1000;
/** Number of looks that a process without a parent has to finish what is in flight. */
export const MOST_LOOKS_ALONE = 8;

export function watchMainThread(): void {
  const turns = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(turns, 0, 1), LOOK / 4).unref();
  new Worker(program("api-watch", "watch-worker"), { workerData: turns }).unref();
}
