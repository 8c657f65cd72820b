import type { Command } from "commander";
import { SetupError } from "../config/index.ts";
import { flatPage } from "../export/index.ts";
import { findSite } from "../operations/find.ts";
import type { Page } from "../records.ts";
import { openAnswer } from "./answer.ts";
import { newCommand } from "./command.ts";
import { pickFields, wholeNumber } from "./fields.ts";
import type { Globals } from "./globals.ts";
import { outputPath } from "./output.ts";
import { type Shell, table, write } from "./shell.ts";
import { withStored } from "./stored.ts";

interface PagesFlags extends Globals {
  readonly limit: number;
  readonly sort: string;
  readonly fields?: string;
  readonly change?: string;
  readonly run?: number;
  readonly url?: string;
}

const SORTS = ["id", "url", "depth", "fetched", "bytes", "seq"];
const CHANGES = ["new", "changed", "same", "gone", "unlinked", "unknown"];

export function build(shell: Shell, _exit: (code: number) => void): Command {
  return newCommand("pages", "The pages that are stored.")
    .argument("[site]", "only those of this site")
    .option("--limit <n>", "at most this many", wholeNumber("--limit"), 50)
    .option("--sort <field>", `one of ${SORTS.join(", ")}; -field for the other way round`, "id")
    .option("--fields <list>", "columns to show")
    .option("--change <list>", `only ${CHANGES.join(", ")}`)
    .option("--run <n>", "only those last seen in this run", wholeNumber("--run"))
    .option("--url <text>", "only those whose URL contains this")
    .action(async (siteText: string | undefined, flags: PagesFlags) => {
      if (!SORTS.includes(flags.sort.replace(/^-/, ""))) throw new SetupError(`cannot sort by ${flags.sort}`, `one of ${SORTS.join(", ")}`);
      const change = flags.change?.split(",").map((word) => word.trim());
      const odd = change?.find((word) => !CHANGES.includes(word));
      if (odd !== undefined) throw new SetupError(`there is no change ${odd}`, `--change one or more of ${CHANGES.join(",")}`);
      const answer = openAnswer(shell, flags, "list");
      await withStored(flags, shell, async (app) => {
        const site = siteText === undefined ? undefined : await findSite(app, siteText);
        const filter = {
          siteId: site?.id,
          runId: flags.run,
          url: flags.url,
          limit: flags.limit,
          sort: flags.sort,
          change,
        };
        const found: Page[] = [];
        for await (const page of app.store.pages(filter)) found.push(page);
        const rows = found.map((page) => pickFields(flatPage(page), flags.fields));
        const records = flags.fields === undefined ? found : rows;
        const shown = found.map((page) => pickFields(flatPage(page), flags.fields ?? "id,status,depth,change,title,url"));
        await answer({ document: { pages: records }, records, rows, text: tableOf(shown) });
        // A screenful is what one looks at; a file is easily taken for everything.
        if (outputPath(flags) !== undefined && found.length === flags.limit && !flags.quiet)
          await write(shell.stderr, `the first ${flags.limit} pages; --limit takes more, nuthatch export all\n`);
      });
    });
}

function tableOf(rows: readonly Record<string, unknown>[]): string {
  const [first] = rows;
  if (!first) return "";
  const cells = rows.map((row) => Object.values(row).map((value) => (value === null ? null : String(value))));
  return table(Object.keys(first), cells);
}
