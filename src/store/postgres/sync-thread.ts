import { Worker } from "node:worker_threads";

// Threads run what was built, wherever this file is run from.
const BUILT = import.meta.url.endsWith(".ts") ? "../../../dist/src/store/postgres/sync-worker.js" : "./sync-worker.js";

let thread: { readonly worker: Worker; users: number } | undefined;

/** The thread that asks PostgreSQL, for all connections of the process. It keeps no process alive. */
export function shareThread(): Worker {
  thread ??= { worker: new Worker(new URL(BUILT, import.meta.url)), users: 0 };
  thread.users += 1;
  thread.worker.unref();
  return thread.worker;
}

/** Tells when somebody else has something new for whoever rests, until it is told to stop. */
export function onCall(hear: () => void): () => void {
  const worker = thread?.worker;
  worker?.on("message", hear);
  return () => worker?.off("message", hear);
}

/** It has died: whoever opens a database next gets another. */
export function replaceThread(): void {
  void thread?.worker.terminate();
  thread = undefined;
}

/** It ends with the last of them. */
export function leaveThread(): void {
  if (!thread) return;
  thread.users -= 1;
  if (thread.users > 0) return;
  thread.worker.postMessage("end");
  thread = undefined;
}
