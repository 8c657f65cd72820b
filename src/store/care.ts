import type { Change } from "../records.ts";

/** What goes, or would go. */
export interface Removal {
  readonly sites: number;
  readonly runs: number;
  /** Runs of which only the ledger goes: that they were, and what they changed, stays. */
  readonly ledgers: number;
  /** Rows of ledgers. */
  readonly decisions: number;
  /** What runs said had changed. */
  readonly changes: number;
  readonly pages: number;
  readonly versions: number;
  readonly bodies: number;
  /** Requests and answers kept for archives. */
  readonly exchanges: number;
  /** Of pages and the links they no longer have. */
  readonly links: number;
  /** About how much room all that takes. */
  readonly bytes: number;
}

export type RemovalRequest =
  /** A run, its ledger, and the pages that no other run knows. */
  | {
      readonly what: "run";
      readonly runId: number;
      /** Also what it found of pages that others knew: they are as they were before it. */
      readonly isUndone?: boolean;
    }
  /** A site, its pages, and the runs that visited nothing else. */
  | { readonly what: "site"; readonly siteId: number }
  /** A page, with all that was known of it. */
  | { readonly what: "page"; readonly pageId: number }
  | {
      readonly what: "old";
      readonly siteId: number | undefined;
      /** Versions of each page that stay, the newest first. */
      readonly keep: number;
      /** Ledgers of runs that ended earlier go, if a later run has taken their place. */
      readonly before: number;
      /** Whether pages that are gone go too. */
      readonly gone: boolean;
      /** Whether pages go that nothing led to when they were last looked for, though they still answered. */
      readonly unlinked?: boolean;
    };

/** Counted first, so that somebody can be asked; nothing is changed before it is carried out. */
export interface RemovalPlan {
  readonly removes: Removal;
  /** In small transactions, so that a crawl in another process goes on. Answers what went. */
  carryOut(): Promise<Removal>;
}

export interface SiteSummary {
  readonly id: number;
  readonly uid: string;
  readonly url: string;
  /** Pages that are there, as far as we know. */
  readonly pages: number;
  /** There no longer: they answer 404 or 410, or redirect elsewhere. */
  readonly gone: number;
  readonly runs: number;
  readonly lastRunId: number | undefined;
}

export interface FileSize {
  /** With what is written but not yet moved into the file itself. */
  readonly bytes: number;
  /** Room inside the file that nothing needs. */
  readonly free: number;
}

/** What keeps a data file small and sound: part of every store, beside what a crawl needs. */
export interface Care {
  /** Asks the process that crawls this run to stop as Ctrl-C would. False if nobody crawls it. */
  askToStop(runId: number): Promise<boolean>;
  isStopWanted(runId: number): Promise<boolean>;
  siteSummaries(): Promise<readonly SiteSummary[]>;
  /** What a run that visited several sites found on one of them. */
  changesOn(siteId: number, runId: number): Promise<Readonly<Record<Change, number>>>;
  plan(request: RemovalRequest): Promise<RemovalPlan>;
  /** What is wrong, in words; empty when nothing is. */
  problems(): Promise<readonly string[]>;
  size(): Promise<FileSize>;
  /** Gives room that nothing needs back to the disk. */
  vacuum(): Promise<void>;
  /** A whole copy as of one moment, though a crawl may be under way. */
  backup(path: string): Promise<void>;
}
