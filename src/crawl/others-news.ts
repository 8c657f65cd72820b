/** What a settlement teaches us of others who are at work in the same run. */
import type { Seen } from "../frontier/index.ts";
import type { Candidate } from "../records.ts";
import { type Counters, type Heard, minusCounts, type NearerUrl, noCounts, type Settled, type SettledVisit } from "../store/index.ts";
import { countOutcome, takeBackSkip } from "./count.ts";
import type { Mention, Namer } from "./mention.ts";
import type { Outcome } from "./visit.ts";

type Mentioned = [Mention, Namer];
type Named = Pick<Candidate, "url" | "key" | "hash" | "kind" | "via" | "hops" | "parent" | "siteId">;

/** Of URLs that were new to us, and that others had heard of: those that are nearer from here, to be heard again as known ones. */
export function knownToOthers(heard: readonly Heard[], known: NonNullable<Settled["known"]>, seen: Seen, counters: Counters): Mentioned[] {
  return heard.flatMap((one, index): Mentioned[] => {
    const row = known[index];
    if (!row) return [];
    if (one.verdict === "skipped") takeBackSkip(counters, one.reason);
    seen.learn(one.hash, row);
    return one.depth < row.depth ? [[mentionOf(one, one.depth), { id: one.parentId, url: one.parent, siteId: one.siteId }]] : [];
  });
}

/** Visits that others had brought nearer while they were out, to be heard again so that their links are as near. */
export function broughtNearer(visits: readonly SettledVisit[], nearer: NonNullable<Settled["nearer"]>, seen: Seen): Mentioned[] {
  return visits.flatMap(({ candidate, depth }, index): Mentioned[] => {
    const near = nearer[index];
    return near === undefined || near >= depth ? [] : [nearerThan(depth, candidate, near, seen)];
  });
}

/** The same of what somebody owes who was killed. */
export const leftNearer = (urls: readonly NearerUrl[], seen: Seen): Mentioned[] =>
  urls.map((url) => nearerThan(url.depth + 1, url, url.depth, seen));

/** Visits that were settled beside others that were refused: what both named may have been heard of on those alone, so their links are heard again. */
export function namedBesides(visits: readonly SettledVisit[], stale: ReadonlySet<number>, seen: Seen): Mentioned[] {
  const settled = visits.filter(({ verdict }, index) => !stale.has(index) && (verdict === "fetched" || verdict === "not-modified"));
  return settled.map(({ candidate, depth }) => nearerThan(depth + 1, candidate, depth, seen));
}

/** A mention that is news, though what was visited may have been heard of by others alone. */
function nearerThan(far: number, candidate: Named, depth: number, seen: Seen): Mentioned {
  seen.mention(candidate.hash, far);
  seen.learn(candidate.hash, { depth: far, mentions: seen.mentionsOf(candidate.hash) });
  return [mentionOf(candidate, depth), { id: undefined, url: candidate.parent, siteId: candidate.siteId }];
}

/** What was first heard of on pages that were refused is on no disk: whoever names it next is the first, as if we had not heard it. */
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

/** Visits whose host became another's while they were out do not count: whoever has it visits them again. */
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
