import { hostname } from "node:os";
import type { Command } from "commander";
import { resolveConfig, SetupError, withoutStored } from "../../../engine/config/index.ts";
import { printable } from "../../../engine/telemetry/index.ts";
import { checkShared, startWorker } from "../../../features/worker/worker.ts";
import type { Run } from "../../../store/index.ts";
import { layersOf, newCommand } from "../command.ts";
import { openData } from "../commands/stored.ts";
import type { Globals } from "../globals.ts";
import { configFileOf, dbFlag, dbPathOf, jsonDocument, type Shell, write } from "../shell.ts";
import { onStopSignal } from "../stop-signal.ts";

interface WorkerFlags extends Globals {
  readonly name?: string;
  readonly maxConcurrent: string;
  readonly drain?: boolean;
}

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand(
    "worker",
    "Works at the crawls of a shared database, beside any number of others. Ctrl-C gives back what it holds.",
  )
    .option("--name <text>", "what it is called where workers are listed (default: this machine and the process)")
    .option("--max-concurrent <n>", "requests at once, over all crawls", "10")
    .option("--drain", "leaves when nothing is left to do");
  command.addHelpText(
    "after",
    `
Examples:
  nuthatch worker --db postgres://nuthatch@db.example.org/nuthatch
  nuthatch worker --db postgres://nuthatch@db.example.org/nuthatch --max-concurrent 50 --name rack-2
  nuthatch crawl https://example.org --db postgres://nuthatch@db.example.org/nuthatch     starts what they work at`,
  );
  return command.action(async (flags: WorkerFlags) => {
    const maxConcurrent = parseCount(flags.maxConcurrent);
    const file = await configFileOf(flags, shell);
    const db = dbPathOf(flags, shell, file);
    checkShared(db);
    const app = await openData(db, flags, shell, file);
    try {
      // Options that runs do not store come from the config file and the environment of this machine.
      const configOf = (run: Run) => {
        const unstoredLayers = withoutStored(layersOf({}, shell, file, run.seeds));
        return resolveConfig([{ from: `run ${run.id}`, values: run.options }, ...unstoredLayers]);
      };
      const say = flags.quiet ? () => undefined : (line: string) => void shell.stderr.write(`${printable(line, 1000)}\n`);
      const name = flags.name ?? `${hostname()}/${process.pid}`;
      if (shell.underWay)
        shell.underWay.work = {
          kept: "everything that was settled; other workers take up what this one held",
          resumeCommand: `nuthatch worker${dbFlag(db)}`,
        };
      const worker = await startWorker(app, { name, maxConcurrent, exitsWhenIdle: flags.drain ?? false, configOf, say });
      say(`Worker ${name} is ready; Ctrl-C ends it.`);
      const stopListening = onStopSignal((times) => {
        say(times === 1 ? "Finishing what is in flight; press Ctrl-C again to stop at once." : "Stopping now.");
        if (times === 1) worker.stop();
        else worker.abort();
      });
      const report = await worker.done;
      stopListening();
      if (shell.underWay) delete shell.underWay.work;
      if (flags.json) await write(shell.stdout, jsonDocument({ worker: name, ...report }));
      exit(0);
    } finally {
      await app.close();
    }
  });
}

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 10_000) return count;
  throw new SetupError(`--max-concurrent cannot be ${text}`, "a whole number from 1 to 10000");
}
