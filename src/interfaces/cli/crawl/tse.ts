import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, CommanderError } from "commander";
import { SetupError } from "../../../engine/config/index.ts";
import { plural, printable } from "../../../engine/telemetry/index.ts";
import { checkTse, tse, type UnsavedUrl } from "../../../features/classic/tse.ts";
import { reasonSentence } from "../../../features/explain/reasons.ts";
import { openData } from "../commands/stored.ts";
import { exitCodeOf, exitCodes } from "../exit-codes.ts";
import { jsonDocument, quotedArg, type Shell, write } from "../shell.ts";
import { onStopSignal } from "../stop-signal.ts";

const usage = "seedURL pageDirectory maxDepth [-- --db file --internal prefix --json]";

/** Exactly three arguments, as the course requires; our own flags follow `--`. */
export function build(shell: Shell, exit: (code: number) => void): Command {
  const ownFlags = new Command("crawler")
    .allowExcessArguments()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .option("--db <file>", "keep the data file too")
    .option("--internal <prefix>", "URLs under this prefix are internal (default: the seed's origin)")
    .option("--json", "one JSON document on stdout instead of the progress lines");
  const command = new Command("crawler")
    .description("Crawl from seedURL to maxDepth (0–10) and save each page to pageDirectory as 1, 2, 3…")
    .usage(usage)
    .argument("[args...]", "the three, in this order")
    .allowUnknownOption()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addHelpText(
      "after",
      ["After --:", ...ownFlags.options.map(({ flags, description }) => `  ${flags.padEnd(19)}  ${description}`)].join("\n"),
    );
  return command.action(async (_args: string[], _flags: object, { rawArgs }: { rawArgs: readonly string[] }) => {
    const dashes = rawArgs.indexOf("--");
    const courseArgs = dashes < 0 ? rawArgs : rawArgs.slice(0, dashes);
    const option = courseArgs.find((arg) => /^-\D/.test(arg));
    if (option !== undefined)
      throw new SetupError(`${option} is not one of the three arguments`, `options come after --: crawler ${usage}`);
    const rest = ownOptions(ownFlags, dashes < 0 ? [] : rawArgs.slice(dashes + 1));
    const flags = rest.opts<{ db?: string; internal?: string; json?: boolean }>();
    const request = await checkTse([...courseArgs, ...rest.args], flags.internal);
    const folder = flags.db === undefined ? await mkdtemp(join(tmpdir(), "nuthatch-tse-")) : undefined;
    const app = await openData(flags.db ?? join(folder!, "tse.db"), flags, shell, undefined);
    if (shell.underWay)
      shell.underWay.work = {
        kept: `every page that was saved, in ${request.pageDirectory}`,
        resumeCommand: retryCommand(rawArgs, request.pageDirectory),
      };
    const stopped = new AbortController();
    const stopListening = onStopSignal(() => stopped.abort());
    try {
      const say = flags.json ? () => undefined : (line: string) => void shell.stdout.write(`${printable(line, 4000)}\n`);
      const warn = (line: string) => void shell.stderr.write(`crawler: ${printable(line, 4000)}\n`);
      const { result, saved, unsaved } = await tse(app, request, { say, warn, signal: stopped.signal });
      if (flags.json) await write(shell.stdout, jsonDocument({ saved, unsaved, ...result }));
      if (result.stopReason === "stopped") warn(stoppedLine(saved, unsaved, request.pageDirectory));
      const code = result.stopReason === "stopped" ? stopListening() : exitCodeOf(result);
      if (code === exitCodes.noPages || code === exitCodes.blocked) {
        const [seed] = result.seeds;
        const why = seed ? `${seed.url}: ${reasonSentence(seed.reason)}${seed.rule ? ` (${seed.rule})` : ""}` : request.seed;
        warn(`no page could be saved: ${why}`);
      }
      if (shell.underWay) delete shell.underWay.work;
      exit(code);
    } finally {
      stopListening();
      await app.close();
      if (folder) await rm(folder, { recursive: true, force: true });
    }
  });
}

function ownOptions(ownFlags: Command, args: readonly string[]): Command {
  try {
    return ownFlags.parse([...args], { from: "user" });
  } catch (cause) {
    if (!(cause instanceof CommanderError) || cause.exitCode === 0) throw cause;
    throw new SetupError(cause.message.replace(/^error: /, ""), `crawler ${usage}`, { cause });
  }
}

/** Suggests another directory, because one that contains pages is refused. */
function retryCommand(rawArgs: readonly string[], directory: string): string {
  const otherDirectory = `${directory.replace(/\/+$/, "")}-again`;
  const args = rawArgs.map((arg) => quotedArg(arg === directory ? otherDirectory : arg));
  return `mkdir ${quotedArg(otherDirectory)} && crawler ${args.join(" ")}`;
}

function stoppedLine(saved: number, unsaved: readonly UnsavedUrl[], directory: string): string {
  const left = unsaved.filter(({ verdict }) => verdict === "queued").length;
  return `stopped: ${plural(saved, "page is", "pages are")} in ${directory}, ${plural(left, "URL was", "URLs were")} not visited`;
}
