import { type Command, Option } from "commander";
import { type ConfigFile, SetupError, sitesIn } from "../config/index.ts";
import { checkCrawl, crawl } from "../operations/crawl.ts";
import type { Run } from "../store/index.ts";
import { tellAccess } from "./access.ts";
import { ask, mayAsk } from "./ask.ts";
import { addConfigFlags, loadConfig, needOwner, newCommand } from "./command.ts";
import { parseFailOn } from "./fail-on.ts";
import type { Globals } from "./globals.ts";
import { checkLog } from "./log.ts";
import { checkOutput } from "./output.ts";
import { readSeedList } from "./seed-list.ts";
import { configFileOf, dbPathOf, type Shell } from "./shell.ts";
import { openData } from "./stored.ts";
import { type WatchFlags, watch } from "./watch.ts";

interface CrawlFlags extends WatchFlags, Readonly<Record<string, unknown>> {
  readonly seeds?: string;
  readonly resume?: boolean;
  readonly new?: boolean;
  readonly dryRun?: boolean;
}

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand("crawl", "Crawl one or more sites into the data file. A site that is known is only looked at again.")
    .argument("[url...]", "where to begin; - reads URLs from standard input")
    .option("--seeds <file>", "file with one URL a line")
    .option("--resume", "carry on with an unfinished run of this site (the default; a terminal is asked first)")
    .addOption(new Option("--new", "start a new run even if one is unfinished").conflicts("resume"))
    .option("--dry-run", "ask only robots.txt, sitemaps and the seeds, and tell what a crawl would do")
    .option("--events", "what happens, as JSON lines on stdout")
    .option("--fail-on <list>", "exit with 10, 11 or 12 on limit, errors (errors=5%) or changes");
  addConfigFlags(command);
  command.addHelpText(
    "after",
    `
Examples:
  nuthatch crawl https://example.org
  nuthatch crawl https://example.org --max-depth 3 --exclude '/calendar/**'
  nuthatch crawl https://example.org -o pages.jsonl
  nuthatch crawl https://example.org -v --log-file crawl.log
  cat seeds.txt | nuthatch crawl - --rate-limit 30/m`,
  );
  return command.action(async (urls: string[], flags: CrawlFlags) => {
    if (flags.config === "-" && urls.includes("-"))
      throw new SetupError("standard input cannot be both the config and the seeds", "put one of them in a file: --seeds seeds.txt");
    const file = await configFileOf(flags, shell);
    const seeds = await seedsOf(urls, flags, shell, file);
    const config = loadConfig(flags, shell, file, seeds);
    const checked = checkCrawl(seeds, config);
    if (!flags.dryRun) checkOutput(flags);
    checkLog(flags);
    parseFailOn(flags.failOn);
    if (!config.respectRobots) await needOwner(flags, shell);
    tellAccess(
      config,
      checked.map(({ url }) => url),
      flags,
      shell,
    );
    const db = dbPathOf(flags, shell, file);
    if (flags.dryRun) return exit(await (await import("./dry-run.ts")).dryRun({ shell, flags, db, seeds, config }));
    const app = await openData(db, flags, shell);
    try {
      const mode = flags.new ? "new" : flags.resume ? "resume" : "auto";
      const carriesOn = (run: Run) => carryOn(run, flags, shell);
      exit(await watch({ app, db, shell, flags }, (how) => crawl(app, { seeds, config, mode, carriesOn, ...how })));
    } finally {
      await app.close();
    }
  });
}

/** The same command again carries on with what it began, unless somebody is there who would rather not. */
async function carryOn({ id, startedAt, counters }: Run, flags: Globals, shell: Shell): Promise<boolean> {
  if (flags.yes || !mayAsk(flags, shell)) return true;
  const begun = new Date(startedAt).toLocaleString("sv"); // 2026-05-04 13:37:00
  return ask(shell, `Run ${id} of this site, begun ${begun}, is unfinished: ${counters.pages} pages so far. Carry on with it?`, true);
}

async function seedsOf(urls: readonly string[], flags: CrawlFlags, shell: Shell, file: ConfigFile | undefined): Promise<string[]> {
  const typed = urls.filter((url) => url !== "-");
  const listed = await readSeedList({ file: flags.seeds, stdin: urls.includes("-") ? shell.stdin : undefined });
  const seeds = [...typed, ...listed];
  return seeds.length === 0 && file ? sitesIn(file) : seeds;
}
