/** Handles what a settlement reports about other processes of the same run. */

import type { Candidate } from "../../../core/records.ts";
import {
  type Counters,
  type NewUrl,
  noCounts,
  type SettledVisit,
  type SettleResult,
  type ShallowerUrl,
  subtractCounts,
} from "../../../store/index.ts";
import type { Seen } from "../../frontier/index.ts";
import type { Mention, MentionSource } from "../admit/mention.ts";
import type { Outcome } from "../visit.ts";
import { countOutcome, uncountSkip } from "./count.ts";

type SourcedMention = [Mention, MentionSource];
type Named = Pick<Candidate, "url" | "key" | "hash" | "kind" | "via" | "hops" | "parent" | "siteId">;

/**
 * Mentions of URLs that were new to us but known to another process, if our depth is smaller: they are replayed to update the depth. Skips
 * that both processes counted are taken back.
 */
export function knownToOthers(
  newUrls: readonly NewUrl[],
  known: NonNullable<SettleResult["known"]>,
  seen: Seen,
  counters: Counters,
): SourcedMention[] {
  return newUrls.flatMap((one, index): SourcedMention[] => {
    const row = known[index];
    if (!row) return [];
    if (one.verdict === "skipped") uncountSkip(counters, one.reason);
    seen.learn(one.hash, row);
    return one.depth < row.depth ? [[mentionOf(one, one.depth), { id: one.parentId, url: one.parent, siteId: one.siteId }]] : [];
  });
}

/** Visits whose depth another process reduced while they were in flight; replayed, so that their links get the smaller depth too. */
export function mentionsWithLessDepth(
  visits: readonly SettledVisit[],
  nearer: NonNullable<SettleResult["nearer"]>,
  seen: Seen,
): SourcedMention[] {
  return visits.flatMap(({ candidate, depth }, index): SourcedMention[] => {
    const near = nearer[index];
    return near === undefined || near >= depth ? [] : [nearerMention(depth, candidate, near, seen)];
  });
}

/** As `mentionsWithLessDepth`, for rows left in `nearness` by a killed worker. */
export const leftDepthMentions = (urls: readonly ShallowerUrl[], seen: Seen): SourcedMention[] =>
  urls.map((url) => nearerMention(url.depth + 1, url, url.depth, seen));

/**
 * Visits settled in a batch that also had stale visits. A URL named by both may have been recorded for the stale one only, so their links
 * are heard again.
 */
export function mentionsBesideStale(visits: readonly SettledVisit[], stale: ReadonlySet<number>, seen: Seen): SourcedMention[] {
  const settled = visits.filter(({ verdict }, index) => !stale.has(index) && (verdict === "fetched" || verdict === "not-modified"));
  return settled.map(({ candidate, depth }) => nearerMention(depth + 1, candidate, depth, seen));
}

/** A mention that counts as nearer, even if only other processes have heard of the URL. */
function nearerMention(oldDepth: number, candidate: Named, depth: number, seen: Seen): SourcedMention {
  seen.mention(candidate.hash, oldDepth);
  seen.learn(candidate.hash, { depth: oldDepth, mentions: seen.mentionsOf(candidate.hash) });
  return [mentionOf(candidate, depth), { id: undefined, url: candidate.parent, siteId: candidate.siteId }];
}

/** Forgets URLs first named by stale visits: they are not on disk, so the next mention must count as the first. */
export function forgetMentions(
  newUrls: readonly NewUrl[],
  visits: readonly SettledVisit[],
  stale: ReadonlySet<number>,
  { seen, counters }: { seen: Seen; counters: Counters },
): void {
  const rows = new Set([...stale].map((index) => visits[index]!.candidate.id));
  for (const { hash, parentId, verdict, reason } of newUrls) {
    if (parentId === undefined || !rows.has(parentId)) continue;
    seen.forget(hash);
    if (verdict === "skipped") uncountSkip(counters, reason);
  }
}

/** Visits whose host passed to another process while they were in flight do not count; that process visits them again. */
export function uncountStale(
  counters: Counters,
  visits: readonly SettledVisit[],
  outcomes: readonly Outcome[],
  stale: ReadonlySet<number>,
): void {
  const counted = noCounts();
  for (const index of stale) if (!visits[index]!.isRetry) countOutcome(counted, outcomes[index]!, visits[index]!);
  Object.assign(counters, subtractCounts(counters, counted));
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
  isNofollow: false,
});
