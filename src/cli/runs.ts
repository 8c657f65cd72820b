import { statSync } from "node:fs";
import type { Command } from "commander";
import type { App } from "../app.ts";
import { SetupError } from "../config/index.ts";
import { findRun, findSite } from "../operations/find.ts";
import type { Run } from "../store/index.ts";
import { summaryLines } from "../telemetry/index.ts";
import { type Answer, openAnswer } from "./answer.ts";
import { newCommand } from "./command.ts";
import { wholeNumber } from "./fields.ts";
import type { Globals } from "./globals.ts";
import { outputPath } from "./output.ts";
import { dbFlag, type Shell, table, wantsColour } from "./shell.ts";
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
      const answer = openAnswer(shell, flags, verb === "show" ? "one" : "list");
      const colour = outputPath(flags) === undefined && wantsColour(flags, shell, shell.stdout);
      await withStored(flags, shell, async (app, db) => {
        await answer(verb === "show" ? await showRun(app, db, number, colour) : await listRuns(app, flags));
      });
    });
}

const statusOf = (app: App, run: Run) =>
  run.status === "running" && !app.store.isAlive(run) ? "interrupted" : (run.stopReason ?? run.status);

async function listRuns(app: App, flags: RunsFlags): Promise<Answer> {
  const siteId = flags.site === undefined ? undefined : (await findSite(app, flags.site)).id;
  const runs = await app.store.runs({ siteId, limit: flags.limit });
  const records = runs.map((run) => ({ ...run, status: statusOf(app, run) }));
  const rows = runs.map((run) => {
    const { changes, pages } = run.counters;
    return {
      run: run.id,
      ended: statusOf(app, run),
      started: new Date(run.startedAt).toISOString(),
      pages,
      new: changes.new,
      changed: changes.changed,
      gone: changes.gone,
      seeds: run.seeds.join(" "),
    };
  });
  const columns = ["run", "ended", "started", "pages", "new", "changed", "gone", "seeds"];
  return { document: { runs: records }, records, rows, text: table(columns, rows.map(Object.values)) };
}

async function showRun(app: App, db: string, number: string | undefined, colour: boolean): Promise<Answer> {
  const run = await findRun(app, number);
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
  const resumeCommand = isComplete ? undefined : `nuthatch resume ${run.id}${dbFlag(db)}`;
  const lines = summaryLines({ result, run, dbPath: db, dbBytes: statSync(db).size, colour, resumeCommand });
  return { document: { run: { ...run, status: statusOf(app, run) } }, text: `${lines.join("\n")}\n` };
}
