import type { SessionMemory } from "../../../analysis/url/index.ts";
import type { Run, Store } from "../../../store/index.ts";
import type { RunState } from "../run-setup.ts";

/** Limits for the lookup: sites, and earlier runs of each. */
const MAX_SITES = 100;
const MAX_RUNS = 3;

/** Session ids that the latest runs of these sites learned, so that URLs with such an id are known to be duplicates. */
export async function knownSessions(store: Store, { id, sites }: Run): Promise<SessionMemory> {
  const found: SessionMemory[number][] = [];
  for (const { id: siteId } of sites.slice(0, MAX_SITES)) {
    const runs = await store.runs({ siteId, before: id, limit: MAX_RUNS });
    for (const earlier of runs.toReversed()) found.push(...((earlier.state as RunState).guards?.sessions ?? []));
  }
  return found;
}
