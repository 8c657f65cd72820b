import type { Change } from "../core/records.ts";

/** What is removed, or would be. */
export interface Removal {
  readonly sites: number;
  readonly runs: number;
  /** Runs of which only the ledger is removed: the run and its changes stay. */
  readonly ledgers: number;
  /** Rows of ledgers. */
  readonly decisions: number;
  /** Changes found by runs. */
  readonly changes: number;
  readonly pages: number;
  readonly versions: number;
  readonly bodies: number;
  /** Requests and responses stored for archives. */
  readonly exchanges: number;
  /** Rows of pages and the links they no longer have. */
  readonly links: number;
  /** Approximate size of everything. */
  readonly bytes: number;
}

export type RemovalRequest =
  /** A run, its ledger, and the pages that no other run found. */
  | {
      readonly what: "run";
      readonly runId: number;
      /** Also reverts what it found about pages that earlier runs had visited. */
      readonly isUndone?: boolean;
    }
  /** A site, its pages, and the runs that visited nothing else. */
  | { readonly what: "site"; readonly siteId: number }
  /** A page, with everything stored about it. */
  | { readonly what: "page"; readonly pageId: number }
  | {
      readonly what: "old";
      readonly siteId: number | undefined;
      /** Number of versions to keep per page, newest first. */
      readonly keep: number;
      /** Removes ledgers of runs that ended earlier, if a later run has replaced them. */
      readonly before: number;
      /** Also removes pages that are gone. */
      readonly gone: boolean;
      /** Also removes pages that were unlinked at the last check, although they still answered. */
      readonly unlinked?: boolean;
    };

/** Counted first, for confirmation; nothing is changed before `execute`. */
export interface RemovalPlan {
  readonly removes: Removal;
  /** Runs in small transactions, so that a crawl in another process can continue. Returns what was removed. */
  execute(): Promise<Removal>;
}

export interface SiteSummary {
  readonly id: number;
  readonly uid: string;
  readonly url: string;
  /** Pages that exist, as far as known. */
  readonly pages: number;
  /** Pages that are gone: they answer 404 or 410, or redirect elsewhere. */
  readonly gone: number;
  readonly runs: number;
  readonly lastRunId: number | undefined;
}

export interface FileSize {
  /** Including what is written to the log but not yet moved into the file. */
  readonly bytes: number;
  /** Unused space inside the file. */
  readonly free: number;
}

/** The part of a run's counters that its ledger holds for each site. */
export interface SiteCounts {
  readonly pages: number;
  readonly gone: number;
  readonly refused: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Maintenance of the data file: part of every store. */
export interface MaintenanceStore {
  /** Asks the process that crawls this run to stop, like Ctrl-C. False if no process does. */
  requestStop(runId: number): Promise<boolean>;
  isStopRequested(runId: number): Promise<boolean>;
  siteSummaries(): Promise<readonly SiteSummary[]>;
  /** The changes that a run over several sites found on one of them. */
  changesOn(siteId: number, runId: number): Promise<Readonly<Record<Change, number>>>;
  /** What a run over several sites did on one of them; undefined if its ledger does not tell. */
  countsOn(siteId: number, runId: number): Promise<SiteCounts | undefined>;
  plan(request: RemovalRequest): Promise<RemovalPlan>;
  /** Problems found, in words; empty if there are none. */
  problems(): Promise<readonly string[]>;
  size(): Promise<FileSize>;
  /** Returns unused space to the file system. */
  vacuum(): Promise<void>;
  /** A complete, consistent copy, even while a crawl is running. */
  backup(path: string): Promise<void>;
}
