import { statSync } from "node:fs";
import type { App } from "../../../engine/app.ts";
import type { CrawlEvent } from "../../../engine/crawl/index.ts";
import { csvHeader, jsonLine, pageColumns } from "../../../engine/formats/index.ts";
import { openProgress, type ProgressView, plural, printable, summaryLines } from "../../../engine/telemetry/index.ts";
import type { Crawl, CrawlRequest } from "../../../features/crawl/crawl.ts";
import { resumeCommandOf } from "../../../features/crawl/run-control.ts";
import { runRecord } from "../../../features/run-record.ts";
import { hasEnded } from "../../../store/index.ts";
import { unstoredFlags } from "../commands/access.ts";
import { noPageLines } from "../errors.ts";
import { exitCodeOf } from "../exit-codes.ts";
import type { Globals } from "../globals.ts";
import { openLog } from "../log.ts";
import { checkHeader, type OutputPlan, planOutput } from "../output.ts";
import { openPageSink } from "../page-sink.ts";
import { dbFlag, dbSeenFrom, jsonDocument, type Shell, wantsColour, write } from "../shell.ts";
import { onStopSignal } from "../stop-signal.ts";
import { failureCode, parseFailOn } from "./fail-on.ts";

export interface WatchFlags extends Globals {
  readonly events?: boolean;
  readonly failOn?: string;
}

interface WatchSetup {
  readonly app: App;
  readonly db: string;
  readonly shell: Shell;
  readonly flags: WatchFlags;
}

/** Starts a crawl, shows its progress, handles Ctrl-C, and ends with the summary and an exit code. */
export async function watch(
  setup: WatchSetup,
  start: (hooks: Pick<CrawlRequest, "emit" | "beforeRun" | "wantsLinks">) => Promise<Crawl>,
): Promise<number> {
  const { shell, flags } = setup;
  const failOn = parseFailOn(flags.failOn);
  let plan: OutputPlan | undefined;
  const listeners: ((event: CrawlEvent) => void)[] = [];
  const earlyEvents: CrawlEvent[] = [];
  const crawl = await start({
    emit: (event) => {
      if (listeners.length === 0) earlyEvents.push(event);
      for (const listen of listeners) listen(event);
    },
    beforeRun: (resumed) => {
      plan = planOutput(flags, { resumed });
      if (plan) checkHeader(plan, csvHeader(pageColumns));
    },
    wantsLinks: (flags.verbose ?? 0) > 1,
  });
  const colour = wantsColour(flags, shell, shell.stderr);
  const hasHistory = await setup.app.store.hasOtherRuns(crawl.run);
  const title = titleOf(crawl, hasHistory);
  const progress = openProgress({ stream: shell.stderr, mode: modeOf(flags, shell), colour, readProgress: crawl.control.progress, title });
  const dbPath = dbSeenFrom(shell, setup.db);
  const { run: startedRun } = crawl;
  const resumeCommandFor = (run: Parameters<typeof resumeCommandOf>[0]) =>
    `${resumeCommandOf(run)}${dbFlag(dbPath)}${unstoredFlags({ ...flags }, startedRun.options)}`;
  const laterCommand = resumeCommandFor({ ...startedRun, stopReason: undefined });
  const { underWay = {} } = shell;
  underWay.work = { kept: `everything that was settled, in ${dbPath}`, resumeCommand: laterCommand, leave: progress.stop };
  const say = flags.quiet ? () => undefined : progress.note;
  if (crawl.notice) say(crawl.notice);
  const pages = plan && (await openPageSink(plan, setup.app, crawl, say));
  const stopListening = listenForStop(crawl, setup.app, { progress, say });
  void crawl.stopWanted.then(() => {
    say("Asked to stop by nuthatch runs stop; finishing what is in flight.");
    progress.stopping();
  });

  const log = await openLog(flags, shell, progress.log);
  listeners.push((event) => progress.on(event));
  if (flags.events) listeners.push((event) => void shell.stdout.write(jsonLine({ at: new Date().toISOString(), ...publicEvent(event) })));
  if (pages) listeners.push((event) => event.type === "page.fetched" && pages.add(event.page));
  listeners.push(log);
  for (const event of earlyEvents.splice(0)) for (const listen of listeners) listen(event);

  try {
    const result = await crawl.control.result;
    await pages?.close();
    const run = (await setup.app.store.run(crawl.run.id)) ?? crawl.run;
    const resumeCommand = hasEnded(run) ? undefined : resumeCommandFor({ ...run, ...result, counters: result.stats });
    if (flags.json && !flags.events)
      await write(shell.stdout, jsonDocument({ run: run.id, uid: run.uid, db: setup.db, ...result, resumeCommand: resumeCommand ?? null }));
    // The summary replaces the live view in a single write.
    const columns = shell.stderr.isTTY ? shell.stderr.columns : undefined;
    const lines = summaryLines({ result, run, dbPath, dbBytes: sizeOf(setup.db), colour, resumeCommand, columns });
    if (!flags.quiet) for (const line of lines) progress.log(line);
    progress.stop();
    const endReasons = [result.stopReason, result.metadata?.ended, result.scoring?.ended];
    const isInterrupted = endReasons.includes("stopped") || endReasons.includes("interrupted");
    const code = isInterrupted ? stopListening() : exitCodeOf(result) || (failureCode(failOn, result, hasHistory) ?? 0);
    for (const line of noPageLines(result, code, { resume: laterCommand, db: dbFlag(dbPath) })) await write(shell.stderr, `${line}\n`);
    if (flags.quiet && isInterrupted && resumeCommand !== undefined)
      await write(shell.stderr, `nuthatch: stopped; ${printable(resumeCommand)} carries on\n`);
    delete underWay.work;
    return code;
  } finally {
    progress.stop();
    stopListening();
  }
}

/** The live view needs a terminal of its own: if events are printed to the same terminal, plain lines are used. */
function modeOf(flags: WatchFlags, { stdout, stderr, env }: Shell): "live" | "plain" | "off" {
  if (flags.quiet || flags.progress === false) return "off";
  const isShared = flags.events && stdout.isTTY;
  const canDraw = stderr.isTTY && env.TERM !== "dumb" && !env.CI && !isShared;
  return canDraw && flags.progress !== "plain" && !flags.json ? "live" : "plain";
}

function titleOf({ run, isResumed }: Crawl, hasHistory: boolean): string {
  const [first = "", ...others] = new Set(run.seeds.map((seed) => new URL(seed).host));
  const more =
    others.length > 0 ? ` and ${others.length} more` : run.seeds.length > 1 ? `, ${plural(run.seeds.length, "URL", "URLs")}` : "";
  const kind = isResumed ? " (resumed)" : run.options.due ? " (what is due)" : hasHistory ? " (incremental)" : "";
  return `${printable(first)}${more} · run ${run.id}${kind}`;
}

/** First Ctrl-C: finish what is in flight. Second: stop now and keep everything. Third: exit at once. */
function listenForStop(
  crawl: Crawl,
  { store }: App,
  { progress, say }: { progress: ProgressView; say: (line: string) => void },
): () => number {
  return onStopSignal((times) => {
    store.workers.shortenWaits();
    if (times === 1) {
      say("Finishing what is in flight; press Ctrl-C again to stop at once.");
      progress.stopping();
      crawl.control.stop();
    } else {
      say("Stopping now; what was in flight is visited again when the run is resumed.");
      crawl.control.abort();
    }
  });
}

/** Includes the write-ahead log, which is not yet merged into the data file. */
function sizeOf(db: string): number | undefined {
  const sizes = [db, `${db}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size);
  return sizes[0] === undefined ? undefined : sizes[0] + (sizes[1] ?? 0);
}

const publicEvent = (event: CrawlEvent): object => ("run" in event ? { ...event, run: runRecord(event.run, true) } : event);
