import { Worker } from "node:worker_threads";

// Worker threads load built code, even if this file runs from source.
const WORKER_FILE = import.meta.url.endsWith(".ts") ? "../../../../dist/src/store/postgres/sync/sync-worker.js" : "./sync-worker.js";

let thread: { readonly worker: Worker; users: number } | undefined;

/** The thread that talks to PostgreSQL, shared by all connections of the process. It does not keep the process running. */
export function acquireThread(): Worker {
  thread ??= { worker: new Worker(new URL(WORKER_FILE, import.meta.url)), users: 0 };
  thread.users += 1;
  thread.worker.unref();
  return thread.worker;
}

/** Calls `hear` when another worker notifies idle ones, until the returned function is called. */
export function onNotification(listener: () => void): () => void {
  const worker = thread?.worker;
  worker?.on("message", listener);
  return () => worker?.off("message", listener);
}

/** The thread has died: the next database opened gets a new one. */
export function replaceThread(): void {
  void thread?.worker.terminate();
  thread = undefined;
}

/** The thread ends with its last user. */
export function releaseThread(): void {
  if (!thread) return;
  thread.users -= 1;
  if (thread.users > 0) return;
  thread.worker.postMessage("end");
  thread = undefined;
}
