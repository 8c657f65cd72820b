/** Last known state of the active runs, cached so that frequent requests do not disturb the engine. */
import type { EngineEvent, LiveRun } from "../engine/engine.ts";

export type LiveRuns = Readonly<Record<number, LiveRun>>;

export class LiveCache {
  readonly #texts = new Map<number, string>();
  #runs: LiveRuns | undefined = {};

  update({ type, runId, isLast, data }: EngineEvent): void {
    if (isLast) this.#texts.delete(runId);
    else if (type === "crawl.progress") this.#texts.set(runId, data);
    else return;
    this.#runs = undefined;
  }

  /** Clears the state of an engine that has exited. */
  clear(): void {
    this.#texts.clear();
    this.#runs = {};
  }

  get runs(): LiveRuns {
    this.#runs ??= Object.fromEntries([...this.#texts].map(([id, text]) => [id, (JSON.parse(text) as { data: LiveRun }).data]));
    return this.#runs;
  }
}
