import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Launched } from "./launch-browser.ts";
import { type BrowserProcess, watchProcesses } from "./memory.ts";
import { Hung, type Tab, unlessHung } from "./tab.ts";

/** A tab in use, until it is given back. */
export interface Seat {
  readonly tab: Tab;
  /** Resolves when the tab or its browser has crashed. */
  readonly died: Promise<string>;
  /** `isWell`: the tab can be used again. */
  giveBack(isWell: boolean): Promise<void>;
}

/** A newly opened tab. */
export interface OpenedTab {
  readonly tab: Tab;
  readonly died: Promise<string>;
}

export const deathOf = (page: Page): Promise<string> =>
  new Promise((resolve) => {
    page.once("crash", () => resolve("its tab died"));
    page.once("close", () => resolve("its tab was closed"));
  });

export interface HouseholdSetup {
  /** Tabs at the same time. */
  readonly size: number;
  launch(): Promise<Launched>;
  openContext(browser: Browser): Promise<BrowserContext>;
  openTab(context: BrowserContext): Promise<OpenedTab>;
}

/** Pages shown by a tab, and by a browser, before it is replaced, because their memory grows with use. */
const PER_TAB = 50;
const PER_BROWSER = 500;
/** Idle hosts whose browser contexts (with their cookies) are kept. */
const IDLE_HOSTS = 4;

/** A browser that takes longer to open or close a tab is considered hung. */
const PATIENCE = 20_000;

interface Room {
  readonly context: BrowserContext;
  readonly idle: { readonly opened: OpenedTab; readonly shown: number }[];
  busy: number;
}

/** One browser and its tabs. Each host has a browser context of its own, so that no site sees the data of another. */
export class Household {
  readonly #browser: Browser;
  readonly #close: () => Promise<void>;
  readonly #setup: HouseholdSetup;
  /** By host, the least recently used first. */
  readonly #rooms = new Map<string, Promise<Room>>();
  /** All processes of the browser, with their memory. */
  readonly processes: () => Promise<BrowserProcess[]>;
  #busy = 0;
  #shown = 0;
  #opening: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #isWorn = false;
  isClosed = false;

  constructor({ browser, mark, close }: Launched, setup: HouseholdSetup) {
    this.#browser = browser;
    this.#close = close;
    this.#setup = setup;
    this.processes = watchProcesses(mark);
    browser.once("disconnected", () => this.retire());
  }

  /** Whether it accepts pages. */
  get isOpen(): boolean {
    return !this.#isWorn && this.#browser.isConnected();
  }

  /** Accepts no more pages, and closes after the last one in use. */
  retire(): void {
    this.#isWorn = true;
    if (this.#busy === 0) void this.close();
  }

  close(): Promise<void> {
    this.#isWorn = true;
    this.#closing ??= this.#close().then(() => {
      this.isClosed = true;
    });
    return this.#closing;
  }

  async take(host: string): Promise<Seat> {
    this.#busy += 1;
    this.#shown += 1;
    if (this.#shown >= PER_BROWSER) this.#isWorn = true;
    try {
      return await this.#seat(host);
    } catch (error) {
      // A browser that cannot open tabs is closed.
      void this.close();
      this.#left();
      throw error;
    }
  }

  async #seat(host: string): Promise<Seat> {
    const room = await this.#roomFor(host);
    room.busy += 1;
    const used = room.idle.pop();
    const opened = used?.opened ?? (await this.#open(room));
    const shown = (used?.shown ?? 0) + 1;
    return { ...opened, giveBack: (isWell) => this.#giveBack(room, opened, isWell ? shown : PER_TAB) };
  }

  async #open(room: Room): Promise<OpenedTab> {
    const opened = await this.#inTurn(() => this.#setup.openTab(room.context));
    void opened.died.then(() => {
      const at = room.idle.findIndex((one) => one.opened === opened);
      if (at >= 0) room.idle.splice(at, 1);
    });
    return opened;
  }

  /** Opens tabs one after the other, each with its own timeout: Firefox fails if two windows are opened at the same time. */
  #inTurn<T>(open: () => Promise<T>): Promise<T> {
    const opening = this.#opening.then(() => unlessHung(open(), PATIENCE));
    this.#opening = opening.catch(() => undefined);
    return opening;
  }

  async #giveBack(room: Room, opened: OpenedTab, shown: number): Promise<void> {
    const isDone = shown >= PER_TAB || this.#isWorn || !(await isDoneWell(opened.tab.clear()));
    room.busy -= 1;
    if (isDone) void this.#end(opened.tab);
    else room.idle.push({ opened, shown });
    this.#left();
  }

  /** A browser that cannot even close a tab is closed, with all its tabs. */
  async #end(tab: Tab): Promise<void> {
    await unlessHung(tab.close(), PATIENCE).catch((error: Error) => (error instanceof Hung ? this.close() : undefined));
  }

  #left(): void {
    this.#busy -= 1;
    if (this.#isWorn && this.#busy === 0) void this.close();
  }

  #roomFor(host: string): Promise<Room> {
    const known = this.#rooms.get(host) ?? this.#openRoom(host);
    this.#rooms.delete(host);
    this.#rooms.set(host, known);
    void this.#tidy();
    return known;
  }

  async #openRoom(host: string): Promise<Room> {
    try {
      return { context: await this.#inTurn(() => this.#setup.openContext(this.#browser)), idle: [], busy: 0 };
    } catch (error) {
      this.#rooms.delete(host);
      throw error;
    }
  }

  /** Closes the contexts that have been idle longest. */
  async #tidy(): Promise<void> {
    for (const [host, opening] of [...this.#rooms].slice(0, -(this.#setup.size + IDLE_HOSTS))) {
      const room = await opening.catch(() => undefined);
      if (room && room.busy > 0) continue;
      if (this.#rooms.get(host) === opening) this.#rooms.delete(host);
      if (room) void isDoneWell(room.context.close());
    }
  }
}

/** Whether the work succeeded; its error is ignored. */
async function isDoneWell(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
