import type { Command } from "commander";
import picocolors from "picocolors";
import { SetupError } from "../../../engine/config/index.ts";
import { printable } from "../../../engine/telemetry/index.ts";
import { diffPage, type IgnoredKind, ignoredKinds } from "../../../features/changes/diff.ts";
import { isEmptyDiff } from "../../../features/changes/page-diff.ts";
import { openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import type { Globals } from "../globals.ts";
import { outputPath } from "../output.ts";
import { type Shell, wantsColour } from "../shell.ts";
import { wholeNumberParser } from "../whole-number.ts";
import { paintedDiff } from "./change-text.ts";
import { withStored } from "./stored.ts";

interface DiffFlags extends Globals {
  readonly from?: number;
  readonly to?: number;
  readonly all?: boolean;
  readonly ignore?: readonly IgnoredKind[];
}

function parseKinds(text: string): IgnoredKind[] {
  return text.split(",").map((word) => {
    const kind = ignoredKinds.find((known) => known === word.trim());
    if (kind !== undefined) return kind;
    throw new SetupError(`--ignore: ${word} is none of what can be left out`, `--ignore ${ignoredKinds.join(",")}`);
  });
}

export function build(shell: Shell, _exit: (code: number) => void): Command {
  return newCommand("diff", "What became of a page between two stored versions: its text, its links, its title and its like.")
    .argument("<page>", "its URL or number")
    .option("--from <n>", "the earlier version (default: the last but one)", wholeNumberParser("--from"))
    .option("--to <n>", "the later version (default: the last)", wholeNumberParser("--to"))
    .option("--all", "also what changes by itself, such as clocks and counters, and what you ignore")
    .option(`--ignore <list>`, `leave out what differs only in ${ignoredKinds.join(", ")}`, parseKinds)
    .action(async (page: string, flags: DiffFlags) => {
      const answer = openAnswer(shell, flags, "one");
      await withStored(flags, shell, async (app) => {
        const { from, to, all, ignore } = flags;
        const diff = await diffPage(app, { page, from, to, all, ignore });
        const colours = picocolors.createColors(outputPath(flags) === undefined && wantsColour(flags, shell, shell.stdout));
        const mark = ({ version, runId, at }: typeof diff.from) => `version ${version}, run ${runId}, ${at}`;
        const lines = [
          printable(diff.url),
          colours.red(`--- ${mark(diff.from)}`),
          colours.green(`+++ ${mark(diff.to)}`),
          ...(isEmptyDiff(diff) ? ["the same, but for what changes by itself or is ignored; --all shows it"] : paintedDiff(diff, colours)),
        ];
        await answer({ document: diff, text: lines.map((line) => `${line}\n`).join("") });
      });
    });
}
