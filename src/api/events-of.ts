import type { EngineEvent } from "./engine.ts";
import { Events, type EventsSetup } from "./events.ts";
import type { Places } from "./places.ts";

/** Events whose past is in the data file, which readers look up. */
export function eventsOf(places: Places): Events {
  return new Events({
    listen: async (wanted) => void (await places.askSelf("engine", "listen", wanted)),
    async *missed(runId, after) {
      for await (const part of places.askStream("reader", "missedEvents", { runId, after })) yield* JSON.parse(part) as EngineEvent[];
    },
    standing: async (runId) =>
      ((await places.askSelf("reader", "standing", runId)) ?? undefined) as Awaited<ReturnType<EventsSetup["standing"]>>,
    later: async (runId) => (await places.askSelf("reader", "runsAfter", runId)) as number[],
  });
}
