import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CrawlEvent, Progress } from "../crawl/index.ts";
import { openProgress, type Screen } from "./index.ts";

const changes = { new: 0, changed: 0, same: 0, gone: 0, unlinked: 0, unknown: 0 };
const none = {
  pages: 0,
  fetched: 0,
  notModified: 0,
  redirects: 0,
  gone: 0,
  refused: 0,
  failed: 0,
  bytes: 0,
  changes,
  skipped: {},
  status: {},
  scripted: 0,
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open(mode: "live" | "plain" | "off", more: Partial<Screen> = {}) {
  const written: string[] = [];
  let pages = 500;
  const look = (): Progress => ({ counters: { ...none, pages }, queued: 3, inFlight: 0, hosts: [] });
  const stream = { write: (text: string) => written.push(text) > 0, on: () => undefined, off: () => undefined, ...more };
  const view = openProgress({ stream, mode, colour: false, look, title: "a.test" });
  view.on({ type: "crawl.started", run: { counters: { ...none, pages } }, isResumed: true } as unknown as CrawlEvent);
  return { view, written, come: (more: number) => (pages += more) };
}

test("without a terminal there is a line every ten seconds", () => {
  const { view, written, come } = open("plain");
  view.note("run 1 started\x1b[2J");
  come(10);
  vi.advanceTimersByTime(25_000);
  view.on({ type: "crawl.phase", phase: "probing", pages: 1 });
  vi.advanceTimersByTime(5000);
  view.stop();
  vi.advanceTimersByTime(60_000);
  expect(written).toEqual([
    "run 1 started\\x1b[2J\n",
    "00:00:10  510 done  3 queued  60/min  0 bytes\n",
    "00:00:20  510 done  3 queued  30/min  0 bytes\n",
    "00:00:30  510 done  3 queued  20/min  0 bytes  probing\n",
  ]);
});

test("off is silent", () => {
  const { view, written } = open("off");
  view.note("a note");
  vi.advanceTimersByTime(60_000);
  view.stop();
  expect(written).toEqual([]);
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
