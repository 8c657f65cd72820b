/** The watch thread. It does not depend on the main thread, so it can also end a hung process whose parent has exited. */
import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { ALIVE, BLOCKED, CHECK_INTERVAL_MS, MAX_CHECKS_ALONE, WATCH_PIPE } from "./engine-watch.ts";

const aliveCount = workerData as Int32Array;
let last = -1;
let checksAlone = 0;

setInterval(() => {
  const now = Atomics.load(aliveCount, 0);
  const byte = now === last ? BLOCKED : ALIVE;
  last = now;
  if (sendByte(byte)) return;
  checksAlone += 1;
  if (checksAlone >= MAX_CHECKS_ALONE) process.kill(process.pid, "SIGKILL");
}, CHECK_INTERVAL_MS);

function sendByte(byte: number): boolean {
  try {
    writeSync(WATCH_PIPE, new Uint8Array([byte]));
    return true;
  } catch (cause) {
    // The pipe is full: the parent exists, but does not read at the moment.
    return (cause as NodeJS.ErrnoException).code === "EAGAIN";
  }
}
