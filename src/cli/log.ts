import { appendFileSync } from "node:fs";
import type { CrawlEvent } from "../crawl/index.ts";
import { jsonLine } from "../export/index.ts";
import { printable } from "../telemetry/index.ts";
import type { Globals } from "./globals.ts";
import { checkWritable } from "./output.ts";
import type { Shell } from "./shell.ts";

type Format = "pretty" | "json";

/** The log: what came of each visit and where its metadata stood, and with -vv of each link. It goes to the terminal with -v, and to a file that is named. */
export async function openLog(flags: Globals, shell: Shell, say: (line: string) => void): Promise<(event: CrawlEvent) => void> {
  const { logFile, logFormat, quiet, verbose = 0 } = flags;
  const spoken = logFormat ?? (shell.stderr.isTTY ? "pretty" : "json");
  const { extractionLineOf } = verbose > 0 && !quiet ? await import("../operations/extraction-line.ts") : {};
  return (event) => {
    if (event.type === "page.fetched" && extractionLineOf) {
      const message = extractionLineOf(event.page);
      if (message !== undefined)
        say(
          spoken === "json"
            ? jsonLine({ at: new Date().toISOString(), type: "page.described", message }).trimEnd()
            : printable(message, 4096),
        );
      return;
    }
    if (event.type !== "url.settled" && event.type !== "link.heard") return;
    const at = new Date();
    // Whole lines at once: what is in the file survives whatever happens to us.
    if (logFile !== undefined) appendFileSync(logFile, logLine(event, logFormat ?? "json", at), { mode: 0o600 });
    if (verbose > 0 && !quiet) say(logLine(event, spoken, at).trimEnd());
  };
}

export function checkLog({ logFile }: Globals): void {
  if (logFile !== undefined) checkWritable(logFile);
}

type Logged = Extract<CrawlEvent, { type: "url.settled" | "link.heard" }>;

function logLine(event: Logged, format: Format, at: Date): string {
  if (format === "json") return jsonLine({ at: at.toISOString(), ...event });
  const [word, why] = event.type === "link.heard" ? ["link", event.fate] : [event.verdict, event.rule === "" ? event.reason : event.rule];
  const line = `${at.toTimeString().slice(0, 8)} ${word.padEnd(12)} ${event.url}${why === "ok" ? "" : `  ${why}`}`;
  return `${printable(line, 4096)}\n`;
}
