import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Launched } from "../launch-browser.ts";
import { type BrowserProcess, openProcessList } from "../memory.ts";
import { HungError, type Tab, withHangTimeout } from "../tab.ts";

/** A tab in use, until it is given back. */
export interface TabLease {
  readonly tab: Tab;
  /** Resolves when the tab or its browser has crashed. */
  readonly crashed: Promise<string>;
  /** `isWell`: the tab can be used again. */
  release(isReusable: boolean): Promise<void>;
}

/** A newly opened tab. */
export interface OpenedTab {
  readonly tab: Tab;
  readonly crashed: Promise<string>;
}

export const crashOf = (page: Page): Promise<string> =>
  new Promise((resolve) => {
    page.once("crash", () => resolve("its tab died"));
    page.once("close", () => resolve("its tab was closed"));
  });

export interface InstanceSetup {
  /** Tabs at the same time. */
  readonly size: number;
  launch(): Promise<Launched>;
  openContext(browser: Browser): Promise<BrowserContext>;
  openTab(context: BrowserContext): Promise<OpenedTab>;
}

/** Pages shown by a tab, and by a browser, before it is replaced, because their memory grows with use. */
const MAX_PAGES_PER_TAB = 50;
const MAX_PAGES_PER_BROWSER = 500;
/** Idle hosts whose browser contexts (with their cookies) are kept. */
const MAX_IDLE_HOSTS = 4;

/** A browser that takes longer to open or close a tab is considered hung. */
const TAB_TIMEOUT_MS = 20_000;

interface HostContext {
  readonly context: BrowserContext;
  readonly idle: { readonly opened: OpenedTab; readonly pagesShown: number }[];
  busyTabs: number;
}

/** One browser and its tabs. Each host has a browser context of its own, so that no site sees the data of another. */
export class BrowserInstance {
  readonly #browser: Browser;
  readonly #close: () => Promise<void>;
  readonly #setup: InstanceSetup;
  /** By host, the least recently used first. */
  readonly #hostContexts = new Map<string, Promise<HostContext>>();
  /** All processes of the browser, with their memory. */
  readonly processes: () => Promise<BrowserProcess[]>;
  #busyTabs = 0;
  #pagesShown = 0;
  #opening: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #isRetired = false;
  isClosed = false;

  constructor({ browser, mark, close }: Launched, setup: InstanceSetup) {
    this.#browser = browser;
    this.#close = close;
    this.#setup = setup;
    this.processes = openProcessList(mark);
    browser.once("disconnected", () => this.retire());
  }

  /** Whether it accepts pages. */
  get isOpen(): boolean {
    return !this.#isRetired && this.#browser.isConnected();
  }

  /** Accepts no more pages, and closes after the last one in use. */
  retire(): void {
    this.#isRetired = true;
    if (this.#busyTabs === 0) void this.close();
  }

  close(): Promise<void> {
    this.#isRetired = true;
    this.#closing ??= this.#close().then(() => {
      this.isClosed = true;
    });
    return this.#closing;
  }

  async leaseForHost(host: string): Promise<TabLease> {
    this.#busyTabs += 1;
    this.#pagesShown += 1;
    if (this.#pagesShown >= MAX_PAGES_PER_BROWSER) this.#isRetired = true;
    try {
      return await this.#leaseTab(host);
    } catch (error) {
      // A browser that cannot open tabs is closed.
      void this.close();
      this.#onTabReleased();
      throw error;
    }
  }

  async #leaseTab(host: string): Promise<TabLease> {
    const hostContext = await this.#hostContextFor(host);
    hostContext.busyTabs += 1;
    const used = hostContext.idle.pop();
    const opened = used?.opened ?? (await this.#open(hostContext));
    const pagesShown = (used?.pagesShown ?? 0) + 1;
    return { ...opened, release: (isReusable) => this.#release(hostContext, opened, isReusable ? pagesShown : MAX_PAGES_PER_TAB) };
  }

  async #open(hostContext: HostContext): Promise<OpenedTab> {
    const opened = await this.#runInOrder(() => this.#setup.openTab(hostContext.context));
    void opened.crashed.then(() => {
      const at = hostContext.idle.findIndex((one) => one.opened === opened);
      if (at >= 0) hostContext.idle.splice(at, 1);
    });
    return opened;
  }

  /** Opens tabs one after the other, each with its own timeout: Firefox fails if two windows are opened at the same time. */
  #runInOrder<T>(open: () => Promise<T>): Promise<T> {
    const opening = this.#opening.then(() => withHangTimeout(open(), TAB_TIMEOUT_MS));
    this.#opening = opening.catch(() => undefined);
    return opening;
  }

  async #release(hostContext: HostContext, opened: OpenedTab, pagesShown: number): Promise<void> {
    const isDone = pagesShown >= MAX_PAGES_PER_TAB || this.#isRetired || !(await hasSucceeded(opened.tab.clear()));
    hostContext.busyTabs -= 1;
    if (isDone) void this.#closeTab(opened.tab);
    else hostContext.idle.push({ opened, pagesShown });
    this.#onTabReleased();
  }

  /** A browser that cannot even close a tab is closed, with all its tabs. */
  async #closeTab(tab: Tab): Promise<void> {
    await withHangTimeout(tab.close(), TAB_TIMEOUT_MS).catch((error: Error) => (error instanceof HungError ? this.close() : undefined));
  }

  #onTabReleased(): void {
    this.#busyTabs -= 1;
    if (this.#isRetired && this.#busyTabs === 0) void this.close();
  }

  #hostContextFor(host: string): Promise<HostContext> {
    const known = this.#hostContexts.get(host) ?? this.#openHostContext(host);
    this.#hostContexts.delete(host);
    this.#hostContexts.set(host, known);
    void this.#closeIdleContexts();
    return known;
  }

  async #openHostContext(host: string): Promise<HostContext> {
    try {
      return { context: await this.#runInOrder(() => this.#setup.openContext(this.#browser)), idle: [], busyTabs: 0 };
    } catch (error) {
      this.#hostContexts.delete(host);
      throw error;
    }
  }

  /** Closes the contexts that have been idle longest. */
  async #closeIdleContexts(): Promise<void> {
    for (const [host, opening] of [...this.#hostContexts].slice(0, -(this.#setup.size + MAX_IDLE_HOSTS))) {
      const hostContext = await opening.catch(() => undefined);
      if (hostContext && hostContext.busyTabs > 0) continue;
      if (this.#hostContexts.get(host) === opening) this.#hostContexts.delete(host);
      if (hostContext) void hasSucceeded(hostContext.context.close());
    }
  }
}

/** Whether the work succeeded; its error is ignored. */
async function hasSucceeded(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
