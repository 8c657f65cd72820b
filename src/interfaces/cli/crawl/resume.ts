import type { Command } from "commander";
import { resolveConfig, SetupError, withoutStored } from "../../../engine/config/index.ts";
import { resumeRun } from "../../../features/crawl/crawl.ts";
import { findRun } from "../../../features/pages/find.ts";
import { hasEnded } from "../../../store/index.ts";
import { addConfigFlags, flagLayer, layersOf, newCommand, requireOwner } from "../command.ts";
import { printAccessNotices } from "../commands/access.ts";
import { withStored } from "../commands/stored.ts";
import { refuseUselessFlags } from "../commands/useless-flags.ts";
import { checkLog } from "../log.ts";
import { checkOutput } from "../output.ts";
import type { Shell } from "../shell.ts";
import { parseFailOn } from "./fail-on.ts";
import { type WatchFlags, watch } from "./watch.ts";

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand(
    "resume",
    "Carry on with a run that was stopped, died, has to wait for its hosts, or reached a limit. Its own options hold, unless others are given.",
  )
    .argument("[run]", "its number (default: the latest that is unfinished)")
    .option("--events", "what happens, as JSON lines on stdout")
    .option("--fail-on <list>", "exit with 10, 11 or 12 on limit, errors (errors=5%) or changes");
  addConfigFlags(command);
  return command.action(async (number: string | undefined, flags: WatchFlags & Record<string, unknown>) => {
    if (flags.preset !== undefined)
      throw new SetupError("a run that was begun keeps its preset", "leave out --preset, or give single options");
    checkOutput(flags);
    checkLog(flags);
    parseFailOn(flags.failOn);
    if (flags.robots === false) await requireOwner(flags, shell);
    await withStored(flags, shell, async (app, db, file) => {
      const runs = await app.store.runs({ kind: "crawl", limit: 50 });
      const run = number === undefined ? runs.find((one) => !hasEnded(one)) : await findRun(app, number);
      if (!run) throw new SetupError("there is no unfinished run", "nuthatch runs lists them all");
      const unstoredLayers = withoutStored(layersOf({}, shell, file, run.seeds));
      const config = resolveConfig([{ from: `run ${run.id}`, values: run.options }, ...unstoredLayers, flagLayer(flags)]);
      refuseUselessFlags(flags, config);
      printAccessNotices(config, run.namedSeeds, flags, shell, file);
      exit(await watch({ app, db, shell, flags }, (how) => resumeRun(app, run, { config, ...how })));
    });
  });
}
