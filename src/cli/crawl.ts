import { type Command, Option } from "commander";
import { openApp } from "../app.ts";
import { findConfigFile, sitesIn } from "../config/index.ts";
import { checkCrawl, crawl } from "../operations/crawl.ts";
import { addConfigFlags, loadConfig, needOwner, newCommand } from "./command.ts";
import { addOutputFlags, checkOutput } from "./output.ts";
import { readSeedList } from "./seed-list.ts";
import { dbPathOf, type Globals, type Shell } from "./shell.ts";
import { type WatchOptions, watch } from "./watch.ts";

interface CrawlFlags extends Globals, WatchOptions {
  readonly seeds?: string;
  readonly resume?: boolean;
  readonly new?: boolean;
  readonly robots?: boolean;
  readonly iOwnThisSite?: boolean;
}

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand("crawl", "Crawl one or more sites into the data file. A site that is known is only looked at again.")
    .argument("[url...]", "where to begin; - reads URLs from standard input")
    .option("-c, --config <file>", "config file (default: nuthatch.config.json or .js, found upward)")
    .option("--seeds <file>", "file with one URL a line")
    .option("--resume", "carry on with an unfinished run of this site (done by default if there is one)")
    .addOption(new Option("--new", "start a new run even if one is unfinished").conflicts("resume"))
    .option("--events", "what happens, as JSON lines on stdout")
    .option("--log-file <file>", "what becomes of each URL, as JSON lines in a file")
    .option("--progress <how>", "plain: a line every ten seconds, also on a terminal")
    .option("--no-progress", "no live view and no progress lines");
  addOutputFlags(addConfigFlags(command));
  command.addHelpText(
    "after",
    `
Examples:
  nuthatch crawl https://example.org
  nuthatch crawl https://example.org --max-depth 3 --exclude '/calendar/**'
  nuthatch crawl https://example.org -o pages.jsonl
  cat seeds.txt | nuthatch crawl - --rate-limit 30/m`,
  );
  return command.action(async (urls: string[], flags: CrawlFlags & Record<string, unknown>) => {
    const seeds = await seedsOf(urls, flags, shell);
    const config = await loadConfig(flags, shell, seeds);
    if (!config.respectRobots) needOwner(flags);
    checkCrawl(seeds, config);
    checkOutput(flags);
    const db = dbPathOf(flags, shell);
    const app = await openApp({ db });
    try {
      const mode = flags.new ? "new" : flags.resume ? "resume" : "auto";
      exit(await watch({ app, db, shell, flags }, (how) => crawl(app, { seeds, config, mode, ...how })));
    } finally {
      await app.close();
    }
  });
}

async function seedsOf(urls: readonly string[], flags: CrawlFlags, shell: Shell): Promise<string[]> {
  const typed = urls.filter((url) => url !== "-");
  const listed = await readSeedList({ file: flags.seeds, stdin: urls.includes("-") ? shell.stdin : undefined });
  const seeds = [...typed, ...listed];
  if (seeds.length > 0) return seeds;
  const path = flags.config ?? findConfigFile(shell.cwd);
  return path === undefined ? [] : sitesIn(path);
}
