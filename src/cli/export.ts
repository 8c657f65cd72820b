import type { Command } from "commander";
import type { App } from "../app.ts";
import { SetupError } from "../config/index.ts";
import { csv, jsonl, PageDirectory } from "../export/index.ts";
import { type Exported, exported, exportPageDirectory, exportRecords } from "../operations/export.ts";
import { findRun, findSite } from "../operations/find.ts";
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

const FORMATS = ["jsonl", "csv", "pagedir"];

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const command = newCommand("export", "Pages, links, changes or decisions, from the data file and without asking the web again.")
    .argument("<format>", FORMATS.join(", "))
    .argument("[site]", "only this site")
    .option(`--what <${exported.join("|")}>`, "what to write", "pages")
    .option("--run <n>", "only this run (changes and decisions: default the latest)")
    .option("--any-verdict", "also pages that turned out to be walls, errors or shells");
  return command.action(async (format: string, siteText: string | undefined, flags: ExportFlags) => {
    if (!FORMATS.includes(format)) throw new SetupError(`there is no format ${format}`, `one of ${FORMATS.join(", ")}`);
    if (!exported.includes(flags.what as Exported))
      throw new SetupError(`cannot export ${flags.what}`, `--what one of ${exported.join(", ")}`);
    await withStored(flags, shell, async (app) => {
      const siteId = siteText === undefined ? undefined : (await findSite(app, siteText)).id;
      const runId = flags.run === undefined ? undefined : (await findRun(app, flags.run)).id;
      const range = { siteId, runId, anyVerdict: flags.anyVerdict };
      if (format === "pagedir") {
        const path = flags.output ?? flags.replace;
        if (path === undefined) throw new SetupError("a page directory needs a place", "name a folder that exists: -o data");
        const directory = await PageDirectory.open(path).catch((cause: unknown) => {
          throw new SetupError(`${path} cannot be used as a page directory`, `make it first: mkdir ${path}`, { cause });
        });
        const { saved, left } = await exportPageDirectory(app, directory, range);
        if (flags.json) return write(shell.stdout, jsonDocument({ saved, left }));
        shell.stderr.write(`${saved} pages saved to ${path}${left > 0 ? `; ${left} have no stored body` : ""}\n`);
        return;
      }
      const records = exportRecords(app, flags.what as Exported, range, format === "csv");
      const plan = planOutput(flags, { formats: [format as "jsonl" | "csv"] });
      const output = plan && openOutput(plan);
      const text = format === "csv" ? csv(records, output?.isNew ?? true) : jsonl(records);
      for await (const part of text)
        output ? output.write(part) : await write(shell.stdout, format === "jsonl" ? inert(part) : asShownOn(shell.stdout, part));
      output?.close();
      if (flags.what === "pages" && !flags.anyVerdict && !flags.quiet) await tellLeftOut(app, range, shell);
    });
  });
}

/** What is not there must be said. */
async function tellLeftOut({ store }: App, range: { siteId: number | undefined; runId: number | undefined }, shell: Shell): Promise<void> {
  const verdicts = Object.entries(await store.metadata.verdicts(range)).map(([verdict, pages]) => `${verdict} ${pages}`);
  if (verdicts.length > 0) await write(shell.stderr, `left out: ${verdicts.join(", ")}; --any-verdict takes them too\n`);
}
