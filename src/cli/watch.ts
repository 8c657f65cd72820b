import { appendFileSync, statSync } from "node:fs";
import type { App } from "../app.ts";
import type { CrawlEvent } from "../crawl/index.ts";
import { jsonLine } from "../export/index.ts";
import type { Crawl, CrawlRequest } from "../operations/crawl.ts";
import { openProgress, type ProgressView, printable, summaryLines } from "../telemetry/index.ts";
import { troubleLines } from "./errors.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { type OutputFlags, type OutputPlan, planOutput } from "./output.ts";
import { openPageSink } from "./page-sink.ts";
import { type Globals, inert, type Shell, wantsColour, write, writeJson } from "./shell.ts";
import { onStopSignal } from "./stop-signal.ts";

export interface WatchOptions extends OutputFlags {
  readonly logFile?: string;
  readonly events?: boolean;
}

interface WatchSetup {
  readonly app: App;
  readonly db: string;
  readonly shell: Shell;
  readonly flags: Globals & WatchOptions;
}

/** Sets a crawl going, shows it, listens for Ctrl-C, and ends with the summary and an exit code. */
export async function watch(setup: WatchSetup, start: (how: Pick<CrawlRequest, "emit" | "beforeRun">) => Promise<Crawl>): Promise<number> {
  const { shell, flags } = setup;
  let plan: OutputPlan | undefined;
  const listeners: ((event: CrawlEvent) => void)[] = [];
  const early: CrawlEvent[] = [];
  const crawl = await start({
    emit: (event) => {
      if (listeners.length === 0) early.push(event);
      for (const listen of listeners) listen(event);
    },
    beforeRun: (resumed) => {
      plan = planOutput(flags, { resumed });
    },
  });
  const colour = wantsColour(flags, shell, shell.stderr);
  const mode =
    flags.quiet || flags.progress === false
      ? "off"
      : shell.stderr.isTTY && flags.progress !== "plain" && !flags.json && !shell.env.CI
        ? "live"
        : "plain";
  const title = `${printable(new URL(crawl.run.seeds[0]!).host)} · run ${crawl.run.id}${crawl.isResumed ? " (resumed)" : ""}`;
  const progress = openProgress({ stream: shell.stderr, mode, colour, look: crawl.control.progress, title });
  if (crawl.notice && !flags.quiet) progress.note(printable(crawl.notice));
  const pages = plan && (await openPageSink(plan, setup.app, crawl));
  const forget = listenForStop(crawl, progress);

  listeners.push((event) => progress.on(event));
  if (flags.events) listeners.push((event) => void shell.stdout.write(inert(jsonLine({ at: new Date().toISOString(), ...event }))));
  if (pages) listeners.push((event) => event.type === "page.fetched" && pages.add(event.page));
  if (flags.logFile !== undefined) listeners.push(logTo(flags.logFile));
  if ((flags.verbose ?? 0) > 0) listeners.push((event) => verbose(event, (line) => progress.note(line)));
  for (const event of early.splice(0)) for (const listen of listeners) listen(event);

  try {
    const result = await crawl.control.result;
    progress.stop();
    await pages?.close();
    const run = (await setup.app.store.run(crawl.run.id)) ?? crawl.run;
    const resumeCommand =
      result.stopReason === "finished" ? undefined : `nuthatch resume ${run.id}${setup.db === "nuthatch.db" ? "" : ` --db ${setup.db}`}`;
    if (flags.json && !flags.events)
      await writeJson(shell, { run: run.id, uid: run.uid, db: setup.db, ...result, resumeCommand: resumeCommand ?? null });
    if (!flags.quiet) {
      const lines = summaryLines({ result, run, dbPath: setup.db, dbBytes: sizeOf(setup.db), colour, resumeCommand });
      await write(shell.stderr, `${lines.join("\n")}\n`);
    }
    const code = result.stopReason === "interrupted" ? forget() : exitCodeOf(result);
    for (const line of troubleLines(result, code)) await write(shell.stderr, `${line}\n`);
    return code;
  } finally {
    progress.stop();
    forget();
  }
}

/** First Ctrl-C: finish what is in flight. Second: stop now, everything kept. Third: die. */
function listenForStop(crawl: Crawl, progress: ProgressView): () => number {
  return onStopSignal((times) => {
    if (times === 1) {
      progress.note("Finishing what is in flight; press Ctrl-C again to stop at once.");
      progress.stopping();
      crawl.control.stop();
    } else {
      progress.note("Stopping now; what was in flight is visited again when the run is resumed.");
      crawl.control.abort();
    }
  });
}

/** One line for each URL that was settled, whole when the next begins. */
function logTo(path: string): (event: CrawlEvent) => void {
  return (event) => {
    if (event.type === "url.settled") appendFileSync(path, jsonLine({ at: new Date().toISOString(), ...event }));
  };
}

function verbose(event: CrawlEvent, say: (line: string) => void): void {
  if (event.type !== "url.settled") return;
  const why = event.rule === "" ? event.reason : event.rule;
  say(`${event.verdict.padEnd(12)} ${printable(event.url)}${why === "ok" ? "" : `  ${printable(why)}`}`);
}

/** With what is written but not yet moved into the file itself. */
function sizeOf(db: string): number | undefined {
  const sizes = [db, `${db}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size);
  return sizes[0] === undefined ? undefined : sizes[0] + (sizes[1] ?? 0);
}
