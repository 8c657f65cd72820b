import { statSync } from "node:fs";
import type { Command } from "commander";
import type { App } from "../../../engine/app.ts";
import { nearest, SetupError } from "../../../engine/config/index.ts";
import type { RunResult, ScoringReport } from "../../../engine/crawl/index.ts";
import { plural, summaryLines } from "../../../engine/telemetry/index.ts";
import { resumeCommandOf, runStatus, runToStop, stopRun } from "../../../features/crawl/run-control.ts";
import { findRun, findSite } from "../../../features/pages/find.ts";
import { runRecord } from "../../../features/run-record.ts";
import { hasEnded, type Run, runStates } from "../../../store/index.ts";
import { type Answer, openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import { checkRemoval, confirmAndRemove, type RemovalFlags } from "../commands/removal.ts";
import { withStored } from "../commands/stored.ts";
import { addListFlags, type ListFlags, type ListItem, type ListShape, openList, sortItems } from "../list.ts";
import { outputPath } from "../output.ts";
import { dbFlag, paragraph, type Shell, wantsColour, write } from "../shell.ts";
import { pickVerb } from "../verb.ts";

interface RunsFlags extends ListFlags, RemovalFlags {
  readonly active?: boolean;
  readonly site?: string;
  readonly status?: readonly string[];
}

const VERBS = ["list", "show", "stop", "watch", "rm"] as const;
const STATUSES: readonly string[] = runStates;

const shape: ListShape = {
  columns: ["run", "ended", "started", "pages", "new", "changed", "gone", "seeds", "kind"],
  shown: ["run", "for", "ended", "started", "pages", "new", "changed", "gone", "seeds"],
  sparse: ["for"],
  widths: { seeds: 80 },
  sort: "-run",
  limit: 20,
};

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const command = newCommand("runs", "The runs so far, or one of them: what it did and how it ended. A run that is at work can be stopped.")
    .argument(
      `[${VERBS.join("|")}]`,
      "list them, show one, stop one that another process crawls, watch one that a server crawls, or remove one",
      "list",
    )
    .argument("[run]", "its number (show: default the latest; stop: the one at work)")
    .option("--active", "list: only those that are at work")
    .option("--site <site>", "list: only those of this site")
    .option("--status <list>", `list: only those that are ${STATUSES.join(", ")}`, parseStatuses)
    .option("--dry-run", "rm: say what would go, and remove nothing");
  addListFlags(command, shape);
  return command.action(async (given: string, number: string | undefined, flags: RunsFlags) => {
    const verb = pickVerb("runs", given, VERBS);
    if (verb === "list") return list(shell, flags);
    const answer = openAnswer(shell, flags, "one");
    if (verb === "rm" && number === undefined) throw new SetupError("which run is to be removed?", "nuthatch runs rm 3");
    const remote = verb === "watch" || verb === "stop" ? (await import("./remote-run.ts")).remoteOf(flags, shell) : undefined;
    if (remote) {
      const { stopRemote, watchRemote } = await import("./remote-run.ts");
      return answer(await (verb === "watch" ? watchRemote(remote, number) : stopRemote(remote, number)));
    }
    await withStored(flags, shell, async (app, db) => {
      const how = { shell, flags, app, db };
      await answer(await runVerb(verb, how, number));
    });
  });
}

async function runVerb(verb: Exclude<(typeof VERBS)[number], "list">, how: RunsContext, number: string | undefined): Promise<Answer> {
  switch (verb) {
    case "show":
      return show(how, number);
    case "stop":
      return stop(how, number);
    case "watch":
      return (await import("./watch-run.ts")).watchRun(how, number);
    case "rm":
      return remove(how, number!);
    default:
      return verb satisfies never;
  }
}

interface RunsContext {
  readonly shell: Shell;
  readonly flags: RunsFlags;
  readonly app: App;
  readonly db: string;
}

function parseStatuses(text: string): string[] {
  const words = text.split(",").map((word) => word.trim());
  const invalid = words.find((word) => !STATUSES.includes(word));
  if (invalid === undefined) return words;
  const near = nearest(invalid, STATUSES);
  throw new SetupError(`no run is ${invalid}`, near ? `did you mean ${near}?` : `--status one or more of ${STATUSES.join(",")}`);
}

async function list(shell: Shell, flags: RunsFlags): Promise<void> {
  const print = openList(shell, flags, { name: "runs", shape });
  await withStored(flags, shell, async (app) => {
    const siteId = flags.site === undefined ? undefined : (await findSite(app, flags.site)).id;
    const runs = (await app.store.runs({ siteId })).map((run) => listItem(app, run));
    const wanted = flags.active ? ["running"] : flags.status;
    const found = wanted ? runs.filter(({ record }) => wanted.includes(record.status)) : runs;
    await print(sortItems(found, flags.sort));
  });
}

function listItem(app: App, run: Run) {
  const { changes, pages } = run.counters;
  const row = {
    run: run.id,
    kind: run.kind,
    for: run.kind === "crawl" ? "" : run.kind,
    ended: runStatus(app, run),
    started: new Date(run.startedAt).toISOString(),
    pages,
    new: changes.new,
    changed: changes.changed,
    gone: changes.gone,
    seeds: run.seeds.join(" "),
  };
  return { record: runRecord(run, app.store.isAlive(run)), row } satisfies ListItem;
}

const resumeCommandFor = (run: Run, db: string) =>
  run.kind !== "crawl" || hasEnded(run) || run.prunedAt !== undefined ? undefined : `${resumeCommandOf(run)}${dbFlag(db)}`;

async function show({ app, db, shell, flags }: RunsContext, number: string | undefined): Promise<Answer> {
  const run = await findRun(app, number);
  const stopReason = run.stopReason ?? "died";
  const result = {
    runId: run.id,
    stopReason,
    isComplete: stopReason === "finished" && run.kind === "crawl" && run.options.due !== true,
    ...(run.state.due !== undefined && { due: run.state.due as RunResult["due"] }),
    stats: run.counters,
    durationMs: (run.endedAt ?? run.startedAt) - run.startedAt,
    seeds: [],
    slowestHost: undefined,
    ...(run.state.scoring ? { scoring: run.state.scoring as ScoringReport } : {}),
  };
  const colour = outputPath(flags) === undefined && wantsColour(flags, shell, shell.stdout);
  const status = runStatus(app, run);
  const resumeCommand = status === "running" ? undefined : resumeCommandFor(run, db);
  const lines = summaryLines({ result, run, dbPath: db, dbBytes: statSync(db, { throwIfNoEntry: false })?.size, colour, resumeCommand });
  if (status === "running") lines[0] = `At work: nuthatch runs stop ${run.id}${dbFlag(db)} stops it`;
  if (run.prunedAt !== undefined) lines.push(`  ledger    removed ${new Date(run.prunedAt).toISOString()}`);
  return { document: { run: runRecord(run, app.store.isAlive(run)) }, text: `${lines.join("\n")}\n` };
}

async function stop({ app, db, shell, flags }: RunsContext, number: string | undefined): Promise<Answer> {
  const run = await runToStop(app, number);
  if (!flags.quiet) await write(shell.stderr, `Run ${run.id} is asked to stop; it finishes what is in flight.\n`);
  const ended = await stopRun(app, run);
  const resumeCommand = resumeCommandFor(ended, db);
  const status = runStatus(app, ended);
  const pages = plural(ended.counters.pages, "page", "pages");
  const how = ended.status === "running" ? "its process died before it could stop" : status;
  return {
    document: { run: ended.id, status, pages: ended.counters.pages, resumeCommand: resumeCommand ?? null },
    text: paragraph([`Run ${ended.id} has ended: ${how}, ${pages}`, ...(resumeCommand ? [`  resume    ${resumeCommand}`] : [])]),
  };
}

async function remove({ app, shell, flags }: RunsContext, number: string): Promise<Answer> {
  const run = await findRun(app, number);
  checkRemoval(flags, shell, `removing run ${run.id}`);
  const plan = await app.store.maintenance.plan({ what: "run", runId: run.id });
  return confirmAndRemove(plan, { shell, flags, what: `run ${run.id}` });
}
