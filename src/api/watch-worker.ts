/** The thread that tells how the main thread does. It needs nothing of that, and so it also ends a process that hangs when its server has gone. */
import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { LOOK, MOST_LOOKS_ALONE, STANDS, TURNS, WATCH_PIPE } from "./engine-watch.ts";

const turns = workerData as Int32Array;
let last = -1;
let alone = 0;

setInterval(() => {
  const now = Atomics.load(turns, 0);
  const byte = now === last ? STANDS : TURNS;
  last = now;
  if (isHeard(byte)) return;
  alone += 1;
  if (alone >= MOST_LOOKS_ALONE) process.kill(process.pid, "SIGKILL");
}, LOOK);

function isHeard(byte: number): boolean {
  try {
    writeSync(WATCH_PIPE, new Uint8Array([byte]));
    return true;
  } catch (cause) {
    // It is there, and does not read just now.
    return (cause as NodeJS.ErrnoException).code === "EAGAIN";
  }
}
