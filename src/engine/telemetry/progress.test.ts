import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { noCounts } from "../../store/index.ts";
import type { CrawlEvent, Progress } from "../crawl/index.ts";
import { widthOf } from "./columns.ts";
import { openProgress, type ProgressSetup, type Screen } from "./index.ts";

/** A model of the parts of a terminal that a live view can break: wrapped rows, a cursor bound to the screen, and reflow on resize. */
class Terminal implements Screen {
  columns: number;
  rows = 12;
  writes = 0;
  isCursorShown = true;
  readonly resizeListeners = new Set<() => void>();
  #width: number;
  #wraps = true;
  #lines: { text: string; isContinued: boolean }[] = [{ text: "", isContinued: false }];
  #row = 0;
  #column = 0;

  constructor(columns: number) {
    this.columns = columns;
    this.#width = columns;
  }

  on(_: "resize", listener: () => void): void {
    this.resizeListeners.add(listener);
  }

  off(_: "resize", listener: () => void): void {
    this.resizeListeners.delete(listener);
  }

  write(text: string): boolean {
    this.writes += 1;
    for (const [token] of text.matchAll(/\x1b\[[?\d;]*[A-Za-z]|[\s\S]/gu)) this.#obey(token);
    return true;
  }

  /** Everything on the screen and in the scrollback. */
  text(): string {
    return this.#lines
      .map(({ text, isContinued }) => (isContinued ? "" : "\n") + text)
      .join("")
      .slice(1)
      .trimEnd();
  }

  hasWrapped = () => this.#lines.some(({ isContinued }) => isContinued);

  resize(columns: number): void {
    this.reflow(columns);
    this.tell();
  }

  tell(): void {
    this.columns = this.#width;
    for (const listener of this.resizeListeners) listener();
  }

  /** Splits and joins lines as terminals do on resize; the cursor stays on its line. */
  reflow(columns: number): void {
    this.#width = columns;
    const whole: string[] = [];
    for (const { text, isContinued } of this.#lines) isContinued ? whole.push(whole.pop() + text) : whole.push(text);
    const fromEnd = this.#lines.length - this.#row;
    this.#lines = whole.flatMap((text) => {
      const pieces = text.match(new RegExp(`.{1,${columns}}`, "gu")) ?? [""];
      return pieces.map((piece, index) => ({ text: piece, isContinued: index > 0 }));
    });
    this.#row = this.#lines.length - fromEnd;
  }

  #obey(token: string): void {
    const [, amount = "", command] = /^\x1b\[([?\d;]*)([A-Za-z])$/.exec(token) ?? [];
    if (token === "\r") this.#column = 0;
    else if (token === "\n") this.#down(false);
    else if (command === undefined) this.#print(token);
    else if (command === "B") this.#row = Math.min(this.#lines.length - 1, this.#row + Number(amount || 1));
    else if (command === "A") this.#row = Math.max(0, this.#lines.length - this.rows, this.#row - Number(amount));
    // After writing to the last column, many terminals keep the cursor on it.
    else if (command === "K") this.#line.text = this.#line.text.slice(0, Math.min(this.#column, this.#width - 1));
    else if (command === "J") {
      this.#line.text = this.#line.text.slice(0, this.#column);
      // The rows remain; only their contents are cleared.
      for (const line of this.#lines.slice(this.#row + 1)) Object.assign(line, { text: "", isContinued: false });
    } else if (amount === "?7") this.#wraps = command === "h";
    else if (amount === "?25") this.isCursorShown = command === "h";
    else if (command !== "m" && amount !== "?2026") throw new Error(`a terminal might not know ${JSON.stringify(token)}`);
  }

  get #line() {
    return this.#lines[this.#row]!;
  }

  #down(isContinued: boolean): void {
    this.#row += 1;
    this.#column = 0;
    if (this.#row === this.#lines.length) this.#lines.push({ text: "", isContinued });
    else this.#line.isContinued = isContinued;
  }

  #print(character: string): void {
    expect(character).not.toMatch(/\p{Cc}/u);
    const isBeyond = this.#column + widthOf(character) > this.#width;
    if (isBeyond && this.#wraps) this.#down(true);
    else if (isBeyond) this.#column = this.#width - widthOf(character);
    const { text } = this.#line;
    this.#line.text = text.slice(0, this.#column) + character + text.slice(this.#column + 1);
    this.#column += widthOf(character);
  }
}

const aHost = { host: "a.test", queued: 3, inFlight: 0, done: 1, nextInMs: 600, delayMs: 1000, cause: "rate", failures: 0 } as const;
const progress: Progress = { counters: noCounts(), queued: 3, inFlight: 0, hosts: [aHost, { ...aHost, host: "b.test" }] };
const fetched = (path: string, title: string) =>
  ({
    type: "page.fetched",
    page: { url: `https://a.test${path}`, change: "new", metadata: { title: { value: title, source: "title" } } },
  }) as unknown as CrawlEvent;

function open(stream: Terminal, more: Partial<ProgressSetup> = {}) {
  return openProgress({ stream, mode: "live", colour: true, readProgress: () => progress, title: "a.test · run 1", ...more });
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("live", () => {
  test("draws in place, five times a second at most, and leaves nothing behind", () => {
    const terminal = new Terminal(80);
    terminal.write("$ nuthatch crawl\n");
    const view = open(terminal);
    const before = terminal.writes;
    vi.advanceTimersByTime(3000);
    expect(terminal.writes - before).toBeLessThanOrEqual(15);
    expect(terminal.text().split("\n")).toHaveLength(1 + 4);
    expect(terminal.text()).toMatch(/^\$ nuthatch crawl\na\.test · run 1 +00:00:03\n/);
    expect(terminal.isCursorShown).toBe(false);
    view.stop();
    expect(terminal.text()).toBe("$ nuthatch crawl");
    expect(terminal.isCursorShown).toBe(true);
  });

  test("lines that are no longer there are cleared", () => {
    const terminal = new Terminal(80);
    let hosts = progress.hosts;
    const view = open(terminal, { readProgress: () => ({ ...progress, hosts }) });
    vi.advanceTimersByTime(1000);
    hosts = [];
    vi.advanceTimersByTime(1000);
    expect(terminal.text()).not.toContain("b.test");
    expect(terminal.text().split("\n")).toHaveLength(2);
    view.stop();
    expect(terminal.text()).toBe("");
  });

  test("a line that becomes shorter leaves no tail", () => {
    const terminal = new Terminal(80);
    let queued = 1_234_567;
    const view = open(terminal, { readProgress: () => ({ ...progress, queued }) });
    vi.advanceTimersByTime(200);
    queued = 3;
    vi.advanceTimersByTime(200);
    expect(terminal.text().split("\n")[1]).toBe("  0 done   3 queued   0 bytes");
    view.stop();
  });

  test.each([[40], [41], [60], [80], [300]])("at %i columns wide text neither wraps nor stays", (columns) => {
    const terminal = new Terminal(columns);
    const view = open(terminal);
    view.on(fetched(`/${"long/".repeat(99)}`, "預算案".repeat(99)));
    view.on(fetched("/x", "\x1b[2J\x1b[1;1Hgone\u202e\r\n"));
    vi.advanceTimersByTime(1000);
    expect(terminal.hasWrapped()).toBe(false);
    expect(terminal.text()).toMatch(/▸ (a\.test)?\/x /);
    view.stop();
    expect(terminal.text()).toBe("");
  });

  test("notes stay above, even long ones", () => {
    const terminal = new Terminal(50);
    const view = open(terminal);
    vi.advanceTimersByTime(200);
    view.note(`first ${"x".repeat(94)}`);
    vi.advanceTimersByTime(1000);
    view.note("second\x1b[2J");
    vi.advanceTimersByTime(1000);
    expect(terminal.text()).toMatch(/^first x{94}\nsecond\\x1b\[2J\na\.test · run 1/);
    view.stop();
    view.note("third");
    expect(terminal.text()).toBe(`first ${"x".repeat(94)}\nsecond\\x1b[2J\nthird`);
  });

  test.each([
    ["narrower", [40]],
    ["wider", [120]],
    ["much narrower, then wide", [25, 200]],
    ["back and forth", [60, 79, 41, 80]],
  ])("a terminal that becomes %s shows one view", (_, widths) => {
    const terminal = new Terminal(80);
    terminal.rows = 40;
    terminal.write("$ before\n");
    const view = open(terminal);
    vi.advanceTimersByTime(1000);
    for (const columns of widths) {
      terminal.resize(columns);
      vi.advanceTimersByTime(1000);
      expect(terminal.text().match(/a\.test · /g)).toHaveLength(1);
      expect(terminal.text()).toMatch(/^\$ before\na\.test/);
    }
    view.stop();
    expect(terminal.text()).toBe("$ before");
    expect(terminal.resizeListeners.size).toBe(0);
  });

  test("a terminal that tells late that it became narrower is clean once it told", () => {
    const terminal = new Terminal(80);
    terminal.rows = 40;
    terminal.write("$ before\n");
    const view = open(terminal);
    vi.advanceTimersByTime(1000);
    terminal.reflow(41);
    vi.advanceTimersByTime(3000);
    terminal.tell();
    expect(terminal.text()).toMatch(/^\$ before\na\.test · run 1 +00:00:04\n/);
    expect(terminal.text().match(/a\.test · /g)).toHaveLength(1);
    view.stop();
    expect(terminal.text()).toBe("$ before");
  });

  test("a process that ends in the middle gets its cursor back, and its last notes", () => {
    const terminal = new Terminal(80);
    const others = process.listeners("exit");
    const view = open(terminal);
    vi.advanceTimersByTime(200);
    view.note("last words");
    for (const listener of process.listeners("exit")) if (!others.includes(listener)) listener.call(process, 1);
    expect(terminal.isCursorShown).toBe(true);
    expect(terminal.text()).toMatch(/^last words\na\.test · run 1/);
    view.stop();
  });

  test("a low terminal gets fewer lines", () => {
    const terminal = new Terminal(80);
    terminal.rows = 4;
    const view = open(terminal);
    vi.advanceTimersByTime(3000);
    expect(terminal.text().split("\n")).toHaveLength(3);
    view.stop();
    expect(terminal.text()).toBe("");
  });

  test("what the keyboard echoes is cleared with the next frame", () => {
    const terminal = new Terminal(80);
    const view = open(terminal);
    vi.advanceTimersByTime(1000);
    terminal.write("^C");
    view.stopping();
    vi.advanceTimersByTime(200);
    expect(terminal.text()).not.toContain("^C");
    expect(terminal.text()).toContain("stopping, 0 in flight");
    view.stop();
  });

  test("a stop is one stop, and no listener stays", () => {
    const listeners = process.listenerCount("exit");
    const terminal = new Terminal(80);
    const view = open(terminal);
    vi.advanceTimersByTime(200);
    view.stop();
    const { writes } = terminal;
    view.stop();
    vi.advanceTimersByTime(5000);
    expect(terminal.writes).toBe(writes);
    expect(process.listenerCount("exit")).toBe(listeners);
    expect(vi.getTimerCount()).toBe(0);
  });
});
