import { SetupError } from "../../../engine/config/index.ts";
import { count, plural, size } from "../../../engine/telemetry/index.ts";
import type { Removal, RemovalPlan } from "../../../store/index.ts";
import type { Answer } from "../answer.ts";
import { askYesNo, canAsk } from "../ask.ts";
import type { Globals } from "../globals.ts";
import { type Shell, write } from "../shell.ts";

export interface RemovalFlags extends Globals {
  readonly dryRun?: boolean;
}

/** If no person can be asked, --yes is required. Checked once it is known that what is to be removed exists. */
export function checkRemoval(flags: RemovalFlags, shell: Shell, what: string): void {
  if (flags.dryRun || flags.yes || canAsk(flags, shell)) return;
  throw new SetupError(`${what} needs your yes`, "add --yes, or --dry-run to see what would go");
}

interface RemovalContext {
  readonly shell: Shell;
  readonly flags: RemovalFlags;
  readonly what: string;
  /** Printed at the end. */
  readonly afterwards?: string;
}

/** Shows what would be removed, asks, and removes it. */
export async function confirmAndRemove(plan: RemovalPlan, { shell, flags, what, afterwards = "" }: RemovalContext): Promise<Answer> {
  const words = removalWords(plan.removes);
  const answer = (removed: boolean, removes: Removal, text: string): Answer => ({
    document: { dryRun: flags.dryRun === true, removed, removes },
    text: `${text}\n`,
  });
  if (words === undefined) return answer(false, plan.removes, "Nothing to remove.");
  if (flags.dryRun) return answer(false, plan.removes, `Would remove ${what}: ${words}`);
  if (!flags.yes) {
    await write(shell.stderr, `This removes ${what}: ${words}\n`);
    if (!(await askYesNo(shell, "Remove it?", false))) return answer(false, plan.removes, "Nothing was removed.");
  }
  const removed = await plan.execute();
  return answer(true, removed, `Removed ${what}: ${removalWords(removed) ?? "nothing was left of it"}${afterwards}`);
}

function removalWords({
  sites,
  runs,
  ledgers,
  decisions,
  changes,
  pages,
  versions,
  bodies,
  exchanges,
  links,
  bytes,
}: Removal): string | undefined {
  const parts = [
    ...(sites > 0 ? [plural(sites, "site", "sites")] : []),
    ...(runs > 0 ? [plural(runs, "run", "runs")] : []),
    ...(ledgers > 0 ? [plural(ledgers, "ledger of a run", "ledgers of runs")] : []),
    ...(decisions > 0 ? [plural(decisions, "decision", "decisions")] : []),
    ...(changes > 0 ? [plural(changes, "recorded change", "recorded changes")] : []),
    ...(pages > 0 ? [plural(pages, "page", "pages")] : []),
    ...(versions > 0 ? [plural(versions, "version", "versions")] : []),
    ...(links > 0 ? [plural(links, "link that a page had once", "links that pages had once")] : []),
    ...(exchanges > 0 ? [plural(exchanges, "request with its answer", "requests with their answers")] : []),
    ...(bodies > 0 ? [`${count(bodies)} stored ${bodies === 1 ? "body" : "bodies"}`] : []),
  ];
  const sizeText = bytes > 0 ? ` (about ${size(bytes)})` : "";
  return parts.length === 0 ? undefined : `${parts.join(", ")}${sizeText}`;
}
