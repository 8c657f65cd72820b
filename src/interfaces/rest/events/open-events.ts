import { setTimeout as sleep } from "node:timers/promises";
import type { Backends } from "../backends.ts";
import type { EngineEvent } from "../engine/engine.ts";
import { Events, type EventsSetup } from "./events.ts";

const MAX_TRIES = 50;
const PAUSE_MS = 100;

/** Live events whose history is read from the data file by the readers. */
export function openEvents(backends: Backends): Events {
  return new Events({
    // Retries while a crashed engine is being replaced.
    subscribe: async (wanted) => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        try {
          await backends.askInternal("engine", "listen", wanted);
          return;
        } catch {
          await sleep(PAUSE_MS, undefined, { ref: false });
        }
      }
    },
    async *readMissed(runId, after) {
      for await (const part of backends.streamInternal("reader", "missedEvents", { runId, after }))
        yield* JSON.parse(part) as EngineEvent[];
    },
    runState: async (runId) =>
      ((await backends.askInternal("reader", "standing", runId)) ?? undefined) as Awaited<ReturnType<EventsSetup["runState"]>>,
    laterRuns: async (runId) => (await backends.askInternal("reader", "runsAfter", runId)) as number[],
  });
}
