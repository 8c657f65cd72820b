import type { CrawlEvent, RunResult } from "../crawl/index.ts";
import type { Explanation } from "../operations/explain.ts";
import type { PluginReport } from "./hook-guard.ts";
import type { PageWith } from "./plugin.ts";

/** What happens in a run, in the order it is settled. Pages come with their data. */
export type RunEvent<Data = object> =
  | Exclude<CrawlEvent, { type: "page.fetched" }>
  | { readonly type: "page.fetched"; readonly page: PageWith<Data> };

export type RunEventOf<Type extends RunEvent["type"], Data = object> = Extract<RunEvent<Data>, { readonly type: Type }>;

/** The receipt of a run, and how its plugins fared. */
export interface CrawlResult extends RunResult {
  readonly plugins: Readonly<Record<string, PluginReport>>;
}

/** One run: an async iterable of its pages, with a receipt. */
export interface CrawlRun<Data = object> extends AsyncIterable<PageWith<Data>>, AsyncDisposable {
  readonly seeds: readonly string[];
  /** The summary, when the run has ended. Rejects if it could not go on. */
  readonly result: Promise<CrawlResult>;
  /** Finishes what is in flight and asks for nothing more until `resume`. */
  pause(): void;
  resume(): void;
  /** Finishes what is in flight; the run can be taken up again. */
  stop(): Promise<CrawlResult>;
  /** Calls back at each event of one kind; the answer takes it back. Listen for `link.heard` before the run begins. */
  on<Type extends RunEvent["type"]>(type: Type, listener: (event: RunEventOf<Type, Data>) => void): () => void;
  /** Everything that happens, from the first `next`. Leaving the loop stops the run, as leaving that of the pages does. */
  events(): AsyncIterable<RunEvent<Data>>;
  /** Why a URL was visited, or not. */
  explain(url: string): Promise<Explanation>;
}
