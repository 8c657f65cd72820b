/** The log of the server, which the process that listens and the one that crawls both write. */
import { appendFileSync } from "node:fs";
import type { CrawlEvent } from "../crawl/index.ts";
import { eventLine, isLogged, type LogFormat, messageLine } from "../operations/event-line.ts";
import { extractionLineOf, storedLine } from "../operations/extraction-line.ts";
import type { PageMetadata } from "../records.ts";
import { printable } from "../telemetry/index.ts";

/** As `nuthatch serve` was told. */
export interface LogOptions {
  readonly isQuiet?: boolean | undefined;
  /** 1: also what came of each visit; 2: and of each link. */
  readonly verbose?: number | undefined;
  readonly format?: LogFormat | undefined;
  readonly file?: string | undefined;
}

export interface ServerLog {
  /** Told even to those who want it quiet. */
  trouble(message: string): void;
  event(event: CrawlEvent): void;
  /** Where the values stood that were read of a page. */
  sources(url: string, metadata: PageMetadata): void;
  /** Why a page that was asked for has no metadata. */
  failed(url: string, reason: string): void;
  readonly wantsLinks: boolean;
}

/** Nobody may be reading: what waits for that must not fill the memory. */
const MOST_WAITING = 1024 * 1024;

export function openServerLog({ isQuiet = false, verbose = 0, format = "pretty", file }: LogOptions = {}): ServerLog {
  const put = (line: string, isTrouble = false) => {
    const text = `${format === "json" ? line : printable(line, 4096)}\n`;
    if (file !== undefined) appendFileSync(file, text, { mode: 0o600 });
    if (isTrouble || (!isQuiet && process.stderr.writableLength < MOST_WAITING)) process.stderr.write(text);
  };
  const say = (type: string, message: string, isTrouble = false) => put(messageLine(type, message, format, new Date()), isTrouble);
  return {
    trouble: (message) => say("trouble", message, true),
    event: (event) => {
      const line = event.type === "page.fetched" ? extractionLineOf(event.page) : undefined;
      if (line !== undefined) say("page.described", line);
      if (isLogged(event) && verbose > 0) put(eventLine(event, format, new Date()));
    },
    sources: (url, metadata) => say("page.described", storedLine(url, metadata)),
    failed: (url, reason) => say("metadata.failed", `[${url}] No metadata: ${reason}`),
    wantsLinks: verbose > 1,
  };
}
