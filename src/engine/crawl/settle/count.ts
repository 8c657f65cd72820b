import type { Reason } from "../../../core/records.ts";
import type { Counters, RenderingCounts, SettledVisit } from "../../../store/index.ts";
import type { Outcome } from "../visit.ts";
import { statusClass } from "./judge-answer.ts";

export function countSkip({ skipped }: Counters, reason: Reason, count = 1): void {
  skipped[reason] = (skipped[reason] ?? 0) + count;
}

export function uncountSkip({ skipped }: Counters, reason: Reason, count = 1): void {
  const left = (skipped[reason] ?? 0) - count;
  if (left === 0) delete skipped[reason];
  else skipped[reason] = left;
}

/** A copy to restore if a batch cannot be written. */
export function copyCounters(counters: Counters): Counters {
  const { changes, skipped, status, links, rendering } = counters;
  const copied = { ...counters, changes: { ...changes }, skipped: { ...skipped }, status: { ...status } };
  if (links) copied.links = { ...links };
  if (rendering) copied.rendering = structuredClone(rendering);
  return copied;
}

/** Adds the result of one visit. Retries are not counted, only the final result, as in the ledger. */
export function countOutcome(counters: Counters, outcome: Outcome, { verdict, reason }: Pick<SettledVisit, "verdict" | "reason">): void {
  const { visit, fetched, reading, change, remembered, rendered, trouble } = outcome;
  const status = statusClass(fetched);
  if (status) counters.status[status] = (counters.status[status] ?? 0) + 1;
  if (fetched.kind === "body") counters.bytes += fetched.wireBytes;
  if (fetched.kind === "moved") counters.redirects += 1;
  if (verdict === "skipped") countSkip(counters, reason);
  if (verdict === "failed") {
    counters.errors += 1;
    counters[fetched.kind === "gone" || fetched.kind === "refused" ? fetched.kind : "failed"] += 1;
  }
  if (visit.kind !== "page") return;
  if (fetched.kind === "body" || fetched.kind === "not-modified") counters.pages += 1;
  if (fetched.kind === "body") counters.fetched += 1;
  if (fetched.kind === "not-modified") counters.notModified += 1;
  if (rendered) increment(renderingCounts(counters).pages, rendered.engine);
  if (trouble) increment(renderingCounts(counters).failed, trouble);
  if (reading?.looksScripted && !rendered) counters.scripted += 1;
  // A redirect is not a page; that a known page now redirects is counted once.
  const hasMoved = fetched.kind === "moved";
  if (change && !(hasMoved && change === "same")) counters.changes[change] += 1;
  if (change === "changed" && hasMoved) counters.moved = (counters.moved ?? 0) + 1;
  const isSameText = !reading || reading.fingerprint.text === remembered?.fingerprint?.text;
  if (change === "unlinked" && remembered?.isUnlinked && isSameText) counters.stillUnlinked = (counters.stillUnlinked ?? 0) + 1;
}

const increment = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** Created on first use, so that runs without browsers have no such counters. */
export function renderingCounts(counters: Counters): RenderingCounts {
  counters.rendering ??= { shown: 0, pages: {}, failed: {} };
  return counters.rendering;
}
