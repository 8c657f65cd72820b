import type { DelayCause, Reason } from "../../core/records.ts";
import { formatDuration } from "./amounts.ts";

/** The cause of a host's next delay, in words. */
export function causeWords(cause: DelayCause, delay: number): string {
  switch (cause) {
    case "rate":
      return "our rate";
    case "crawl-delay":
      return `Crawl-delay ${formatDuration(delay)}`;
    case "retry-after":
      return "asked to wait (Retry-After)";
    case "slow":
      return "answers slowly";
    case "backoff":
      return "backing off after errors";
    case "paused":
      return "paused by hand";
    default:
      return cause satisfies never;
  }
}

/** Groups of reasons that are shown as one. An entry ending in a dot or colon matches as a prefix; the first match counts. */
const GROUPS: readonly (readonly [beginning: Reason | `${string}.`, words: string])[] = [
  ["scope.", "out of scope"],
  ["robots.", "robots"],
  ["depth", "depth"],
  ["params-cut", "params cut"],
  ["components", "URL too long"],
  ["length", "URL too long"],
  ["trap.", "traps"],
  ["duplicate.", "duplicates"],
  ["type", "type"],
  ["account-action", "would sign out or delete"],
  ["size", "too large"],
  ["scheme", "not http"],
  ["meta.nofollow", "nofollow"],
  ["private-network", "private network"],
  ["limit.", "limits"],
  ["host.", "host closed"],
  ["http.", "refused by the server"],
  ["plugin:", "plugins"],
];

/** Skipped URLs by group of reasons, the most frequent first. */
export function skipGroups(skipped: Readonly<Record<string, number>>): [words: string, urls: number][] {
  const groups = new Map<string, number>();
  for (const [reason, urls] of Object.entries(skipped)) {
    const words =
      GROUPS.find(([beginning]) => (/[.:]$/.test(beginning) ? reason.startsWith(beginning) : reason === beginning))?.[1] ?? "other";
    groups.set(words, (groups.get(words) ?? 0) + urls);
  }
  return [...groups].filter(([, urls]) => urls > 0).sort(([, a], [, b]) => b - a);
}
