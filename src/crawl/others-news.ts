/** Handles what a settlement reports about other processes of the same run. */
import type { Seen } from "../frontier/index.ts";
import type { Candidate } from "../records.ts";
import { type Counters, type Heard, minusCounts, type NearerUrl, noCounts, type Settled, type SettledVisit } from "../store/index.ts";
import { countOutcome, takeBackSkip } from "./count.ts";
import type { Mention, Namer } from "./mention.ts";
import type { Outcome } from "./visit.ts";

type Mentioned = [Mention, Namer];
type Named = Pick<Candidate, "url" | "key" | "hash" | "kind" | "via" | "hops" | "parent" | "siteId">;

/**
 * Mentions of URLs that were new to us but known to another process, if our depth is smaller: they are replayed to update the depth. Skips
 * that both processes counted are taken back.
 */
export function knownToOthers(heard: readonly Heard[], known: NonNullable<Settled["known"]>, seen: Seen, counters: Counters): Mentioned[] {
  return heard.flatMap((one, index): Mentioned[] => {
    const row = known[index];
    if (!row) return [];
    if (one.verdict === "skipped") takeBackSkip(counters, one.reason);
    seen.learn(one.hash, row);
    return one.depth < row.depth ? [[mentionOf(one, one.depth), { id: one.parentId, url: one.parent, siteId: one.siteId }]] : [];
  });
}

/** Visits whose depth another process reduced while they were in flight; replayed, so that their links get the smaller depth too. */
export function broughtNearer(visits: readonly SettledVisit[], nearer: NonNullable<Settled["nearer"]>, seen: Seen): Mentioned[] {
  return visits.flatMap(({ candidate, depth }, index): Mentioned[] => {
    const near = nearer[index];
    return near === undefined || near >= depth ? [] : [nearerThan(depth, candidate, near, seen)];
  });
}

/** As `broughtNearer`, for rows left in `nearness` by a killed worker. */
export const leftNearer = (urls: readonly NearerUrl[], seen: Seen): Mentioned[] =>
  urls.map((url) => nearerThan(url.depth + 1, url, url.depth, seen));

/**
 * Visits settled in a batch that also had stale visits. A URL named by both may have been recorded for the stale one only, so their links
 * are heard again.
 */
export function namedBesides(visits: readonly SettledVisit[], stale: ReadonlySet<number>, seen: Seen): Mentioned[] {
  const settled = visits.filter(({ verdict }, index) => !stale.has(index) && (verdict === "fetched" || verdict === "not-modified"));
  return settled.map(({ candidate, depth }) => nearerThan(depth + 1, candidate, depth, seen));
}

/** A mention that counts as nearer, even if only other processes have heard of the URL. */
function nearerThan(far: number, candidate: Named, depth: number, seen: Seen): Mentioned {
  seen.mention(candidate.hash, far);
  seen.learn(candidate.hash, { depth: far, mentions: seen.mentionsOf(candidate.hash) });
  return [mentionOf(candidate, depth), { id: undefined, url: candidate.parent, siteId: candidate.siteId }];
}

/** Forgets URLs first named by stale visits: they are not on disk, so the next mention must count as the first. */
export function unhear(
  heard: readonly Heard[],
  visits: readonly SettledVisit[],
  stale: ReadonlySet<number>,
  { seen, counters }: { seen: Seen; counters: Counters },
): void {
  const rows = new Set([...stale].map((index) => visits[index]!.candidate.id));
  for (const { hash, parentId, verdict, reason } of heard) {
    if (parentId === undefined || !rows.has(parentId)) continue;
    seen.forget(hash);
    if (verdict === "skipped") takeBackSkip(counters, reason);
  }
}

/** Visits whose host passed to another process while they were in flight do not count; that process visits them again. */
export function takeBackStale(
  counters: Counters,
  visits: readonly SettledVisit[],
  outcomes: readonly Outcome[],
  stale: ReadonlySet<number>,
): void {
  const counted = noCounts();
  for (const index of stale) if (!visits[index]!.isRetry) countOutcome(counted, outcomes[index]!, visits[index]!);
  Object.assign(counters, minusCounts(counters, counted));
}

const mentionOf = ({ url, key, hash, kind, via, hops }: Named, depth: number): Mention => ({
  url,
  key,
  hash,
  kind,
  via,
  depth,
  hops,
  lastmod: undefined,
  isUnloved: false,
});
