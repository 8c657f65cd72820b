import type { Command } from "commander";
import { readKeyword, SetupError } from "../../../engine/config/index.ts";
import { plural } from "../../../engine/telemetry/index.ts";
import { evaluateFocus, type FocusReport } from "../../../features/focus/focus-eval.ts";
import { sparkline } from "../../../features/focus/harvest.ts";
import { findSite } from "../../../features/pages/find.ts";
import { hasData } from "../../../store/index.ts";
import { openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import type { Globals } from "../globals.ts";
import { paragraph, type Shell, table } from "../shell.ts";
import { pickVerb } from "../verb.ts";
import { withStored } from "./stored.ts";

interface FocusFlags extends Globals {
  readonly site?: string;
  readonly keyword?: readonly string[];
  readonly targets: number;
  readonly targetUrl?: readonly string[];
}

const DEFAULT_RELEVANCE = 0.5;

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const collect = (text: string, before: string[] | undefined) => [...(before ?? []), text];
  return newCommand("focus", "How soon each order of visiting comes to what matters: a recorded crawl is replayed, and nobody is asked.")
    .argument("<eval>", "eval: replay what is stored under each order")
    .argument("[db]", "the data file (default: as --db says)")
    .option("--site <site>", "of this site (default: the only one)")
    .option("-k, --keyword <word[=weight]>", "what is looked for (default: the keywords of the site)", collect)
    .option("--targets <relevance>", "targets are pages at least this relevant, of 0 to 1", parseRelevance, DEFAULT_RELEVANCE)
    .option("--target-url <glob>", "targets are pages with such a URL, whatever they say", collect)
    .addHelpText(
      "after",
      `
Examples:
  nuthatch focus eval -k budget
  nuthatch focus eval town.db --site example.org --target-url '/minutes/**' --json`,
    )
    .action(async (verb: string, db: string | undefined, flags: FocusFlags) => {
      pickVerb("focus", verb, ["eval"]);
      if (db !== undefined && !(await hasData(db))) throw new SetupError(`there is no data file ${db}`, "nuthatch focus eval town.db");
      const answer = openAnswer(shell, flags, "one");
      const keywords = flags.keyword && Object.fromEntries(flags.keyword.map(parseKeyword));
      await withStored(db === undefined ? flags : { ...flags, db }, shell, async (app) => {
        const site = await findSite(app, flags.site ?? (await onlySite(await app.store.sites())));
        const report = await evaluateFocus(app, { site, keywords, minRelevance: flags.targets, targetUrls: flags.targetUrl });
        await answer({ document: report, text: reportText(report) });
      });
    });
}

function parseKeyword(text: string): readonly [word: string, weight: number] {
  const keyword = readKeyword(text);
  if (keyword) return keyword;
  throw new SetupError(`${text} is no keyword with a weight of 0 to 1`, "-k budget, or -k 'meeting minutes=0.9'");
}

function parseRelevance(text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && number > 0 && number <= 1) return number;
  throw new SetupError(`--targets ${text} is no relevance`, "above 0 (nothing to do with the keywords), and 1 at most: --targets 0.5");
}

async function onlySite(sites: readonly { readonly url: string }[]): Promise<string> {
  if (sites.length <= 1) return sites[0]?.url ?? "";
  throw new SetupError("there are several sites", `name one: --site ${sites[0]!.url}`);
}

const percent = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

function reportText({ site, keywords, reached, targets, orders }: FocusReport): string {
  const rows = orders.map(({ order, requestsTo90, requests, harvestRateAt90, recallAuc, curve }) => [
    order,
    requestsTo90,
    percent(requestsTo90 / requests),
    percent(harvestRateAt90),
    recallAuc.toFixed(3),
    sparkline(curve),
  ]);
  const about = `${site}: ${plural(targets, "target", "targets")} among ${plural(reached, "page", "pages")}, for ${Object.keys(keywords).join(", ")}`;
  const meaning = "to 90 %: requests until nine tenths of the targets were met. recall: from the first request to the last.";
  return `${paragraph([about, ""])}${table(["order", "to 90 %", "of all", "harvest", "AUC", "recall"], rows)}${paragraph(["", meaning])}`;
}
