import type { Change, StopReason } from "../core/records.ts";
import type { Seed } from "../core/seed.ts";

export interface Site {
  readonly id: number;
  readonly uid: string;
  readonly url: string;
}

/** A crawl, or a run that fetches single pages for a context; the latter judges only the pages it visited. */
export type RunKind = "crawl" | "context" | "look";
export type RunStatus = "running" | "finished" | "stopped" | "failed";

/** The counters of one run. Each is defined once, in docs/counts.md. */
export interface Counters {
  /** Pages with a body or a 304. */
  pages: number;
  fetched: number;
  notModified: number;
  redirects: number;
  /** URLs that failed for good: `gone`, `refused` and `failed` together. */
  errors: number;
  /** Answered 404 or 410, known before or not. */
  gone: number;
  /** The server refused (401, 403, 429 …). URLs that we skip ourselves are counted only in `skipped`. */
  refused: number;
  /** No response, a server error, or a response that cannot be read. */
  failed: number;
  bytes: number;
  changes: Record<Change, number>;
  /** Unlinked pages that were unlinked before and have not changed. */
  stillUnlinked?: number;
  /** Changed pages that now redirect elsewhere. They are not counted in `pages`. */
  moved?: number;
  /** Number of skipped URLs per reason. */
  skipped: Record<string, number>;
  status: Record<string, number>;
  scripted: number;
  /** Links that keywords apply to, if there are keywords. */
  links?: LinkCounts | undefined;
  /** Second fetches of pages that differed, to detect noise. */
  looksAgain: number;
  /** Set if browsers were used. */
  rendering?: RenderingCounts | undefined;
}

export interface RenderingCounts {
  /** How often a browser rendered or fetched a page, whatever the result. */
  shown: number;
  /** Pages stored as rendered, by engine. */
  pages: Record<string, number>;
  /** Pages stored as fetched, because a browser could not render them, by error. */
  failed: Record<string, number>;
}

export interface LinkCounts {
  /** With any keyword. */
  matched: number;
  /** With a score of 0.8 or more. */
  high: number;
  /** Links with any keyword that this run was the first to find. */
  new: number;
  /** The same for links with a score of 0.8 or more. */
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
  /** The seeds, with who named each. */
  readonly namedSeeds: readonly Seed[];
  readonly sites: readonly Site[];
  readonly counters: Counters;
  readonly owner: string | undefined;
  readonly seq: number;
  readonly state: Record<string, unknown>;
  /** When its ledger was removed; such a run cannot be resumed. */
  readonly prunedAt?: number | undefined;
}

/** The state of a run in one word, the same in every interface. */
export const runStates = ["running", "finished", "stopped", "limit", "deferred", "failed", "died"] as const;
export type RunState = (typeof runStates)[number];

type RunEnding = Pick<Run, "status" | "stopReason">;

/** Why it ended; undefined while it is running. */
export const stopReasonOf = ({ status, stopReason }: RunEnding, isAlive: boolean): StopReason | undefined =>
  status === "running" ? (isAlive ? undefined : "died") : stopReason;

export function runState(run: RunEnding, isAlive: boolean): RunState {
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

/** Whether nothing is left to resume: the next crawl of its sites is a new run. */
export const hasEnded = ({ status, stopReason }: RunEnding): boolean => status === "finished" || stopReason === "no-pages";

/** Whether a run requested pages and got none, so that it does not count as finished. A known page found to be gone counts as a result. */
export const foundNothing = ({ pages, changes, errors, moved = 0 }: Counters): boolean => errors > 0 && pages + changes.gone + moved === 0;
