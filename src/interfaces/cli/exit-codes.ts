import type { RunResult } from "../../engine/crawl/index.ts";

/** Exit codes; scripts depend on them, so they do not change. */
export const exitCodes = {
  ok: 0,
  error: 1,
  usage: 2,
  noPages: 3,
  blocked: 4,
  storage: 5,
  stuck: 6,
  limit: 10,
  pageErrors: 11,
  changes: 12,
  interrupted: 130,
  terminated: 143,
} as const;

/** True if the site refused: by robots.txt, or with 401 or 403. */
export const isBlocked = ({ reason, rule }: Pick<RunResult["seeds"][number], "reason" | "rule">): boolean =>
  reason.startsWith("robots.") || (reason === "http.4xx" && /\b40[13]\b/.test(rule));
/** Meaning of each code, for `nuthatch help exit-codes` and the reference. */
export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: "finished, or stopped at a limit (stopReason in --json tells which)",
  error: "something unexpected; -v shows where; what was settled is kept",
  usage: "a bad flag, argument or config file; nothing was changed",
  noPages: "no page was fetched: DNS, refused connections, every seed failed, or its host has to wait",
  blocked: "no page was fetched, and every seed is closed by robots.txt or answered 401 or 403",
  storage:
    "the data file is locked, full, broken, silent or newer than this nuthatch, the site is being crawled by another process, or a disk does not take what is written",
  stuck: "the command waited for an answer that could no longer come (a fault of nuthatch); what was settled is kept",
  limit: "only with --fail-on limit: a limit was met",
  pageErrors: "only with --fail-on errors: a page failed or is gone; errors=5%: more than five of a hundred",
  changes: "only with --fail-on changes: something is new, changed, gone or unlinked since an earlier run",
  interrupted: "Ctrl-C; everything is kept and the command that carries on is printed",
  terminated: "SIGTERM; the same",
};

/** A run without any page has an error code; single pages that failed do not cause one. */
export function exitCodeOf(result: RunResult): number {
  if (result.stats.pages > 0 || result.stopReason.startsWith("limit.")) return exitCodes.ok;
  if (result.due?.pages === 0 && result.seeds.every(({ verdict }) => verdict === "fetched")) return exitCodes.ok;
  if (result.seeds.length > 0 && result.seeds.every(isBlocked)) return exitCodes.blocked;
  return exitCodes.noPages;
}
