import type { CrawlEvent, RunResult } from "../../engine/crawl/index.ts";
import type { Explanation } from "../../features/explain/explain.ts";
import type { PluginReport } from "./hook-guard.ts";
import type { PageWith } from "./plugin.ts";

/** Events of a run, in the order of settling. Pages include their data. */
export type RunEvent<Data = object> =
  | Exclude<CrawlEvent, { type: "page.fetched" }>
  | { readonly type: "page.fetched"; readonly page: PageWith<Data> };

export type RunEventOf<Type extends RunEvent["type"], Data = object> = Extract<RunEvent<Data>, { readonly type: Type }>;

/** The result of a run, and the errors of its plugins. */
export interface CrawlResult extends RunResult {
  readonly plugins: Readonly<Record<string, PluginReport>>;
}

/** One run: an async iterable of its pages that also has a result. */
export interface CrawlRun<Data = object> extends AsyncIterable<PageWith<Data>>, AsyncDisposable {
  readonly seeds: readonly string[];
  /** Resolves when the run has ended. Rejects if the run failed. */
  readonly result: Promise<CrawlResult>;
  /** Finishes the requests in flight and makes no more until `resume`. */
  pause(): void;
  resume(): void;
  /** Finishes the requests in flight; the run can be resumed. */
  stop(): Promise<CrawlResult>;
  /** Adds a listener for one type of event; the returned function removes it. Listen for `link.heard` before the run starts. */
  on<Type extends RunEvent["type"]>(type: Type, listener: (event: RunEventOf<Type, Data>) => void): () => void;
  /** All events from the first `next` on. Leaving the loop stops the run, as with the loop over pages. */
  events(): AsyncIterable<RunEvent<Data>>;
  /** Why a URL was visited or not. */
  explain(url: string): Promise<Explanation>;
}
