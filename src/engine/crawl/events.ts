import type { DelayCause, Page, Reason, StopReason, Verdict, Via } from "../../core/records.ts";
import type { Counters, Run } from "../../store/index.ts";
import type { HostPause } from "./host-pause.ts";

/** What a run reports while it works: the crawl emits events; command line, library, API and telemetry listen. */
export type CrawlEvent =
  | { readonly type: "crawl.started"; readonly run: Run; readonly isResumed: boolean }
  | {
      readonly type: "page.fetched";
      readonly page: Page;
      /** Data that plugins collected from the page. */
      readonly data?: unknown;
    }
  | {
      readonly type: "page.gone";
      /** The page as an earlier run stored it. */
      readonly page: Page;
    }
  | {
      readonly type: "url.settled";
      readonly url: string;
      readonly depth: number;
      readonly verdict: Verdict;
      readonly reason: Reason;
      readonly rule: string;
      readonly status: number | undefined;
      /** Position in the order of settling; undefined if the URL will be requested again. */
      readonly seq: number | undefined;
      readonly durationMs: number;
    }
  | {
      readonly type: "link.heard";
      readonly from: string;
      readonly url: string;
      readonly depth: number;
      readonly via: Via;
      readonly fate: LinkResult;
    }
  | {
      /** A link of high value, which no run had found on the site before. */
      readonly type: "link.found";
      readonly url: string;
      readonly score: number;
      /** How far each keyword applies, 0–1. */
      readonly keywords: Readonly<Record<string, number>>;
      readonly isNew: true;
    }
  | { readonly type: "host.slowed"; readonly host: string; readonly cause: DelayCause; readonly waitMs: number }
  | {
      readonly type: "crawl.phase";
      readonly phase: "crawling" | "scoring" | "probing" | "enhancing" | "describing" | "judging";
      readonly pages: number;
    }
  | { readonly type: "metadata.filled"; readonly filling: FillingProgress }
  | { readonly type: "page.described"; readonly url: string; readonly describing: DescribingReport }
  | { readonly type: "links.scored"; readonly scoring: ScoringProgress }
  | { readonly type: "crawl.finished"; readonly run: Run; readonly result: RunResult };

/** The result for a link when its page was read. */
export type LinkResult = "added" | "known" | Reason;

export interface HostReport {
  readonly host: string;
  readonly queued: number;
  readonly inFlight: number;
  readonly done: number;
  readonly nextInMs: number;
  readonly delayMs: number;
  readonly cause: DelayCause;
  /** Failures in a row. */
  readonly failures: number;
}

/** A snapshot of a run in progress. */
export interface Progress {
  readonly counters: Counters;
  readonly queued: number;
  readonly inFlight: number;
  /** Pages being rendered, where browsers are used. */
  readonly shown?: number | undefined;
  readonly hosts: readonly HostReport[];
  /** The longest wait of a visit in flight and its cause; absent if nothing waits. */
  readonly waits?: { readonly name: string; readonly seconds: number } | undefined;
}

/** Progress and cost of scoring links with a model. */
export interface ScoringProgress {
  readonly model: string;
  /** Links the model has scored. */
  readonly judged: number;
  /** Of these, answers from the cache. */
  readonly cached: number;
  /** Links with an unusable answer; the embedded scorer's matches stay. */
  readonly unusable: number;
  /** Requests, including failed ones. */
  readonly calls: number;
  readonly tokensRead: number;
  readonly tokensWritten: number;
  /** Null if the price is unknown. */
  readonly usd: number | null;
}

/** The final state of model scoring. */
export interface ScoringReport extends ScoringProgress {
  readonly ended: "finished" | "budget" | "interrupted" | "failed";
  /** The last error, or the limit that was reached. */
  readonly trouble: string | null;
  /** Links that were not sent to the model or not answered. */
  readonly left: number;
}

/** Progress of reading stored pages again for their metadata. */
export interface FillingProgress {
  readonly done: number;
  readonly total: number;
}

/** Metadata of pages when the run is over. */
export interface MetadataReport {
  /** Stored pages without metadata of today's extractor, which were read again. */
  readonly read: number;
  readonly failed: number;
  readonly ended: "finished" | "interrupted" | "failed";
  readonly trouble: string | null;
  /** Pages of the run that are not what was requested (walls, errors, shells), counted by verdict. */
  readonly verdicts: Readonly<Record<string, number>>;
}

/** Progress and cost of describing pages with a model, for pages that lack a description or topics. */
export interface DescribingReport {
  readonly model: string;
  /** Pages with a usable answer. */
  readonly described: number;
  /** Answers from the cache, including the answer that there is nothing to describe. */
  readonly cached: number;
  readonly unusable: number;
  /** Requests, tokens and cost, including those for links. */
  readonly calls: number;
  readonly tokensRead: number;
  readonly tokensWritten: number;
  readonly usd: number | null;
  /** The last error, or the limit that was reached. */
  readonly trouble: string | null;
}

export interface SeedResult {
  readonly url: string;
  /** The end of its redirects; equal to `url` if there were none. The verdict is that of this URL. */
  readonly finalUrl: string;
  readonly verdict: Verdict;
  readonly reason: Reason;
  readonly rule: string;
}

/** The result of a run. */
export interface RunResult {
  readonly runId: number;
  readonly stopReason: StopReason;
  /** Whether everything in scope was seen, so that pages could be marked as gone. */
  readonly isComplete: boolean;
  /** In a run of due pages: how many pages were visited, how many of them because of a hint, and when the next is due. */
  readonly due?: { readonly pages: number; readonly hinted: number; readonly nextAt: string | null } | undefined;
  readonly stats: Counters;
  readonly durationMs: number;
  /** The result for each seed; decides the exit code. */
  readonly seeds: readonly SeedResult[];
  /** In a run that ended because all remaining hosts must wait: those that may be asked first. */
  readonly paused?: readonly HostPause[];
  readonly slowestHost:
    | { readonly host: string; readonly cause: DelayCause; readonly delayMs: number; readonly costMs: number }
    | undefined;
  /** Only if metadata was requested. */
  readonly metadata?: MetadataReport;
  /** Only if a model was used. */
  readonly scoring?: ScoringReport;
  /** Only if a model described pages without a description or topics. */
  readonly describing?: DescribingReport;
}
