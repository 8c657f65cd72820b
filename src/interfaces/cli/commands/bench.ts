import type { Command } from "commander";
import { SetupError } from "../../../engine/config/index.ts";
import { type BenchReport, bench } from "../../../features/bench/bench.ts";
import { openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Globals } from "../globals.ts";
import { type Shell, write } from "../shell.ts";
import { onStopSignal } from "../stop-signal.ts";

const MAX_PAGES = 1_000_000;

export function build(shell: Shell, exit: (code: number) => void): Command {
  return newCommand(
    "bench",
    "Crawl a made-up site on this machine, without waiting, and say how fast it went. Nothing is asked of the web.",
  )
    .option("--pages <n>", "pages of the site, about 17 KB each", "3000")
    .action(async (flags: Globals & { readonly pages: string }) => {
      const pages = Number(flags.pages);
      if (!Number.isInteger(pages) || pages < 1 || pages > MAX_PAGES)
        throw new SetupError(`--pages ${flags.pages} is not a number of pages`, `give a whole number from 1 to ${MAX_PAGES}`);
      if (flags.db !== undefined) throw new SetupError("bench uses a data file of its own", "leave out --db");
      const answer = openAnswer(shell, flags, "one");
      const stopped = new AbortController();
      const stopListening = onStopSignal(() => stopped.abort());
      try {
        if (!flags.quiet && !flags.json) await write(shell.stderr, `Crawling ${pages} pages of about 17 KB on this machine…\n`);
        const report = await bench({ pages, signal: stopped.signal });
        if (report.stopReason === "stopped") return exit(stopListening());
        await answer({ document: report, text: `${linesOf(report).join("\n")}\n` });
        exit(report.everyPageOnce ? exitCodes.ok : exitCodes.error);
      } finally {
        stopListening();
      }
    });
}

function linesOf(report: BenchReport): string[] {
  return [
    `${report.pages} pages in ${report.seconds.toFixed(1)} s: ${report.pagesPerSecond} pages/s`,
    `CPU            ${report.cpuSecondsPer1000Pages.toFixed(2)} s per 1,000 pages, all threads and the start included`,
    `memory         ${report.peakRssMb} MB at most`,
    `data file      ${(report.bytesOnDisk / 1e6).toFixed(1)} MB, bodies kept`,
    `each page once ${report.everyPageOnce ? "yes" : "no"}`,
    `measured with  Node ${report.node}, ${report.cores} cores; the server spent ${report.serverMicrosPerRequest} µs a request`,
  ];
}
