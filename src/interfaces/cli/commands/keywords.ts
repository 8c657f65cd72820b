import type { Command } from "commander";
import type { App } from "../../../engine/app.ts";
import { readKeyword, SetupError } from "../../../engine/config/index.ts";
import { count } from "../../../engine/telemetry/index.ts";
import { changeKeywords, keywordReports } from "../../../features/keywords/keywords.ts";
import { findSite } from "../../../features/pages/find.ts";
import type { Site } from "../../../store/index.ts";
import { newCommand } from "../command.ts";
import { addListFlags, type ListFlags, type ListShape, openList, sortItems } from "../list.ts";
import { type Shell, write } from "../shell.ts";
import { withStored } from "./stored.ts";

const VERBS = ["list", "set", "rm"] as const;
type Verb = (typeof VERBS)[number];

const shape: ListShape = { columns: ["word", "weight", "links", "site"], sort: "-weight" };

/** Milliseconds after which scoring of stored pages prints its progress. */
const PROGRESS_INTERVAL_MS = 1000;

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const command = newCommand(
    "keywords",
    "What matters on a site, and how much. Other weights hold at once; a new word is looked for in what is stored.",
  )
    .argument("[site]", "its number, its URL, or a part of it that only one site has; needed where there are several")
    .argument(`[${VERBS.join("|")}]`, "list them (default), set weights or add words, or remove some")
    .argument("[word...]", "with set: words with their weights (budget=0.5; without one 1); with rm: words");
  return addListFlags(command, shape)
    .addHelpText(
      "after",
      `
Examples:
  nuthatch keywords
  nuthatch keywords set budget=1 "meeting minutes=0.9"
  nuthatch keywords example.org rm budget`,
    )
    .action(async (first: string | undefined, second: string | undefined, rest: string[], flags: ListFlags) => {
      const { siteText, verb, words } = parseArguments([first, second, ...rest].filter((word) => word !== undefined));
      const set = verb === "set" ? weightsOf(words) : {};
      const print = openList(shell, flags, { name: "keywords", shape });
      await withStored(flags, shell, async (app) => {
        const sites = siteText === undefined ? await app.store.sites() : [await findSite(app, siteText)];
        if (verb !== "list") {
          const { isLater } = await changeKeywords(app, onlySite(sites), {
            set,
            remove: verb === "rm" ? words : [],
            onPages: flags.quiet ? undefined : progressPrinter(shell),
          });
          if (isLater && !flags.quiet)
            await write(shell.stderr, "a run of this site is at work: words that are new to it are looked for when the next begins\n");
        }
        await show(app, sites, flags, print);
      });
    });
}

async function show(app: App, sites: readonly Site[], flags: ListFlags, print: ReturnType<typeof openList>): Promise<void> {
  const listed = (await keywordReports(app, sites)).map((report) => ({ record: report, row: { ...report } }));
  await print(sortItems(listed, flags.sort));
}

/** The site is optional: a verb in its position is taken as the verb. */
function parseArguments(args: readonly string[]): { siteText: string | undefined; verb: Verb; words: string[] } {
  const isVerb = (text: string | undefined): text is Verb => VERBS.includes(text as Verb);
  const siteText = isVerb(args[0]) ? undefined : args[0];
  const [verb = "list", ...words] = isVerb(args[0]) ? args : args.slice(1);
  if (!isVerb(verb)) throw new SetupError(`keywords cannot ${verb}`, `nuthatch keywords ${siteText ?? "[site]"} ${VERBS.join(", or ")}`);
  if (verb === "list" && words.length > 0)
    throw new SetupError(`keywords list has no use for ${words[0]}`, `nuthatch keywords set ${words[0]}`);
  if (verb !== "list" && words.length === 0)
    throw new SetupError(`which word is to be ${verb === "set" ? "set" : "removed"}?`, `nuthatch keywords ${verb} budget`);
  return { siteText, verb, words };
}

function weightsOf(words: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    words.map((text) => {
      const keyword = readKeyword(text);
      if (keyword) return keyword;
      throw new SetupError(`${text} is no keyword with a weight of 0 to 1`, "write a word or phrase, and its weight after a =: budget=0.5");
    }),
  );
}

function onlySite(sites: readonly Site[]): Site {
  const [site, ...others] = sites;
  if (site && others.length === 0) return site;
  if (!site) throw new SetupError("no site has been crawled into this database yet", "nuthatch crawl https://example.org -k budget");
  throw new SetupError(
    "there are several sites, and each has its own keywords",
    `name one first: nuthatch keywords ${site.url} set budget`,
  );
}

/** Prints progress at most once per `PROGRESS_INTERVAL_MS`. */
function progressPrinter({ stderr }: Shell): (done: number, pages: number) => void {
  let printedAt = performance.now();
  return (done, pages) => {
    if (performance.now() - printedAt < PROGRESS_INTERVAL_MS) return;
    printedAt = performance.now();
    stderr.write(`${count(done)} of ${count(pages)} stored pages looked through\n`);
  };
}
