import { nearest, SetupError } from "../../../engine/config/index.ts";
import type { RunResult } from "../../../engine/crawl/index.ts";
import { exitCodes } from "../exit-codes.ts";

/** Conditions that make the exit code an error although the run succeeded. */
export interface FailOn {
  readonly limit: boolean;
  /** Highest share of pages that may fail, 0–1; undefined if not requested. */
  readonly errors: number | undefined;
  readonly changes: boolean;
}

const CONDITIONS = ["limit", "errors", "changes"];
const HINT = "--fail-on limit, errors, errors=5%, changes, or several with commas";

export function parseFailOn(text: string | undefined): FailOn {
  const wanted = new Map<string, string | undefined>();
  for (const entry of (text ?? "").split(",").map((word) => word.trim())) {
    if (entry === "" && text === undefined) continue;
    const [word = "", share] = entry.split("=", 2);
    const isRight = CONDITIONS.includes(word) && (share === undefined || (word === "errors" && /^(?:\d{1,2}(?:\.\d+)?|100)%$/.test(share)));
    if (!isRight) throw new SetupError(`--fail-on cannot be ${entry || "empty"}`, hintFor(word));
    wanted.set(word, share);
  }
  return {
    limit: wanted.has("limit"),
    errors: wanted.has("errors") ? Number.parseFloat(wanted.get("errors") ?? "0") / 100 : undefined,
    changes: wanted.has("changes"),
  };
}

function hintFor(word: string): string {
  const near = CONDITIONS.includes(word) ? undefined : nearest(word, CONDITIONS);
  return near ? `did you mean --fail-on ${near}?` : HINT;
}

/** The exit code of the first condition that is met. A first visit has no changes, because there is nothing to compare with. */
export function failureCode(failOn: FailOn, { stopReason, stats }: RunResult, hasHistory: boolean): number | undefined {
  const { pages, failed, gone, changes, stillUnlinked = 0 } = stats;
  if (failOn.limit && stopReason.startsWith("limit.")) return exitCodes.limit;
  const bad = failed + gone;
  if (failOn.errors !== undefined && bad > 0 && bad / (pages + bad) > failOn.errors) return exitCodes.pageErrors;
  const different = changes.new + changes.changed + changes.gone + changes.unlinked - stillUnlinked;
  return failOn.changes && hasHistory && different > 0 ? exitCodes.changes : undefined;
}
