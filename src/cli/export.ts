import type { Command } from "commander";
import type { App } from "../app.ts";
import { SetupError } from "../config/index.ts";
import { type Exported, exported } from "../operations/export.ts";
import { type ExportRequest, type FormatCard, type FormatName, formats, type PlaceFormat } from "../operations/export-formats.ts";
import { findRun, findSite } from "../operations/find.ts";
import { printable } from "../telemetry/index.ts";
import { newCommand } from "./command.ts";
import type { Globals } from "./globals.ts";
import { openOutput, planOutput } from "./output.ts";
import { asShownOn, inert, jsonDocument, type Shell, write } from "./shell.ts";
import { withStored } from "./stored.ts";

interface ExportFlags extends Globals {
  readonly what: string;
  readonly run?: string;
  readonly anyVerdict?: boolean;
}

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const names = Object.keys(formats);
  const command = newCommand("export", "Pages, links, changes or decisions, from the data file and without asking the web again.")
    .argument("<format>", names.join(", "))
    .argument("[site]", "only this site")
    .option(`--what <${exported.join("|")}>`, "what to write", "pages")
    .option("--run <n>", "only this run (changes and decisions: default the latest)")
    .option("--any-verdict", "also pages that turned out to be walls, errors or shells");
  return command.action(async (name: string, siteText: string | undefined, flags: ExportFlags) => {
    if (!Object.hasOwn(formats, name)) throw new SetupError(`there is no format ${name}`, `one of ${names.join(", ")}`);
    const card: FormatCard = formats[name as FormatName];
    const what = checkWhat(name, card, flags.what);
    await withStored(flags, shell, async (app) => {
      const siteId = siteText === undefined ? undefined : (await findSite(app, siteText)).id;
      const runId = flags.run === undefined ? undefined : (await findRun(app, flags.run)).id;
      const range = { siteId, runId, anyVerdict: flags.anyVerdict };
      const format = await card.load();
      if (format.writes === "place") return writePlace(app, name, card, format, { range, what, isNew: true }, flags, shell);
      const plan = planOutput(flags, { formats: [name as "jsonl" | "csv"] });
      const output = plan && openOutput(plan);
      for await (const part of format.parts(app, { range, what, isNew: output?.isNew ?? true }))
        output ? output.write(part) : await write(shell.stdout, asOutput(name, part, shell));
      output?.close();
      if (what === "pages" && !flags.anyVerdict && !flags.quiet) await tellLeftOut(app, range, shell);
    });
  });
}

function checkWhat(name: string, card: FormatCard, wanted: string): Exported {
  const what = card.what.find((each) => each === wanted);
  if (what !== undefined) return what;
  throw new SetupError(
    `cannot export ${wanted}${exported.includes(wanted as Exported) ? ` as ${name}` : ""}`,
    `--what one of ${card.what.join(", ")}`,
  );
}

async function writePlace(
  app: App,
  name: string,
  { about, place }: FormatCard,
  format: PlaceFormat,
  request: ExportRequest,
  flags: ExportFlags,
  shell: Shell,
): Promise<void> {
  const path = flags.replace ?? flags.output;
  if (path === undefined) throw new SetupError(`${about} needs a place`, `name a ${place}: nuthatch export ${name} -o <${place}>`);
  const { saved, left, notes } = await format.write(app, request, { path, isReplacing: flags.replace !== undefined });
  if (flags.json) return write(shell.stdout, jsonDocument({ saved, left, notes }));
  const told = [`${saved} pages saved to ${path}${left > 0 ? `; ${left} have no stored body` : ""}`, ...notes];
  if (!flags.quiet) await write(shell.stderr, `${told.map(printable).join("\n")}\n`);
}

/** Nothing remote reaches a terminal as it is. */
const asOutput = (name: string, part: string | Uint8Array, { stdout }: Shell) =>
  name === "jsonl" && typeof part === "string" ? inert(part) : asShownOn(stdout, part);

/** What is not there must be said. */
async function tellLeftOut({ store }: App, range: { siteId: number | undefined; runId: number | undefined }, shell: Shell): Promise<void> {
  const verdicts = Object.entries(await store.metadata.verdicts(range)).map(([verdict, pages]) => `${verdict} ${pages}`);
  if (verdicts.length > 0) await write(shell.stderr, `left out: ${verdicts.join(", ")}; --any-verdict takes them too\n`);
}
