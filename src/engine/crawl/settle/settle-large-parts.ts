import type { Counters, FoundLink, LinkToStore, ScorerSpec, SettledVisit, Settlement, Store } from "../../../store/index.ts";
import type { Frontier } from "../../frontier/index.ts";
import { type AdmissionPlan, queuedRowsOf } from "../admit/mention.ts";
import { countSkip, uncountSkip } from "./count.ts";

/** Limits the rows of one transaction: thousands of them block the main thread for too long. */
const MAX_ROWS = 4000;

const EMPTY_SETTLEMENT = { visits: [], heard: [], again: [], more: [], hosts: [] };

interface Setup {
  readonly store: Store;
  readonly runId: number;
  readonly frontier: Frontier;
  readonly judge: ScorerSpec | undefined;
  readonly counters: Counters;
  readonly clock: { wall(): number };
  readonly state: () => Record<string, unknown>;
  readonly onFound: (links: readonly FoundLink[]) => void;
}

interface Batch {
  readonly plan: AdmissionPlan;
  readonly visits: readonly SettledVisit[];
  /** As they were before the batch. */
  readonly counters: Counters;
}

/**
 * Writes the long part of a batch first, in transactions of its own: most of the new URLs, and the link rows. If the process is killed in
 * between, the page that names them is visited again and finds them known. Returns the pages whose link rows are all written.
 */
export async function settleLargeParts(setup: Setup, { plan, visits, counters }: Batch): Promise<ReadonlySet<number>> {
  const { store, runId, frontier, judge, clock } = setup;
  const settle = async (part: Pick<Settlement, "links"> | Pick<Settlement, "heard">) => {
    await new Promise((resolve) => setImmediate(resolve));
    return store.settle({ ...EMPTY_SETTLEMENT, runId, at: clock.wall(), counters, state: setup.state(), judge, ...part });
  };
  const hasManyUrls = plan.newUrls.length > MAX_ROWS;
  while (hasManyUrls && plan.newUrls.length > 0) {
    const heard = plan.newUrls.splice(0, MAX_ROWS);
    for (const { verdict, reason } of heard) if (verdict === "skipped") countSkip(counters, reason);
    const { heardIds, notUnfollowed } = await settle({ heard });
    for (const to of [counters, setup.counters]) uncountSkip(to, "meta.nofollow", notUnfollowed);
    frontier.add(queuedRowsOf(heard, heardIds));
  }
  const linksWritten = new Set<number>();
  for (const { page, remembered } of visits) {
    if (!page?.version || page.version.links.length <= MAX_ROWS) continue;
    const { links, linkIndex } = page.version;
    const parts = partsByUrl(links);
    for (const [index, part] of parts.entries()) {
      const { newLinks: found } = await settle({ links: { page: remembered, links: part, linkIndex, part: { index, of: parts.length } } });
      if (found.length > 0) setup.onFound(found);
    }
    if (remembered) linksWritten.add(remembered.pageId);
  }
  return linksWritten;
}

function partsByUrl(links: readonly LinkToStore[]): LinkToStore[][] {
  const parts: LinkToStore[][] = Array.from({ length: Math.ceil(links.length / MAX_ROWS) }, () => []);
  for (const link of links) parts[link.hash.lo % parts.length]!.push(link);
  return parts;
}
