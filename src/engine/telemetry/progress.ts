import type { CrawlEvent, FillingProgress, Progress, ScoringProgress } from "../crawl/index.ts";
import { type LastPage, liveLines, progressLine, type RunSnapshot } from "./live.ts";
import { PageRate } from "./page-rate.ts";
import { printable } from "./printable.ts";
import { redraw } from "./redraw.ts";

const FRAME_MS = 200;
const PLAIN_INTERVAL_MS = 10_000;
const MAX_LAST_PAGES = 3;
/** Limit on the width: in a wider row, related values would be too far apart. */
const MAX_WIDTH = 110;
const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";

/** The parts of an output stream that are needed here. */
export interface Screen {
  readonly columns?: number;
  readonly rows?: number;
  /** True if earlier frames are still buffered. */
  readonly writableNeedDrain?: boolean;
  write(text: string): boolean;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

export interface ProgressSetup {
  readonly stream: Screen;
  readonly mode: "live" | "plain" | "off";
  readonly colour: boolean;
  readonly readProgress: () => Progress;
  readonly title: string;
}

export interface ProgressView {
  on(event: CrawlEvent): void;
  /** Prints a line above the live block. */
  note(line: string): void;
  /** The same for text that is already safe; it is not shortened. */
  log(line: string): void;
  /** Shows that the run was asked to stop and waits for requests in flight. */
  stopping(): void;
  /** Removes the live block. */
  stop(): void;
}

/** Shows a running crawl. Its timers do not keep the process alive. */
export function openProgress(setup: ProgressSetup): ProgressView {
  const { stream } = setup;
  if (setup.mode === "off") {
    const log = (line: string) => void stream.write(`${line}\n`);
    return { on: ignore, note: (line) => log(printable(line)), log, stopping: ignore, stop: ignore };
  }
  const startedAt = performance.now();
  const pageRate = new PageRate();
  const lastEvents: Fetched[] = [];
  let phase: RunSnapshot["phase"] = "crawling";
  let filling: FillingProgress | undefined;
  let scoring: ScoringProgress | undefined;

  function takeSnapshot(columns: number): RunSnapshot {
    const elapsed = performance.now() - startedAt;
    const progress = setup.readProgress();
    const perMinute = pageRate.at(elapsed, progress.counters.pages);
    const { title, colour } = setup;
    return { title, elapsed, progress, perMinute, lastPages: lastEvents.map(lastPage), columns, colour, phase, filling, scoring };
  }

  const display = setup.mode === "live" ? openBlock(stream, takeSnapshot) : openLog(stream, setup.title, takeSnapshot);
  return {
    on: (event) => {
      if (event.type === "crawl.started") pageRate.at(performance.now() - startedAt, event.run.counters.pages);
      // Only the live view shows pages, and getting them has a cost.
      if (event.type === "page.fetched" && setup.mode === "live") remember(lastEvents, event);
      if (event.type === "crawl.phase" && phase !== "stopping") phase = event.phase;
      if (event.type === "metadata.filled") filling = event.filling;
      if (event.type === "links.scored") scoring = event.scoring;
    },
    note: (line) => display.note(printable(line)),
    log: display.note,
    stopping: () => {
      phase = "stopping";
    },
    stop: display.stop,
  };
}

interface Display {
  note(line: string): void;
  stop(): void;
}

/** A block of lines at the bottom of a terminal that is redrawn in place. Notes are written with the next frame. */
function openBlock(stream: Screen, takeSnapshot: (columns: number) => RunSnapshot): Display {
  let block: readonly string[] = [];
  const notes: string[] = [];
  let isOpen = true;
  // Some pseudo-terminals report 0 columns.
  const columns = () => stream.columns || 80;

  function redrawBlock(lines: readonly string[], ending = ""): void {
    stream.write(redraw(block, lines, columns(), notes.splice(0)) + ending);
    block = lines;
  }
  function draw(): void {
    if (stream.writableNeedDrain) return;
    // After a line that fills the last column, terminals disagree about the cursor position.
    const lines = liveLines(takeSnapshot(Math.min(columns() - 1, MAX_WIDTH))).slice(0, (stream.rows || 24) - 1);
    if (notes.length > 0 || lines.join("\n") !== block.join("\n")) redrawBlock(lines);
  }
  function stop(): void {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(timer);
    stream.off("resize", draw);
    process.off("exit", restoreCursor);
    redrawBlock([], SHOW_CURSOR);
  }
  // If the process exits during the run, the last view stays, because it may show why.
  const restoreCursor = () => redrawBlock(block, SHOW_CURSOR);
  const timer = setInterval(draw, FRAME_MS).unref();
  stream.on("resize", draw);
  process.once("exit", restoreCursor);
  stream.write(HIDE_CURSOR);
  return { note: (line) => void (isOpen ? notes.push(line) : stream.write(`${line}\n`)), stop };
}

/** For logs: the title, then a line at intervals. */
function openLog(stream: Screen, title: string, takeSnapshot: (columns: number) => RunSnapshot): Display {
  stream.write(`${printable(title)}\n`);
  const timer = setInterval(() => stream.write(`${progressLine(takeSnapshot(Number.POSITIVE_INFINITY))}\n`), PLAIN_INTERVAL_MS).unref();
  return { note: (line) => void stream.write(`${line}\n`), stop: () => clearInterval(timer) };
}

type Fetched = Extract<CrawlEvent, { type: "page.fetched" }>;

function remember(events: Fetched[], event: Fetched): void {
  events.push(event);
  if (events.length > MAX_LAST_PAGES) events.shift();
}

function lastPage({ page: { url, change, metadata } }: Fetched): LastPage {
  const title = metadata.title?.value;
  return title === undefined ? { url, change } : { url, change, title };
}

const ignore = () => undefined;
