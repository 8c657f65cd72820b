import { appendFileSync } from "node:fs";
import type { CrawlEvent } from "../crawl/index.ts";
import { eventLine, isLogged, messageLine } from "../operations/event-line.ts";
import { printable } from "../telemetry/index.ts";
import type { Globals } from "./globals.ts";
import { checkWritable } from "./output.ts";
import type { Shell } from "./shell.ts";

/**
 * The log: the outcome of each visit and the sources of its metadata, with -vv also each link. Written to stderr with -v, and to the file
 * of `--log-file`.
 */
export async function openLog(flags: Globals, shell: Shell, say: (line: string) => void): Promise<(event: CrawlEvent) => void> {
  const { logFile, logFormat, quiet, verbose = 0 } = flags;
  const spoken = logFormat ?? (shell.stderr.isTTY ? "pretty" : "json");
  const { extractionLineOf } = verbose > 0 && !quiet ? await import("../operations/extraction-line.ts") : {};
  const asSaid = (line: string, format = spoken) => (format === "json" ? line : printable(line, 4096));
  return (event) => {
    const at = new Date();
    if (event.type === "page.fetched" && extractionLineOf) {
      const message = extractionLineOf(event.page);
      if (message !== undefined) say(asSaid(messageLine("page.described", message, spoken, at)));
      return;
    }
    if (!isLogged(event)) return;
    const filed = logFormat ?? "json";
    // Appends whole lines synchronously, so that the log survives a crash.
    if (logFile !== undefined) appendFileSync(logFile, `${asSaid(eventLine(event, filed, at), filed)}\n`, { mode: 0o600 });
    if (verbose > 0 && !quiet) say(asSaid(eventLine(event, spoken, at)));
  };
}

export function checkLog({ logFile }: Globals): void {
  if (logFile !== undefined) checkWritable(logFile);
}
