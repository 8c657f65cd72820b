import type { Command } from "commander";
import type { App } from "../../../engine/app.ts";
import { SetupError } from "../../../engine/config/index.ts";
import { ignoredParts, ignorePart, stopIgnoring } from "../../../features/changes/ignored.ts";
import { findPage, findSite } from "../../../features/pages/find.ts";
import { newCommand } from "../command.ts";
import { addListFlags, type ListFlags, type ListShape, openList, sortItems } from "../list.ts";
import type { Shell } from "../shell.ts";
import { pickVerb } from "../verb.ts";
import { withStored } from "./stored.ts";

const VERBS = ["list", "add", "rm"] as const;

const shape: ListShape = {
  columns: ["id", "kind", "value", "page", "site", "madeAt"],
  widths: { value: 60, page: 60 },
  sparse: ["page"],
  sort: "id",
};

interface IgnoreFlags extends ListFlags {
  readonly site?: string;
  readonly page?: string;
  readonly pattern?: boolean;
}

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const command = newCommand(
    "ignore",
    "Parts of pages that you do not want to hear of: they are left out of changes, of diffs, and of what later runs count.",
  )
    .argument(`[${VERBS.join("|")}]`, "list them (default), add one, or heed one again", "list")
    .argument("[text]", "with add: its words, whatever numbers and dates stand among them; with rm: its number")
    .option("--site <site>", "of this site, by its number, URL or a part of it; needed where there are several")
    .option("--page <page>", "with add: only on this page, by its number or URL")
    .option("--pattern", "with add: the text has anything where a * is; a * at an end reaches to the end of the block");
  return addListFlags(command, shape)
    .addHelpText(
      "after",
      `
Examples:
  nuthatch ignore add "Visitors today: 4,211"
  nuthatch ignore add --pattern "Last updated * ago" --site example.org
  nuthatch ignore rm 1`,
    )
    .action(async (given: string, text: string | undefined, flags: IgnoreFlags) => {
      const verb = pickVerb("ignore", given, VERBS);
      if (verb === "add" && text === undefined)
        throw new SetupError("what is to be ignored?", 'nuthatch ignore add "Visitors today: 4,211"');
      if (verb === "rm" && !/^\d{1,15}$/.test(text ?? "")) throw new SetupError("which of them?", "nuthatch ignore lists their numbers");
      const print = openList(shell, flags, { name: "ignored", shape, none: "nothing is ignored" });
      await withStored(flags, shell, async (app) => {
        if (verb === "add") await add(app, text!, flags);
        if (verb === "rm") await stopIgnoring(app, Number(text));
        const siteId = flags.site === undefined ? undefined : (await findSite(app, flags.site)).id;
        const listed = (await ignoredParts(app, siteId)).map((part) => ({ record: part, row: { ...part } }));
        await print(sortItems(listed, flags.sort));
      });
    });
}

async function add(app: App, value: string, { site, page: pageText, pattern }: IgnoreFlags): Promise<void> {
  const page = pageText === undefined ? undefined : await findPage(app, pageText);
  const siteId = page?.siteId ?? (await siteFor(app, site));
  await ignorePart(app, { siteId, pageId: page?.id, kind: pattern ? "pattern" : "text", value });
}

async function siteFor(app: App, text: string | undefined): Promise<number> {
  if (text !== undefined) return (await findSite(app, text)).id;
  const [only, ...others] = await app.store.sites();
  if (only && others.length === 0) return only.id;
  throw new SetupError("on which site?", only ? `name one: --site ${only.url}` : "nuthatch crawl https://example.org first");
}
