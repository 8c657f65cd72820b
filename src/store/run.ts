import type { Change, StopReason } from "../records.ts";
import type { Seed } from "../seed.ts";

export interface Site {
  readonly id: number;
  readonly uid: string;
  readonly url: string;
}

/** A crawl, or a look at single pages for a pack of context: that one judges only what it visited. */
export type RunKind = "crawl" | "context" | "look";
export type RunStatus = "running" | "finished" | "stopped" | "failed";

/** What one run counted. What each number means is written down once, in docs/counts.md. */
export interface Counters {
  /** Pages with a body or a 304. */
  pages: number;
  fetched: number;
  notModified: number;
  redirects: number;
  /** URLs that failed for good: `gone`, `refused` and `failed` together. */
  errors: number;
  /** Answered 404 or 410, whether they were known before or not. */
  gone: number;
  /** The server said no (401, 403, 429 …). What we skip ourselves is in `skipped` alone. */
  refused: number;
  /** No answer, a server error, or an answer that cannot be read. */
  failed: number;
  bytes: number;
  changes: Record<Change, number>;
  /** Of those that nobody names: how many had been so before, and say what they said. */
  stillUnlinked?: number;
  /** Of the changed: known pages that redirect elsewhere now. They are not among `pages`. */
  moved?: number;
  /** How many URLs each of our own reasons kept out. */
  skipped: Record<string, number>;
  status: Record<string, number>;
  scripted: number;
  /** Links that keywords apply to, where there are keywords. */
  links?: LinkCounts | undefined;
  /** Second looks at pages that differed, to tell what changes by itself. */
  looksAgain: number;
  /** Where browsers were asked. */
  rendering?: RenderingCounts | undefined;
}

export interface RenderingCounts {
  /** How often a browser was shown a page, or asked for one, whatever came of it. */
  shown: number;
  /** Pages kept as a browser showed them, by its engine. */
  pages: Record<string, number>;
  /** Pages kept as they came, because a browser could not show them, by what went wrong. */
  failed: Record<string, number>;
}

export interface LinkCounts {
  /** With any keyword. */
  matched: number;
  /** Worth 0.8 or more. */
  high: number;
  /** Of those with any keyword, what this run was the first to find. */
  new: number;
  /** Of those worth 0.8 or more. */
  highNew: number;
}

export interface Run {
  readonly id: number;
  readonly uid: string;
  readonly kind: RunKind;
  readonly status: RunStatus;
  readonly stopReason: StopReason | undefined;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly options: Record<string, unknown>;
  readonly seeds: readonly string[];
  /** The same, with who named each. */
  readonly namedSeeds: readonly Seed[];
  readonly sites: readonly Site[];
  readonly counters: Counters;
  readonly owner: string | undefined;
  readonly seq: number;
  readonly state: Record<string, unknown>;
  /** When its ledger was removed: it cannot be taken up again. */
  readonly prunedAt?: number | undefined;
}

/** How a run stands, in one word: the same in every interface. */
export const runStates = ["running", "finished", "stopped", "limit", "deferred", "failed", "died"] as const;
export type RunState = (typeof runStates)[number];

type HowItEnded = Pick<Run, "status" | "stopReason">;

/** Why it ended; undefined while it is at work. */
export const stopReasonOf = ({ status, stopReason }: HowItEnded, isAlive: boolean): StopReason | undefined =>
  status === "running" ? (isAlive ? undefined : "died") : stopReason;

export function runState(run: HowItEnded, isAlive: boolean): RunState {
  const reason = stopReasonOf(run, isAlive);
  switch (reason) {
    case undefined:
      return run.status;
    case "limit.pages":
    case "limit.time":
    case "limit.bytes":
      return "limit";
    case "no-pages":
    case "hung":
      return "failed";
    default:
      return reason;
  }
}

/** Whether nothing of it is left to carry on with: the next crawl of its sites is a new run. */
export const hasEnded = ({ status, stopReason }: HowItEnded): boolean => status === "finished" || stopReason === "no-pages";

/** Whether a run asked for pages and not one came: nobody would call that finished. A known page that is gone now is found out. */
export const foundNothing = ({ pages, changes, errors, moved = 0 }: Counters): boolean => errors > 0 && pages + changes.gone + moved === 0;
