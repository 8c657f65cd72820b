import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { openApp } from "../app.ts";
import { checkTse, tse } from "../operations/tse.ts";
import { printable } from "../telemetry/index.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { type Shell, writeJson } from "./shell.ts";

/** Exactly three arguments, as the course asks; anything of ours comes after `--`. */
export function build(shell: Shell, exit: (code: number) => void): Command {
  const own = new Command("tse")
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .option("--db <file>", "keep the data file too")
    .option("--internal <prefix>", "URLs under this prefix are internal (default: the seed's origin)")
    .option("--json", "one JSON document on stdout instead of the progress lines");
  const command = new Command("tse")
    .description("Crawl from seedURL to maxDepth (0–10) and save each page to pageDirectory as 1, 2, 3…")
    .usage("seedURL pageDirectory maxDepth [-- --db file --internal prefix --json]")
    .argument("[args...]")
    .allowUnknownOption()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return command.action(async (args: string[]) => {
    const firstOwn = args.findIndex((arg) => arg.startsWith("--"));
    const course = firstOwn < 0 ? args : args.slice(0, firstOwn);
    const flags = own.parse(firstOwn < 0 ? [] : args.slice(firstOwn), { from: "user" }).opts<{ db?: string; internal?: string; json?: boolean }>();
    const request = await checkTse(course, flags.internal);
    const folder = flags.db === undefined ? await mkdtemp(join(tmpdir(), "nuthatch-tse-")) : undefined;
    const app = await openApp({ db: flags.db ?? join(folder!, "tse.db") });
    try {
      const say = flags.json ? () => undefined : (line: string) => void shell.stdout.write(`${printable(line, 4000)}\n`);
      const { result, saved } = await tse(app, request, {}, say);
      if (flags.json) await writeJson(shell, { saved, ...result });
      const code = exitCodeOf(result);
      if (code !== exitCodes.ok) {
        const [seed] = result.seeds;
        shell.stderr.write(`crawler: no page could be saved: ${printable(seed ? `${seed.url}: ${seed.rule || seed.reason}` : request.seed)}\n`);
      }
      exit(code);
    } finally {
      await app.close();
      if (folder) await rm(folder, { recursive: true, force: true });
    }
  });
}
