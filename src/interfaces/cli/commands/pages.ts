import type { Command } from "commander";
import { nearest, SetupError } from "../../../engine/config/index.ts";
import { flatPage, pageColumns } from "../../../engine/formats/index.ts";
import { findRun, findSite } from "../../../features/pages/find.ts";
import { pageSorts } from "../../../store/index.ts";
import { newCommand } from "../command.ts";
import { addListFlags, type ListFlags, type ListItem, type ListShape, openList } from "../list.ts";
import type { Shell } from "../shell.ts";
import { wholeNumberParser } from "../whole-number.ts";
import { withStored } from "./stored.ts";

interface PagesFlags extends ListFlags {
  readonly change?: readonly string[];
  readonly run?: number;
  readonly url?: string;
  readonly gone?: boolean;
  readonly missing?: readonly string[];
}

const CHANGES = ["new", "changed", "same", "gone", "unlinked", "unknown"];

const shape: ListShape = {
  columns: pageColumns,
  shown: ["id", "status", "depth", "change", "title", "url"],
  sorts: pageSorts,
  sort: "id",
};

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const command = newCommand("pages", "The pages that are stored.").argument("[site]", "only those of this site");
  return addListFlags(command, shape)
    .option("--change <list>", `only ${CHANGES.join(", ")}`, parseChanges)
    .option("--run <n>", "only those last seen in this run", wholeNumberParser("--run"))
    .option("--url <text>", "only those whose URL contains this")
    .option("--gone", "also those that are there no longer: they answer 404 or 410, or redirect elsewhere")
    .option("--missing <list>", `only those without one of ${FIELDS.join(", ")}`, parseFields)
    .action(async (siteText: string | undefined, flags: PagesFlags) => {
      const list = openList(shell, flags, { name: "pages", shape, allOfIt: "nuthatch export" });
      await withStored(flags, shell, async (app) => {
        const siteId = siteText === undefined ? undefined : (await findSite(app, siteText)).id;
        const { sort, limit, run, url, change, missing } = flags;
        const runId = run === undefined ? undefined : (await findRun(app, String(run))).id;
        // With --change, gone pages are included.
        const filter = { siteId, runId, url, change, missing, isGone: change === undefined && !flags.gone ? false : undefined };
        const found: ListItem[] = [];
        for await (const page of app.store.pages({ ...filter, limit, sort })) found.push({ record: page, row: flatPage(page) });
        await list(found, found.length < limit ? found.length : await app.store.countPages(filter));
      });
    });
}

/** Fields for --missing. */
const FIELDS = ["title", "description", "image", "author", "publishedAt", "modifiedAt", "lang", "siteName", "topics"];

function parseFields(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  const invalid = names.find((name) => !FIELDS.includes(name));
  if (invalid === undefined) return names;
  const near = nearest(invalid, FIELDS);
  throw new SetupError(`there is no field ${invalid}`, near ? `did you mean ${near}?` : `--missing one or more of ${FIELDS.join(",")}`);
}

function parseChanges(text: string): string[] {
  const changes = text.split(",").map((word) => word.trim());
  const invalid = changes.find((word) => !CHANGES.includes(word));
  if (invalid === undefined) return changes;
  const near = nearest(invalid, CHANGES);
  throw new SetupError(`there is no change ${invalid}`, near ? `did you mean ${near}?` : `--change one or more of ${CHANGES.join(",")}`);
}
