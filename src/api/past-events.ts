/** Past events of a run from the data file, in the same form as live events. */
import type { App } from "../app.ts";
import type { EngineEvent } from "./engine.ts";
import { runEvent, settledEvent } from "./event-json.ts";
import { runJson } from "./run-json.ts";

const CHUNK = 100;

/** Yields arrays of events as JSON. */
export async function* missedEvents({ store }: App, runId: number, after: number): AsyncGenerator<string> {
  const run = await store.run(runId);
  if (!run) return;
  let heap: EngineEvent[] = [];
  for await (const settled of store.queue.settled(runId, after)) {
    if (heap.push(settledEvent(run, settled)) < CHUNK) continue;
    yield JSON.stringify(heap);
    heap = [];
  }
  if (heap.length > 0) yield JSON.stringify(heap);
}

/** `isAtWork` is also true between the end of a process and the moment its server resumes the run. */
export async function standing({ store }: App, runId: number): Promise<{ isAtWork: boolean; end: EngineEvent; seq: number } | undefined> {
  const run = await store.run(runId);
  if (!run) return undefined;
  const isHeld = (await store.service.held()).some(({ id, isCancelled }) => id === runId && !isCancelled);
  const type = run.status === "failed" && run.stopReason !== "no-pages" ? "crawl.failed" : "crawl.finished";
  return { isAtWork: isHeld || store.isAlive(run), end: runEvent(run, type, { run: runJson(run) }), seq: run.seq };
}
