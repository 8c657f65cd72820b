/** What happened in a run, as it is stored: told like what happens now. */
import type { App } from "../app.ts";
import type { EngineEvent } from "./engine.ts";
import { runEvent, settledEvent } from "./event-json.ts";
import { runJson } from "./run-json.ts";

const CHUNK = 100;

/** Lists of events, as JSON. */
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

/** Whether more may come of a run: it is at work, or its server is about to take it up again. */
export async function standing({ store }: App, runId: number): Promise<{ isAtWork: boolean; end: EngineEvent; seq: number } | undefined> {
  const run = await store.run(runId);
  if (!run) return undefined;
  const isHeld = (await store.service.held()).some(({ id, isCancelled }) => id === runId && !isCancelled);
  const type = run.status === "failed" && run.stopReason !== "no-pages" ? "crawl.failed" : "crawl.finished";
  return { isAtWork: isHeld || store.isAlive(run), end: runEvent(run, type, { run: runJson(run) }), seq: run.seq };
}
