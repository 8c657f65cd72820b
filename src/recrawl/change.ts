import type { Change, Fingerprint } from "../records.ts";

export type ComparedBy = "links" | "text" | "both";

/** Is this page the one we know? */
export function compare(now: Fingerprint, before: Fingerprint | undefined, by: ComparedBy): "new" | "changed" | "same" {
  if (!before) return "new";
  const isSame = (by === "text" || now.links === before.links) && (by === "links" || now.text === before.text);
  return isSame ? "same" : "changed";
}

/**
 * What a probe tells: a page that nobody mentioned in a run that saw everything is visited once.
 * Only a clear answer counts; an error or a closed door leaves it unknown.
 */
export function afterProbe(fetched: "body" | "not-modified" | "moved" | "gone" | "refused" | "failed"): Change {
  if (fetched === "body" || fetched === "not-modified") return "unlinked";
  return fetched === "gone" || fetched === "moved" ? "gone" : "unknown";
}
