import { type Command, Option } from "commander";
import { parseDuration, SetupError } from "../../../engine/config/index.ts";
import { findSite } from "../../../features/pages/find.ts";
import { openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import { dbFlag, type Shell } from "../shell.ts";
import { wholeNumberParser } from "../whole-number.ts";
import { checkRemoval, confirmAndRemove, type RemovalFlags } from "./removal.ts";
import { withStored } from "./stored.ts";

interface PruneFlags extends RemovalFlags {
  readonly keep: number;
  readonly olderThan?: number;
  readonly gone?: boolean;
  readonly unlinked?: boolean;
}

const DAY_MS = 86_400_000;

export function build(shell: Shell, _exit: (code: number) => void): Command {
  return newCommand(
    "prune",
    "Remove what nobody needs any more: old versions of pages, ledgers of old runs, and bodies that no version has.",
  )
    .argument("[site]", "only of this site")
    .option("--keep <n>", "versions of each page that stay, the newest first", parseKeep, 10)
    .addOption(
      new Option("--older-than <duration>", "ledgers of runs that ended longer ago (default: 90d)").argParser((text: string) =>
        parseDuration("--older-than", text, "--older-than 90d, or 12h"),
      ),
    )
    .option("--gone", "also pages that are gone, with all their versions")
    .option("--unlinked", "also pages that nothing leads to any more, though they still answer")
    .option("--dry-run", "say what would go, and remove nothing")
    .addHelpText(
      "after",
      `
The last complete run of each site keeps its ledger, and so does every run that can still be carried on.
A crawl in another process goes on meanwhile. The room inside the file is used again; nuthatch db vacuum gives it back to the disk.

Examples:
  nuthatch prune --dry-run
  nuthatch prune --keep 3 --older-than 30d --gone --yes`,
    )
    .action(async (siteText: string | undefined, flags: PruneFlags) => {
      const answer = openAnswer(shell, flags, "one");
      await withStored(flags, shell, async (app, db) => {
        const siteId = siteText === undefined ? undefined : (await findSite(app, siteText)).id;
        checkRemoval(flags, shell, "pruning");
        const before = Date.now() - (flags.olderThan ?? 90 * DAY_MS);
        const plan = await app.store.maintenance.plan({
          what: "old",
          siteId,
          keep: flags.keep,
          before,
          gone: flags.gone === true,
          unlinked: flags.unlinked === true,
        });
        const afterwards = `\nThe room is used again; nuthatch db vacuum${dbFlag(db)} gives it back to the disk.`;
        await answer(await confirmAndRemove(plan, { shell, flags, what: "what nobody needs", afterwards }));
      });
    });
}

function parseKeep(text: string): number {
  const keep = wholeNumberParser("--keep")(text);
  if (keep >= 1) return keep;
  throw new SetupError("--keep must leave at least the newest version", "--keep 1");
}
