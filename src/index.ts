/**
 * The library: an async iterable with a receipt.
 *
 *   for await (const page of crawl("https://example.org", { maxDepth: 3 })) console.log(page.change, page.url);
 */
import { openApp } from "./app.ts";
import { type ConfigInput, resolveConfig } from "./config/index.ts";
import type { CrawlEvent, RunResult } from "./crawl/index.ts";
import { type Crawl, crawl as startCrawl } from "./operations/crawl.ts";
import { type Explanation, explain } from "./operations/explain.ts";
import type { Page } from "./records.ts";

export type { ConfigFileInput, ConfigInput, OptionsInput, SiteInput } from "./config/index.ts";
export { defineConfig, SetupError } from "./config/index.ts";
export type { CrawlEvent, RunResult } from "./crawl/index.ts";
export type { Explanation } from "./operations/explain.ts";
export type { Change, Found, Page, Reason, StopReason, Verdict } from "./records.ts";
export { StorageError } from "./store/index.ts";
export { VERSION } from "./version.ts";

export type CrawlInput = ConfigInput & {
  /** The data file; without one nothing is kept. */
  readonly db?: string;
  /** Start a new run even if one is unfinished. */
  readonly new?: boolean;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: CrawlEvent) => void;
};

export interface CrawlRun extends AsyncIterable<Page>, AsyncDisposable {
  /** The summary, when the run has ended. Rejects if it could not go on. */
  readonly result: Promise<RunResult>;
  /** Finishes what is in flight; the run can be resumed. */
  stop(): Promise<RunResult>;
  explain(url: string): Promise<Explanation>;
}

/** How many pages may wait for a slow reader before the crawl itself waits. */
const AHEAD = 16;

/**
 * Crawls a site. Pages come as they are settled; a slow loop slows the crawl, and leaving the loop stops it politely and
 * leaves a run that can be resumed. Nothing is asked of the web before the first page is wanted, or the result is.
 */
export function crawl(seeds: string | readonly string[], input: CrawlInput = {}): CrawlRun {
  const { db = ":memory:", new: isNew = false, signal, onEvent, ...options } = input;
  const config = resolveConfig([{ from: "the options of crawl()", values: options }]);
  const pages = new PageChannel();
  const opened = openApp({ db });
  let started: Promise<Crawl> | undefined;
  let ended: Promise<RunResult> | undefined;

  const start = () => {
    started ??= opened.then((app) =>
      startCrawl(app, {
        seeds: typeof seeds === "string" ? [seeds] : seeds,
        config,
        mode: isNew ? "new" : "auto",
        emit: (event) => {
          onEvent?.(event);
          if (event.type === "page.fetched") pages.put(event.page);
        },
        wantsLinks: onEvent !== undefined,
        mayGoOn: () => pages.hasRoom(),
      }),
    );
    return started;
  };
  const result = () => {
    ended ??= start().then(async ({ control }) => {
      const onAbort = () => control.stop();
      signal?.addEventListener("abort", onAbort, { once: true });
      if (signal?.aborted) onAbort();
      try {
        return await control.result;
      } finally {
        signal?.removeEventListener("abort", onAbort);
        pages.end();
      }
    });
    ended.catch(() => pages.end());
    return ended;
  };
  const stop = async () => {
    const { control } = await start();
    pages.end();
    control.stop();
    return result();
  };

  return {
    get result() {
      pages.letFlow();
      return result();
    },
    stop,
    explain: async (url) => explain(await opened, { url }),
    async *[Symbol.asyncIterator]() {
      pages.holdBack();
      const end = result();
      try {
        for (let page = await pages.take(); page; page = await pages.take()) yield page;
        await end;
      } finally {
        await stop();
      }
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await (await opened).close();
    },
  };
}

/** Pages on their way to the reader. While somebody reads, the crawl waits for them; when nobody does, pages are not kept. */
class PageChannel {
  readonly #pages: Page[] = [];
  #isRead = false;
  #isEnded = false;
  #reader: (() => void) | undefined;
  #room: (() => void)[] = [];

  holdBack(): void {
    this.#isRead = true;
  }

  /** The result is wanted: if nobody reads the pages, they must not hold it up. */
  letFlow(): void {
    if (!this.#isRead) this.#wakeAll();
  }

  put(page: Page): void {
    if (!this.#isRead || this.#isEnded) return;
    this.#pages.push(page);
    this.#reader?.();
  }

  async take(): Promise<Page | undefined> {
    while (this.#pages.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#reader = resolve;
      });
    }
    const page = this.#pages.shift();
    if (this.#pages.length < AHEAD) this.#wakeAll();
    return page;
  }

  /** Resolves when another visit may be let out. */
  hasRoom(): Promise<void> | undefined {
    if (!this.#isRead || this.#isEnded || this.#pages.length < AHEAD) return undefined;
    return new Promise((resolve) => this.#room.push(resolve));
  }

  end(): void {
    this.#isEnded = true;
    this.#reader?.();
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of this.#room.splice(0)) wake();
  }
}
