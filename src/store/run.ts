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

export interface Counters {
  /** Pages with a body or a 304. */
  pages: number;
  fetched: number;
  notModified: number;
  redirects: number;
  gone: number;
  refused: number;
  failed: number;
  bytes: number;
  changes: Record<Change, number>;
  /** Of those that nobody names: how many had been so before, and say what they said. */
  stillUnlinked?: number;
  /** How many URLs each reason kept out. */
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
