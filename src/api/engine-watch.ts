/**
 * Whether the main thread of the crawling process still turns. A thread beside it writes a byte a second to whoever started the process: time is counted
 * in those bytes, so that a machine that was asleep, or a process that was halted, is not taken for one that hangs.
 */
import { Worker } from "node:worker_threads";
import { program } from "./program.ts";

/** The pipe to whoever started this process. */
export const WATCH_PIPE = 3;
/** The main thread has turned since the last byte, or it has not. */
export const TURNS = 1;
export const STANDS = 0;
export const LOOK = 1000;
/** So long a process whose server is gone may take to finish what is in flight. */
export const MOST_LOOKS_ALONE = 8;

export function watchMainThread(): void {
  const turns = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(turns, 0, 1), LOOK / 4).unref();
  new Worker(program("api-watch", "watch-worker"), { workerData: turns }).unref();
}
