/** The log of the server, written by both the listening and the crawling process. */
import { appendFileSync } from "node:fs";
import type { PageMetadata } from "../../core/records.ts";
import type { CrawlEvent } from "../../engine/crawl/index.ts";
import { printable } from "../../engine/telemetry/index.ts";
import { eventLine, isLogged, type LogFormat, messageLine } from "../../features/crawl/event-line.ts";
import { extractionLineOf, storedLine } from "../../features/enrich/extraction-line.ts";

/** Options of `nuthatch serve`. */
export interface LogOptions {
  readonly isQuiet?: boolean | undefined;
  /** 1: also the outcome of each visit; 2: also of each link. */
  readonly verbose?: number | undefined;
  readonly format?: LogFormat | undefined;
  readonly file?: string | undefined;
}

export interface ServerLog {
  /** Written even with `--quiet`. */
  trouble(message: string): void;
  event(event: CrawlEvent): void;
  /** Where in the page the metadata values were found. */
  sources(url: string, metadata: PageMetadata): void;
  /** Why a requested page has no metadata. */
  failed(url: string, reason: string): void;
  readonly wantsLinks: boolean;
}

/** If stderr is not read, lines must not fill the memory. */
const MAX_UNREAD_BYTES = 1024 * 1024;

export function openServerLog({ isQuiet = false, verbose = 0, format = "pretty", file }: LogOptions = {}): ServerLog {
  const writeLine = (line: string, isTrouble = false) => {
    const text = `${format === "json" ? line : printable(line, 4096)}\n`;
    if (file !== undefined) appendFileSync(file, text, { mode: 0o600 });
    if (isTrouble || (!isQuiet && process.stderr.writableLength < MAX_UNREAD_BYTES)) process.stderr.write(text);
  };
  const say = (type: string, message: string, isTrouble = false) => writeLine(messageLine(type, message, format, new Date()), isTrouble);
  return {
    trouble: (message) => say("trouble", message, true),
    event: (event) => {
      const line = event.type === "page.fetched" ? extractionLineOf(event.page) : undefined;
      if (line !== undefined) say("page.described", line);
      if (isLogged(event) && verbose > 0) writeLine(eventLine(event, format, new Date()));
    },
    sources: (url, metadata) => say("page.described", storedLine(url, metadata)),
    failed: (url, reason) => say("metadata.failed", `[${url}] No metadata: ${reason}`),
    wantsLinks: verbose > 1,
  };
}
