import type { Run, Store } from "../store/index.ts";
import type { SessionMemory } from "../url/index.ts";
import type { RunState } from "./run-setup.ts";

/** Of at most so many sites, and so many earlier runs of each, session ids are looked up. */
const MOST_SITES = 100;
const MOST_RUNS = 3;

/** What the latest runs of these sites learned of session ids: a page that is asked for with such an id in its URL shows no other. */
export async function knownSessions(store: Store, { id, sites }: Run): Promise<SessionMemory> {
  const found: SessionMemory[number][] = [];
  for (const { id: siteId } of sites.slice(0, MOST_SITES)) {
    const runs = await store.runs({ siteId, before: id, limit: MOST_RUNS });
    for (const earlier of runs.toReversed()) found.push(...((earlier.state as RunState).guards?.sessions ?? []));
  }
  return found;
}
