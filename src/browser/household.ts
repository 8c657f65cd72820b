import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Launched } from "./launch-browser.ts";
import { type BrowserProcess, watchProcesses } from "./memory.ts";
import { Hung, type Tab, unlessHung } from "./tab.ts";

/** A tab that was taken, until it is given back. */
export interface Seat {
  readonly tab: Tab;
  /** Resolves when the tab, or its browser, has died. */
  readonly died: Promise<string>;
  /** `isWell` if the tab can be used again. */
  giveBack(isWell: boolean): Promise<void>;
}

/** A tab as its browser opens it. */
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
  /** Tabs at once. */
  readonly size: number;
  launch(): Promise<Launched>;
  openContext(browser: Browser): Promise<BrowserContext>;
  openTab(context: BrowserContext): Promise<OpenedTab>;
}

/** Pages shown by a tab, and by a browser, before it is replaced: they grow with use. */
const PER_TAB = 50;
const PER_BROWSER = 500;
/** Hosts whose cookies are kept at hand, besides those in use. */
const IDLE_HOSTS = 4;

/** A browser that takes longer to open or close a tab does not do it any more. */
const PATIENCE = 20_000;

interface Room {
  readonly context: BrowserContext;
  readonly idle: { readonly opened: OpenedTab; readonly shown: number }[];
  busy: number;
}

/** One browser and its tabs. Each host has a room of its own in it, so that what a site leaves behind is never seen by another. */
export class Household {
  readonly #browser: Browser;
  readonly #close: () => Promise<void>;
  readonly #setup: HouseholdSetup;
  /** The one that was used last is last. */
  readonly #rooms = new Map<string, Promise<Room>>();
  /** Every process of the browser, with what it takes. */
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

  /** Whether it takes pages. */
  get isOpen(): boolean {
    return !this.#isWorn && this.#browser.isConnected();
  }

  /** Takes no more pages, and ends with the last that is out. */
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
      // One that opens no tabs is of no use to anybody.
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

  /** One after the other, each with its own time: Firefox trips over a window that another is opened beside. */
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

  /** A browser that cannot even close a tab is given up, with all that is in it. */
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

  /** Rooms that nobody has been in for longest are given up. */
  async #tidy(): Promise<void> {
    for (const [host, opening] of [...this.#rooms].slice(0, -(this.#setup.size + IDLE_HOSTS))) {
      const room = await opening.catch(() => undefined);
      if (room && room.busy > 0) continue;
      if (this.#rooms.get(host) === opening) this.#rooms.delete(host);
      if (room) void isDoneWell(room.context.close());
    }
  }
}

/** What ends is ended, and how it took it is of no matter. */
async function isDoneWell(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
