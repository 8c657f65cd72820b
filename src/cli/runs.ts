import { statSync } from "node:fs";
import type { Command } from "commander";
import type { App } from "../app.ts";
import { SetupError } from "../config/index.ts";
import { findRun, findSite } from "../operations/find.ts";
import type { Run } from "../store/index.ts";
import { summaryLines } from "../telemetry/index.ts";
import { newCommand } from "./command.ts";
import { wholeNumber } from "./fields.ts";
import { dbPathOf, type Globals, type Shell, wantsColour, write, writeJson, writeTable } from "./shell.ts";
import { withStored } from "./stored.ts";

interface RunsFlags extends Globals {
  readonly limit: number;
  readonly site?: string;
}

export function build(shell: Shell, _exit: (code: number) => void): Command {
  return newCommand("runs", "The runs so far, or one of them: what it did and how it ended.")
    .argument("[list|show]", "list (default) or show")
    .argument("[run]", "with show: its number (default: the latest)")
    .option("--limit <n>", "at most this many", wholeNumber("--limit"), 20)
    .option("--site <site>", "only those of this site")
    .action(async (verb: string | undefined, number: string | undefined, flags: RunsFlags) => {
      if (verb !== undefined && verb !== "list" && verb !== "show")
        throw new SetupError(`runs cannot ${verb}`, "nuthatch runs list, or nuthatch runs show 3");
      await withStored(flags, shell, (app) => (verb === "show" ? showRun(app, number, flags, shell) : listRuns(app, flags, shell)));
    });
}

const statusOf = (app: App, run: Run) =>
  run.status === "running" && !app.store.isAlive(run) ? "interrupted" : (run.stopReason ?? run.status);

async function listRuns(app: App, flags: RunsFlags, shell: Shell): Promise<void> {
  const siteId = flags.site === undefined ? undefined : (await findSite(app, flags.site)).id;
  const runs = await app.store.runs({ siteId, limit: flags.limit });
  if (flags.json) return writeJson(shell, { runs: runs.map((run) => ({ ...run, status: statusOf(app, run) })) });
  const rows = runs.map((run) => {
    const { changes, pages } = run.counters;
    return [
      run.id,
      statusOf(app, run),
      new Date(run.startedAt).toISOString(),
      pages,
      changes.new,
      changes.changed,
      changes.gone,
      run.seeds.join(" "),
    ];
  });
  await writeTable(shell, ["run", "ended", "started", "pages", "new", "changed", "gone", "seeds"], rows);
}

async function showRun(app: App, number: string | undefined, flags: RunsFlags, shell: Shell): Promise<void> {
  const run = await findRun(app, number);
  if (flags.json) return writeJson(shell, { run: { ...run, status: statusOf(app, run) } });
  const db = dbPathOf(flags, shell);
  const stopReason = run.stopReason ?? "interrupted";
  const isComplete = stopReason === "finished";
  const result = {
    runId: run.id,
    stopReason,
    isComplete,
    stats: run.counters,
    durationMs: (run.endedAt ?? run.startedAt) - run.startedAt,
    seeds: [],
    slowestHost: undefined,
  };
  const resumeCommand = isComplete ? undefined : `nuthatch resume ${run.id}`;
  const colour = wantsColour(flags, shell, shell.stdout);
  const lines = summaryLines({ result, run, dbPath: db, dbBytes: statSync(db).size, colour, resumeCommand });
  await write(shell.stdout, `${lines.join("\n")}\n`);
}
