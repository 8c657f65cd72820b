import type { Change, Fingerprint } from "../../core/records.ts";

export type ComparedBy = "links" | "text" | "both";

/** Compares a page with its stored fingerprint. */
export function compare(now: Fingerprint, before: Fingerprint | undefined, by: ComparedBy): "new" | "changed" | "same" {
  if (!before) return "new";
  const isSame = (by === "text" || now.links === before.links) && (by === "links" || now.text === before.text);
  return isSame ? "same" : "changed";
}

/**
 * The result of a probe: a page that nothing named in a complete run is visited once. Only a clear answer counts; after an error or a
 * refusal it stays unknown.
 */
export function afterProbe(fetched: "body" | "not-modified" | "moved" | "gone" | "refused" | "failed"): Change {
  if (fetched === "body" || fetched === "not-modified") return "unlinked";
  return fetched === "gone" || fetched === "moved" ? "gone" : "unknown";
}
