import type { RunResult } from "../crawl/index.ts";

/** What a script may build on. Documented in docs/exit-codes.md. */
export const exitCodes = {
  ok: 0,
  error: 1,
  usage: 2,
  noPages: 3,
  blocked: 4,
  storage: 5,
  limit: 10,
  pageErrors: 11,
  changes: 12,
  interrupted: 130,
  terminated: 143,
} as const;

/** Whether the site said no: by its robots.txt, or with 401 or 403. */
export const isClosed = ({ reason, rule }: Pick<RunResult["seeds"][number], "reason" | "rule">): boolean =>
  reason.startsWith("robots.") || (reason === "http.4xx" && /\b40[13]\b/.test(rule));

/** A run that fetched nothing says why with its code; single pages that failed never do. */
export function exitCodeOf(result: RunResult): number {
  if (result.stats.pages > 0 || result.stopReason.startsWith("limit.")) return exitCodes.ok;
  if (result.seeds.length > 0 && result.seeds.every(isClosed)) return exitCodes.blocked;
  return exitCodes.noPages;
}
