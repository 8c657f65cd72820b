/** What a settlement teaches us of others who are at work in the same run. */
import type { Seen } from "../frontier/index.ts";
import type { Candidate } from "../records.ts";
import { type Counters, type Heard, minusCounts, noCounts, type Settled, type SettledVisit } from "../store/index.ts";
import { countOutcome, takeBackSkip } from "./count.ts";
import type { Mention, Namer } from "./mention.ts";
import type { Outcome } from "./visit.ts";

type Mentioned = [Mention, Namer];

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
    if (near === undefined || near >= depth) return [];
    seen.learn(candidate.hash, { depth, mentions: seen.mentionsOf(candidate.hash) });
    return [[mentionOf(candidate, near), { id: undefined, url: candidate.parent, siteId: candidate.siteId }]];
  });
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
  for (const index of stale) if (!visits[index]!.isRetry) countOutcome(counted, outcomes[index]!);
  Object.assign(counters, minusCounts(counters, counted));
}

const mentionOf = ({ url, key, hash, kind, via, hops }: Candidate, depth: number): Mention => ({
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
