import { setTimeout as sleep } from "node:timers/promises";
import type { EngineEvent } from "./engine.ts";
import { Events, type EventsSetup } from "./events.ts";
import type { Places } from "./places.ts";

const TRIES = 50;
const PAUSE = 100;

/** Live events whose history is read from the data file by the readers. */
export function eventsOf(places: Places): Events {
  return new Events({
    // Retries while a crashed engine is being replaced.
    listen: async (wanted) => {
      for (let tries = 0; tries < TRIES; tries++) {
        try {
          await places.askSelf("engine", "listen", wanted);
          return;
        } catch {
          await sleep(PAUSE, undefined, { ref: false });
        }
      }
    },
    async *missed(runId, after) {
      for await (const part of places.askStream("reader", "missedEvents", { runId, after })) yield* JSON.parse(part) as EngineEvent[];
    },
    standing: async (runId) =>
      ((await places.askSelf("reader", "standing", runId)) ?? undefined) as Awaited<ReturnType<EventsSetup["standing"]>>,
    later: async (runId) => (await places.askSelf("reader", "runsAfter", runId)) as number[],
  });
}
