import { statSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import type { Command } from "commander";
import type { App } from "../../../engine/app.ts";
import { nearest, SetupError } from "../../../engine/config/index.ts";
import { printable } from "../../../engine/telemetry/index.ts";
import { type Exported, exported } from "../../../features/export/export.ts";
import {
  type ExportRequest,
  type FileFormat,
  type FormatInfo,
  type FormatName,
  formats,
  type RangeFlag,
  rangeFlags,
  type StreamFormat,
} from "../../../features/export/export-formats.ts";
import { rangeFrom } from "../../../features/export/export-range.ts";
import { ExportTally } from "../../../features/export/export-tally.ts";
import { newCommand } from "../command.ts";
import type { Globals } from "../globals.ts";
import { checkHeader, type OutputFormat, type OutputPlan, openOutput, outputPath, planOutput } from "../output.ts";
import { jsonDocument, type Shell, safeForStream, stderrPrinter, write } from "../shell.ts";
import { withStored } from "./stored.ts";

interface ExportFlags extends Globals {
  readonly what?: string;
  readonly run?: string;
  readonly since?: string;
  readonly anyVerdict?: boolean;
  readonly includeNoindex?: boolean;
  readonly limit?: number;
}

interface ExportJob {
  readonly app: App;
  readonly name: FormatName;
  readonly card: FormatInfo;
  readonly request: ExportRequest;
  readonly flags: ExportFlags;
  readonly shell: Shell;
}

const cards: Readonly<Record<string, FormatInfo>> = formats;

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const names = Object.keys(formats);
  const command = newCommand("export", "Pages, links, changes or decisions, from the data file and without asking the web again.")
    .argument("<format>", names.join(", "))
    .argument("[site]", "only this site")
    .option(`--what <${exported.join("|")}>`, "jsonl and csv: what to write (default: pages)")
    .option("--run <n>", "only this run (changes and decisions: default the latest)")
    .option("--since <when>", "only what was first seen since a run, a date, or a time such as 7d")
    .option("--any-verdict", "also pages that turned out to be walls, errors or shells")
    .option("--include-noindex", "md, llms, sitemap, feed: also pages that ask to be left out of indexes")
    .option("--limit <n>", "feed: at most so many changes (default: 100)", parseLimit)
    .addHelpText("after", `\nFormats:\n${aboutFormats()}\n\nExamples:\n${EXAMPLES}`);
  return command.action(async (given: string, site: string | undefined, flags: ExportFlags) => {
    const name = findFormat(given);
    const card = cards[name]!;
    const what = checkRecordKind(name, card, flags.what ?? card.what[0]!);
    checkFlags(name, card, flags);
    // Pages are read and dropped one by one: without this flag, uncollected garbage grows to four times the memory needed.
    setFlagsFromString("--heap-growing-percent=50");
    await withStored(flags, shell, async (app) => {
      const { run, since, anyVerdict, includeNoindex, limit } = flags;
      const range = await rangeFrom(app, { site, run, since, anyVerdict, includeNoindex, limit });
      const job = { app, name, card, flags, shell, request: { range, what, tally: new ExportTally() } };
      const format = await card.load();
      await (format.writes === "place" ? writePlace(job, format) : writeStream(job, format));
      if (!flags.quiet) for (const line of job.request.tally.leftOut) await write(shell.stderr, `${line}\n`);
    });
  });
}

const EXAMPLES = `  nuthatch export csv --what links -o links.csv
  nuthatch export md example.org -o pages
  nuthatch export llms -o public
  nuthatch export feed --limit 50 -O changes.atom`;

const aboutFormats = () =>
  Object.entries(cards)
    .map(([name, { about }]) => `  ${name.padEnd(9)}${about}`)
    .join("\n");

function findFormat(given: string): FormatName {
  if (Object.hasOwn(formats, given)) return given as FormatName;
  const names = Object.keys(formats);
  const near = nearest(given, names);
  throw new SetupError(`there is no format ${given}`, `${near ? `did you mean ${near}? ` : ""}one of ${names.join(", ")}`);
}

function checkRecordKind(name: string, card: FormatInfo, wanted: string): Exported {
  const what = card.what.find((each) => each === wanted);
  if (what !== undefined) return what;
  throw new SetupError(
    `cannot export ${wanted}${exported.includes(wanted as Exported) ? ` as ${name}` : ""}`,
    `--what one of ${card.what.join(", ")}`,
  );
}

const DEFAULT_FLAGS: readonly RangeFlag[] = ["run", "since", "anyVerdict"];

/** Refuses flags that the format would ignore. */
function checkFlags(name: string, { takes = DEFAULT_FLAGS, place, isAddable }: FormatInfo, flags: ExportFlags): void {
  const unknown = rangeFlags.find((flag) => flags[flag] !== undefined && !takes.includes(flag));
  const flagName = (flag: string) => `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (unknown)
    throw new SetupError(
      `export ${name} takes no ${flagName(unknown)}`,
      takes.length === 0 ? "leave it out" : `it takes ${takes.map(flagName).join(", ")}`,
    );
  if (flags.append && !isAddable) throw new SetupError(`export ${name} cannot add to a ${place}`, "-O replaces what is there");
}

function parseLimit(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw new SetupError(`--limit: ${text} is not a number of changes`, "a whole number such as 50");
}

async function writeStream({ app, name, request, flags, shell }: ExportJob, format: StreamFormat): Promise<void> {
  const plan = planOutput(flags, { formats: [outputFormat(name)] });
  const file = plan && { path: plan.path, isReplacing: flags.replace !== undefined };
  // The first part is produced before the file is opened, so that a mistake changes nothing.
  const parts = format.parts(app, { ...request, file })[Symbol.asyncIterator]();
  let part = await parts.next();
  if (plan && name === "csv" && !part.done && !startsEmpty(plan)) {
    checkHeader(plan, String(part.value));
    part = await parts.next();
  }
  const output = plan && openOutput(plan, stderrPrinter(shell));
  for (; !part.done; part = await parts.next())
    output ? output.write(part.value) : await write(shell.stdout, safeOutput(name, part.value, shell));
  output?.close();
  if (plan && flags.json) await write(shell.stdout, jsonDocument({ format: name, file: plan.path, written: request.tally.written }));
}

const outputFormat = (name: FormatName): OutputFormat => (name === "jsonl" || name === "csv" ? name : "xml");

const startsEmpty = (plan: OutputPlan) => !plan.isAppending || statSync(plan.path).size === 0;

async function writePlace({ app, name, card, request, flags, shell }: ExportJob, format: FileFormat): Promise<void> {
  const { place } = card;
  const path = outputPath(flags);
  if (path === undefined) throw new SetupError(`export ${name} needs a ${place}`, `name it: nuthatch export ${name} -o <${place}>`);
  const { saved, left, notes } = await format.write(app, request, { path, isReplacing: flags.replace !== undefined });
  if (flags.json) return write(shell.stdout, jsonDocument({ saved, left, notes }));
  const messages = [`${saved} pages saved to ${path}${left > 0 ? `; ${left} have no stored body` : ""}`, ...notes];
  if (!flags.quiet) await write(shell.stderr, `${messages.map((line) => printable(line)).join("\n")}\n`);
}

/** Remote text is made safe before it reaches a terminal. */
const safeOutput = (name: string, part: string | Uint8Array, { stdout }: Shell) =>
  name === "jsonl" && typeof part === "string" ? part : safeForStream(stdout, part);
