/** Past events of a run from the data file, in the same form as live events. */
import type { App } from "../../../engine/app.ts";
import type { EngineEvent } from "../engine/engine.ts";
import { runJson } from "../json/run-json.ts";
import { runEvent, settledEvent } from "./event-json.ts";

const EVENTS_PER_PART = 100;

/** Yields arrays of events as JSON. */
export async function* missedEvents({ store }: App, runId: number, after: number): AsyncGenerator<string> {
  const run = await store.run(runId);
  if (!run) return;
  let batch: EngineEvent[] = [];
  for await (const settled of store.queue.settled(runId, after)) {
    if (batch.push(settledEvent(run, settled)) < EVENTS_PER_PART) continue;
    yield JSON.stringify(batch);
    batch = [];
  }
  if (batch.length > 0) yield JSON.stringify(batch);
}

/** `isAtWork` is also true between the end of a process and the moment its server resumes the run. */
export async function readRunState(
  { store }: App,
  runId: number,
): Promise<{ isAtWork: boolean; end: EngineEvent; seq: number } | undefined> {
  const run = await store.run(runId);
  if (!run) return undefined;
  const isHeld = (await store.service.serverRuns()).some(({ id, isCancelled }) => id === runId && !isCancelled);
  const type = run.status === "failed" && run.stopReason !== "no-pages" ? "crawl.failed" : "crawl.finished";
  return { isAtWork: isHeld || store.isAlive(run), end: runEvent(run, type, { run: runJson(run) }), seq: run.seq };
}
