import type { DelayCause, Page, Reason, StopReason, Verdict, Via } from "../records.ts";
import type { Counters, Run } from "../store/index.ts";
import type { HostPause } from "./host-pause.ts";

/** What a run says while it works. Rooms speak events; doors and telemetry listen. */
export type CrawlEvent =
  | { readonly type: "crawl.started"; readonly run: Run; readonly isResumed: boolean }
  | {
      readonly type: "page.fetched";
      readonly page: Page;
      /** What plugins gathered from it. */
      readonly data?: unknown;
    }
  | {
      readonly type: "page.gone";
      /** Of an earlier run, and no more. */
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
      /** Place in the order of settling; undefined where it will be asked again. */
      readonly seq: number | undefined;
      readonly durationMs: number;
    }
  | {
      readonly type: "link.heard";
      readonly from: string;
      readonly url: string;
      readonly depth: number;
      readonly via: Via;
      readonly fate: LinkFate;
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

/** What became of a link when its page was read. */
export type LinkFate = "added" | "known" | Reason;

export interface HostReport {
  readonly host: string;
  readonly queued: number;
  readonly inFlight: number;
  readonly done: number;
  readonly nextInMs: number;
  readonly delayMs: number;
  readonly cause: DelayCause;
  /** In a row. */
  readonly failures: number;
}

/** A look at a run under way. */
export interface Progress {
  readonly counters: Counters;
  readonly queued: number;
  readonly inFlight: number;
  /** Pages that browsers are at work on, where there are browsers. */
  readonly shown?: number | undefined;
  readonly hosts: readonly HostReport[];
  /** What a visit under way has waited for longest, and for how long; nothing where all is answered at once. */
  readonly waits?: { readonly name: string; readonly seconds: number } | undefined;
}

/** What a model was asked about links so far, and what that has cost. */
export interface ScoringProgress {
  readonly model: string;
  /** Links of which it said how far keywords apply. */
  readonly judged: number;
  /** The same, from what it had said before. */
  readonly cached: number;
  /** Links it was asked about and said nothing that can be used: what the embedded scorer found stands. */
  readonly unusable: number;
  /** Requests, those that failed included. */
  readonly calls: number;
  readonly tokensRead: number;
  readonly tokensWritten: number;
  /** Null where the price is not known. */
  readonly usd: number | null;
}

/** The same when it is over. */
export interface ScoringReport extends ScoringProgress {
  readonly ended: "finished" | "budget" | "interrupted" | "failed";
  /** What went wrong last, or which limit was met. */
  readonly trouble: string | null;
  /** Links it was not asked about, or could not answer. */
  readonly left: number;
}

/** How many stored pages were read again for their metadata so far. */
export interface FillingProgress {
  readonly done: number;
  readonly total: number;
}

/** What pages say about themselves, when a run is over. */
export interface MetadataReport {
  /** Stored pages that had none of today's extractor and were read again. */
  readonly read: number;
  readonly failed: number;
  readonly ended: "finished" | "interrupted" | "failed";
  readonly trouble: string | null;
  /** Pages of the run that are something else than what was asked for, by what they are. */
  readonly verdicts: Readonly<Record<string, number>>;
}

/** What a model was asked about pages that do not say what they are about. */
export interface DescribingReport {
  readonly model: string;
  /** Pages of which it said something that can be used. */
  readonly described: number;
  /** The same, or that there is nothing, from what it had said before. */
  readonly cached: number;
  readonly unusable: number;
  /** Requests and tokens, and what they cost, those for links included. */
  readonly calls: number;
  readonly tokensRead: number;
  readonly tokensWritten: number;
  readonly usd: number | null;
  /** What went wrong last, or which limit was met. */
  readonly trouble: string | null;
}

export interface SeedFate {
  readonly url: string;
  /** Where its redirects led; the same as `url` if there were none. The verdict is that of this URL. */
  readonly finalUrl: string;
  readonly verdict: Verdict;
  readonly reason: Reason;
  readonly rule: string;
}

/** The receipt of a run. */
export interface RunResult {
  readonly runId: number;
  readonly stopReason: StopReason;
  /** Whether everything in scope was seen, so that "gone" could be said. */
  readonly isComplete: boolean;
  /** Of a run that visited what was due: how many known pages that were, how many of them by a hint, and when the next will be. */
  readonly due?: { readonly pages: number; readonly hinted: number; readonly nextAt: string | null } | undefined;
  readonly stats: Counters;
  readonly durationMs: number;
  /** How the seeds fared, for the exit code. */
  readonly seeds: readonly SeedFate[];
  /** Of a run that ended because all that are left have to wait: those that may be asked first. */
  readonly paused?: readonly HostPause[];
  readonly slowestHost:
    | { readonly host: string; readonly cause: DelayCause; readonly delayMs: number; readonly costMs: number }
    | undefined;
  /** Only where metadata was wanted. */
  readonly metadata?: MetadataReport;
  /** Only where a model was asked. */
  readonly scoring?: ScoringReport;
  /** The same for pages that lacked a description or topics. */
  readonly describing?: DescribingReport;
}
