/** The watch thread. It does not depend on the main thread, so it can also end a hung process whose parent has exited. */
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
    // The pipe is full: the parent exists, but does not read at the moment.
    return (cause as NodeJS.ErrnoException).code === "EAGAIN";
  }
}
