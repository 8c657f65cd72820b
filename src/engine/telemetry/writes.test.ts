import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { noCounts } from "../../store/index.ts";
import type { CrawlEvent, Progress } from "../crawl/index.ts";
import { openProgress, type Screen } from "./index.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open(mode: "live" | "plain" | "off", more: Partial<Screen> = {}) {
  const written: string[] = [];
  let pages = 500;
  const look = (): Progress => ({ counters: { ...noCounts(), pages }, queued: 3, inFlight: 0, hosts: [] });
  const stream = { write: (text: string) => written.push(text) > 0, on: () => undefined, off: () => undefined, ...more };
  const view = openProgress({ stream, mode, colour: false, readProgress: look, title: "a.test" });
  view.on({ type: "crawl.started", run: { counters: { ...noCounts(), pages } }, isResumed: true } as unknown as CrawlEvent);
  return { view, written, come: (more: number) => (pages += more) };
}

test("without a terminal there is a title, and a line every ten seconds", () => {
  const { view, written, come } = open("plain");
  view.note("run 1 started\x1b[2J");
  come(10);
  vi.advanceTimersByTime(25_000);
  view.on({ type: "crawl.phase", phase: "probing", pages: 1 });
  vi.advanceTimersByTime(5000);
  view.stop();
  vi.advanceTimersByTime(60_000);
  expect(written).toEqual([
    "a.test\n",
    "run 1 started\\x1b[2J\n",
    "00:00:10  510 done  3 queued  60/min  0 bytes\n",
    "00:00:20  510 done  3 queued  30/min  0 bytes\n",
    "00:00:30  510 done  3 queued  20/min  0 bytes  probing\n",
  ]);
});

test("off draws nothing, but what is to be said is said", () => {
  const { view, written } = open("off");
  view.note("a note\x1b[2J");
  view.log("a line");
  vi.advanceTimersByTime(60_000);
  view.stop();
  expect(written).toEqual(["a note\\x1b[2J\n", "a line\n"]);
});

test.each(["live", "plain", "off"] as const)("%s: a log line is whole however long it is, a note is not", (mode) => {
  const { view, written } = open(mode);
  const long = `{"url":"${"x".repeat(5000)}"}`;
  view.log(long);
  view.note(long);
  view.stop();
  const lines = written.join("").split("\n");
  expect(lines.filter((line) => line.includes(long))).toHaveLength(1);
  expect(lines.filter((line) => line.endsWith("…"))).toHaveLength(1);
});

test("a frame is one write, and what has not changed is not drawn", () => {
  const { view, written } = open("live");
  vi.advanceTimersByTime(800);
  expect(written).toHaveLength(2);
  vi.advanceTimersByTime(200);
  expect(written).toHaveLength(3);
  view.stop();
});

test("many notes are one write", () => {
  const { view, written } = open("live");
  vi.advanceTimersByTime(200);
  for (let index = 0; index < 1000; index++) view.note(`note ${index}`);
  view.stop();
  expect(written).toHaveLength(3);
  expect(written[2]).toContain("note 0\nnote 1\n");
  expect(written[2]).toContain("note 999\n");
});

test("a terminal that cannot keep up is not written to", () => {
  const { view, written } = open("live", { writableNeedDrain: true });
  const before = written.length;
  vi.advanceTimersByTime(2000);
  expect(written).toHaveLength(before);
  view.stop();
});
