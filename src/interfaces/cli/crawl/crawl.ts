import { type Command, Option } from "commander";
import { type Seed, seedsBy, urlsOf } from "../../../core/seed.ts";
import { typedUrls } from "../../../core/typed-url.ts";
import { type Config, type ConfigFile, SetupError, seedGroups, sitesIn } from "../../../engine/config/index.ts";
import { checkBrowsers } from "../../../engine/network-access.ts";
import { checkCrawl, crawl } from "../../../features/crawl/crawl.ts";
import type { Run } from "../../../store/index.ts";
import { askYesNo, canAsk } from "../ask.ts";
import { addConfigFlags, loadConfig, newCommand, requireOwner } from "../command.ts";
import { printAccessNotices } from "../commands/access.ts";
import { openData } from "../commands/stored.ts";
import { refuseUselessFlags } from "../commands/useless-flags.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Globals } from "../globals.ts";
import { checkLog } from "../log.ts";
import { checkOutput, outputPath } from "../output.ts";
import { configFileOf, dbPathOf, type Shell } from "../shell.ts";
import type { DryRunSetup } from "./dry-run.ts";
import { parseFailOn } from "./fail-on.ts";
import { readSeedList } from "./seed-list.ts";
import { type WatchFlags, watch } from "./watch.ts";

interface CrawlFlags extends WatchFlags, Readonly<Record<string, unknown>> {
  readonly seeds?: string;
  readonly resume?: boolean;
  readonly new?: boolean;
  readonly dryRun?: boolean;
  readonly detach?: boolean;
}

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand("crawl", "Crawl one or more sites into the data file. A site that is known is only looked at again.")
    .argument("[url...]", "where to begin; - reads URLs from standard input", typedUrls)
    .option("--seeds <file>", "file with one URL a line")
    .option("--resume", "carry on with an unfinished run of this site (the default; a terminal is asked first)")
    .addOption(new Option("--new", "start a new run even if one is unfinished").conflicts("resume"))
    .addOption(
      new Option("--dry-run", "ask only robots.txt, sitemaps and the seeds, and tell what a crawl would do").conflicts([
        "resume",
        "new",
        "events",
        "failOn",
      ]),
    )
    .addOption(
      new Option("--detach", "hand the crawl over to the server of this data file, and go on").conflicts([
        "dryRun",
        "resume",
        "events",
        "failOn",
        "output",
        "logFile",
      ]),
    )
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
  nuthatch crawl https://example.org --due
  nuthatch crawl https://example.org --render auto
  cat seeds.txt | nuthatch crawl - --rate-limit 30/m`,
  );
  return command.action(async (urls: string[], flags: CrawlFlags, { rawArgs }: { rawArgs: readonly string[] }) => {
    if (flags.config === "-" && urls.includes("-"))
      throw new SetupError("standard input cannot be both the config and the seeds", "put one of them in a file: --seeds seeds.txt");
    const file = await configFileOf(flags, shell);
    const seeds = await seedsOf(urls, flags, shell, file);
    const plans = planRuns(seeds, flags, shell, file);
    for (const { config } of plans) refuseUselessFlags(flags, config);
    if (flags.detach) {
      const groups = plans.map((plan) => urlsOf(plan.seeds));
      return exit(await (await import("./detach.ts")).detach(groups, flags, shell));
    }
    if (!flags.dryRun) checkOutput(flags);
    if (!flags.dryRun) for (const { config } of plans) await checkBrowsers(config);
    checkLog(flags);
    parseFailOn(flags.failOn);
    if (plans.some(({ config }) => !config.respectRobots)) await requireOwner(flags, shell);
    for (const { config, normalized } of plans) printAccessNotices(config, normalized, flags, shell, file);
    const db = dbPathOf(flags, shell, file);
    const realCommand = flags.dryRun ? (await import("../without-dry-run.ts")).commandWithoutDryRun(rawArgs, shell) : "";
    exit(
      await runInSequence(plans, async (plan) =>
        flags.dryRun ? showDryRun({ shell, flags, db, file, realCommand, ...plan }) : crawlOnce(plan, flags, shell, { db, file }),
      ),
    );
  });
}

interface RunPlan {
  readonly seeds: readonly Seed[];
  readonly config: Config;
  /** The normalized seeds, as they are requested. */
  readonly normalized: readonly Seed[];
}

/**
 * Sites with different options in the config file get separate runs, one after the other. All runs are checked before the first one starts.
 */
function planRuns(seeds: readonly Seed[], flags: CrawlFlags, shell: Shell, file: ConfigFile | undefined): RunPlan[] {
  // A seed that is both typed and listed counts as typed.
  const seedByUrl = new Map(seeds.toReversed().map((seed) => [seed.url, seed]));
  const groups = file && seeds.length > 0 ? seedGroups(file, urlsOf(seeds)) : [urlsOf(seeds)];
  const singleRunFlag = flags.json ? "--json" : outputPath(flags) === undefined ? undefined : "-o";
  if (groups.length > 1 && singleRunFlag !== undefined)
    throw new SetupError(
      `${singleRunFlag} is for one run, and ${file?.name} makes ${groups.length} of these sites by their options`,
      `name one of them: nuthatch crawl ${seeds[0]!.url}`,
    );
  return groups.map((group) => {
    const config = loadConfig(flags, shell, file, group);
    const groupSeeds = group.map((url) => seedByUrl.get(url)!);
    return { seeds: groupSeeds, config, normalized: checkCrawl(groupSeeds, config) };
  });
}

/** Runs one plan after the other. A failed run does not prevent the next; Ctrl-C does. Returns the first code other than 0. */
async function runInSequence(plans: readonly RunPlan[], run: (plan: RunPlan) => Promise<number>): Promise<number> {
  let first: number = exitCodes.ok;
  for (const plan of plans) {
    const code = await run(plan);
    first ||= code;
    if (code === exitCodes.interrupted || code === exitCodes.terminated) return code;
  }
  return first;
}

async function showDryRun(setup: DryRunSetup): Promise<number> {
  return setup.config.due ? (await import("./due.ts")).dryRunDue(setup) : (await import("./dry-run.ts")).dryRun(setup);
}

interface DataLocation {
  readonly db: string;
  readonly file: ConfigFile | undefined;
}

async function crawlOnce({ seeds, config }: RunPlan, flags: CrawlFlags, shell: Shell, { db, file }: DataLocation): Promise<number> {
  const app = await openData(db, flags, shell, file);
  try {
    const mode = flags.new ? "new" : flags.resume ? "resume" : "auto";
    const carriesOn = (run: Run) => askToResume(run, flags, shell);
    return await watch({ app, db, shell, flags }, (how) => crawl(app, { seeds, config, mode, carriesOn, ...how }));
  } finally {
    await app.close();
  }
}

/** Repeating a command resumes its unfinished run, unless a person at the terminal declines. */
async function askToResume({ id, startedAt, counters }: Run, flags: Globals, shell: Shell): Promise<boolean> {
  if (flags.yes || !canAsk(flags, shell)) return true;
  const startText = new Date(startedAt).toLocaleString("sv"); // 2026-05-04 13:37:00
  return askYesNo(
    shell,
    `Run ${id} of this site, begun ${startText}, is unfinished: ${counters.pages} pages so far. Carry on with it?`,
    true,
  );
}

async function seedsOf(urls: readonly string[], flags: CrawlFlags, shell: Shell, file: ConfigFile | undefined): Promise<Seed[]> {
  const typed = urls.filter((url) => url !== "-");
  const listed = await readSeedList({ file: flags.seeds, stdin: urls.includes("-") ? shell.stdin : undefined });
  const seeds = [...seedsBy("person", typed), ...seedsBy("list", listed)];
  return seeds.length === 0 && file ? seedsBy("person", sitesIn(file)) : seeds;
}
