import { appendFileSync } from "node:fs";
import type { CrawlEvent } from "../../engine/crawl/index.ts";
import { printable } from "../../engine/telemetry/index.ts";
import { eventLine, isLogged, messageLine } from "../../features/crawl/event-line.ts";
import type { Globals } from "./globals.ts";
import { checkWritable } from "./output.ts";
import type { Shell } from "./shell.ts";

/**
 * The log: the outcome of each visit and the sources of its metadata, with -vv also each link. Written to stderr with -v, and to the file
 * of `--log-file`.
 */
export async function openLog(flags: Globals, shell: Shell, say: (line: string) => void): Promise<(event: CrawlEvent) => void> {
  const { logFile, logFormat, quiet, verbose = 0 } = flags;
  const stderrFormat = logFormat ?? (shell.stderr.isTTY ? "pretty" : "json");
  const { extractionLineOf } = verbose > 0 && !quiet ? await import("../../features/enrich/extraction-line.ts") : {};
  const safeLine = (line: string, format = stderrFormat) => (format === "json" ? line : printable(line, 4096));
  return (event) => {
    const at = new Date();
    if (event.type === "page.fetched" && extractionLineOf) {
      const message = extractionLineOf(event.page);
      if (message !== undefined) say(safeLine(messageLine("page.described", message, stderrFormat, at)));
      return;
    }
    if (!isLogged(event)) return;
    const fileFormat = logFormat ?? "json";
    // Appends whole lines synchronously, so that the log survives a crash.
    if (logFile !== undefined) appendFileSync(logFile, `${safeLine(eventLine(event, fileFormat, at), fileFormat)}\n`, { mode: 0o600 });
    if (verbose > 0 && !quiet) say(safeLine(eventLine(event, stderrFormat, at)));
  };
}

export function checkLog({ logFile }: Globals): void {
  if (logFile !== undefined) checkWritable(logFile);
}
