import type { Page } from "../../core/records.ts";
import { isFromProgram, seedsBy } from "../../core/seed.ts";
import { rejectIfStuck } from "../../core/stuck.ts";
import { type App, openApp, type World } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import type { CrawlEvent, RunControl, RunResult } from "../../engine/crawl/index.ts";
import { diffPage } from "../../features/changes/diff.ts";
import type { PageDiff } from "../../features/changes/page-diff.ts";
import { type Crawl, checkBrowsers, checkCrawl, crawl } from "../../features/crawl/crawl.ts";
import { type Explanation, explain } from "../../features/explain/explain.ts";
import { Channel } from "../../features/map/channel.ts";
import type { Drafts } from "./inspect-page.ts";
import { pageWith } from "./page-with.ts";
import type { PageWith } from "./plugin.ts";
import type { PluginHost } from "./plugin-host.ts";
import type { CrawlResult, CrawlRun, RunEvent, RunEventOf } from "./run.ts";

export interface RunSetup {
  readonly seeds: readonly string[];
  readonly config: Config;
  readonly db: string;
  readonly isNew: boolean;
  readonly world: World | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onEvent: ((event: RunEvent) => void) | undefined;
  readonly plugins: PluginHost | undefined;
}

const MAX_WAITING_PAGES = 16;
const MAX_WAITING_EVENTS = 1024;
const NO_DATA = Object.freeze({});

/** A run as a calling program sees it. Starts when the first page, event or the result is requested. */
export class LibraryRun<Data> implements CrawlRun<Data> {
  readonly seeds: readonly string[];
  readonly #setup: RunSetup;
  readonly #pages = new Set<Channel<PageWith<Data>>>();
  readonly #events = new Set<Channel<RunEvent<Data>>>();
  readonly #listeners = new Map<string, Set<(event: RunEvent<Data>) => void>>();
  #opened: Promise<App> | undefined;
  #userCount = 0;
  #started: Promise<Crawl> | undefined;
  #ended: Promise<CrawlResult> | undefined;
  #isPaused = false;
  #isHalted = false;
  #isOver = false;
  /** Chains events, so that each waits until the plugins have seen the pages before it. */
  #processed: Promise<void> = Promise.resolve();
  #processingCount = 0;
  #failure: { readonly cause: unknown } | undefined;

  constructor(setup: RunSetup) {
    this.#setup = setup;
    this.seeds = setup.seeds;
  }

  get result(): Promise<CrawlResult> {
    this.#ended ??= rejectIfStuck("the crawl", () => this.#using(() => this.#run())).finally(() => this.#endChannels());
    return this.#ended;
  }

  pause(): void {
    this.#isPaused = true;
    this.#control((control) => control.pause());
  }

  resume(): void {
    this.#isPaused = false;
    this.#control((control) => control.resume());
  }

  async stop(): Promise<CrawlResult> {
    const { result } = this;
    this.#stopReading();
    return result;
  }

  on<Type extends RunEvent["type"]>(type: Type, listener: (event: RunEventOf<Type, Data>) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    // The map's key guarantees that it gets only events of this type.
    const typedListener = listener as (event: RunEvent<Data>) => void;
    this.#listeners.set(type, listeners.add(typedListener));
    return () => void listeners.delete(typedListener);
  }

  events(): AsyncGenerator<RunEvent<Data>> {
    return this.#read(this.#events, MAX_WAITING_EVENTS);
  }

  [Symbol.asyncIterator](): AsyncGenerator<PageWith<Data>> {
    return this.#read(this.#pages, MAX_WAITING_PAGES);
  }

  async explain(url: string): Promise<Explanation> {
    return this.#using(async () => explain(await this.#open(), { url }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The caller sees a failure through the pages or the result.
    if (this.#ended) await this.stop().catch(() => undefined);
    await this.#close();
  }

  /** A consumer that has not begun to read does not block the crawl. */
  async *#read<T>(channels: Set<Channel<T>>, capacity: number): AsyncGenerator<T> {
    const channel = new Channel<T>(capacity);
    channels.add(channel);
    if (this.#isHalted) channel.removeLimit();
    if (this.#isOver) channel.end();
    const { result } = this;
    // Prevents an unhandled rejection while the consumer is slow; the error is thrown below.
    result.catch(() => undefined);
    try {
      yield* channel.all();
      await result;
    } finally {
      channels.delete(channel);
      channel.end();
      await this.stop();
    }
  }

  /** The diff of a changed page; undefined if no earlier version is stored. */
  readonly #diffOf = async ({ id }: Page): Promise<PageDiff | undefined> => {
    const app = await this.#open();
    return (await app.store.versions(id)).length < 2 ? undefined : diffPage(app, { page: String(id) });
  };

  #open(): Promise<App> {
    this.#opened ??= openApp({ db: this.#setup.db, world: this.#setup.world, mayBeSent: isFromProgram });
    return this.#opened;
  }

  /** Closes a data file after its last use. An in-memory store stays open, because its content would be lost. */
  async #using<T>(use: () => Promise<T>): Promise<T> {
    this.#userCount += 1;
    try {
      return await use();
    } finally {
      this.#userCount -= 1;
      if (this.#userCount === 0 && this.#setup.db !== ":memory:") await this.#close();
    }
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    const app = await opened?.catch(() => undefined);
    await app?.close();
  }

  #start(): Promise<Crawl> {
    this.#started ??= this.#startCrawl();
    return this.#started;
  }

  async #startCrawl(): Promise<Crawl> {
    const { seeds, config, isNew, onEvent, plugins, world } = this.#setup;
    const named = seedsBy("library", seeds);
    checkCrawl(named, config);
    await plugins?.check();
    if (!world) await checkBrowsers(config);
    const app = await this.#open();
    const started = await crawl(app, {
      seeds: named,
      config,
      mode: isNew ? "new" : "auto",
      emit: (event) => this.#handleEvent(event),
      wantsLinks: onEvent !== undefined || this.#events.size > 0 || this.#listeners.has("link.heard"),
      mayGoOn: () => this.#waitForRoom(),
      hooks: await plugins?.open(seeds),
    });
    if (this.#isPaused) started.control.pause();
    return started;
  }

  async #run(): Promise<CrawlResult> {
    const { plugins } = this.#setup;
    let result: RunResult;
    try {
      result = await this.#crawled();
    } finally {
      this.#endChannels();
      await this.#processed;
      this.#started = undefined;
      await plugins?.close();
    }
    return { ...result, plugins: plugins?.report() ?? {} };
  }

  async #crawled(): Promise<RunResult> {
    const { signal, plugins } = this.#setup;
    const { control } = await this.#start();
    const onAbort = () => this.#stopReading();
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
    try {
      const result = await control.result;
      await this.#processed;
      if (this.#failure) throw this.#failure.cause;
      await plugins?.end(result);
      return result;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Emits events at once without plugins; with plugins, after they have seen all earlier pages. */
  #handleEvent(event: CrawlEvent): void {
    const { plugins } = this.#setup;
    if (!plugins) {
      this.#notify(withData(event, NO_DATA));
      return;
    }
    const processEvent = async () => {
      if (event.type === "page.gone") await plugins.gone(event.page);
      const data =
        event.type === "page.fetched" ? await plugins.finish(event.page, event.data as Drafts | undefined, this.#diffOf) : NO_DATA;
      this.#notify(withData(event, data));
    };
    this.#processingCount += 1;
    this.#processed = this.#processed
      .then(processEvent)
      .catch((cause: unknown) => this.#fail(cause))
      .finally(() => {
        this.#processingCount -= 1;
      });
  }

  #fail(cause: unknown): void {
    this.#failure ??= { cause };
    this.#stopReading();
  }

  /** Results of requests in flight still reach every loop; a consumer that stopped reading no longer blocks. */
  #stopReading(): void {
    this.#isHalted = true;
    for (const channel of [...this.#pages, ...this.#events]) channel.removeLimit();
    this.#control((control) => control.stop());
  }

  /** If the run failed to start, there is nothing to control; `result` has the error. */
  #control(notify: (control: RunControl) => void): void {
    this.#started?.then(({ control }) => notify(control)).catch(() => undefined);
  }

  /** A listener that throws ends the run, but not in the middle of a transaction of the crawl. */
  #notify(event: RunEvent<Data>): void {
    try {
      this.#setup.onEvent?.(event as RunEvent);
      for (const listener of this.#listeners.get(event.type) ?? []) listener(event);
      for (const events of this.#events) events.put(event);
      if (event.type === "page.fetched") for (const pages of this.#pages) pages.put(event.page);
    } catch (cause) {
      this.#fail(cause);
    }
  }

  #waitForRoom(): Promise<void> | undefined {
    if (this.#processingCount > MAX_WAITING_PAGES) return this.#processed;
    for (const channel of [...this.#pages, ...this.#events]) {
      const wait = channel.waitForRoom();
      if (wait) return wait;
    }
    return undefined;
  }

  #endChannels(): void {
    this.#isOver = true;
    for (const channel of [...this.#pages, ...this.#events]) channel.end();
  }
}

/** The page object is built only if it is accessed. */
function withData<Data>(event: CrawlEvent, data: object): RunEvent<Data> {
  if (event.type !== "page.fetched") return event;
  let page: PageWith<Data> | undefined;
  return {
    type: "page.fetched",
    get page() {
      // The plugins' schemas have validated this type.
      page ??= pageWith(event.page, data as Data);
      return page;
    },
  };
}
