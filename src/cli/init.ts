import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { Command } from "commander";
import { configFilesIn, dbIn, IGNORE_FILE, nearest, readConfigFile, resolveConfig, SetupError, sitesIn } from "../config/index.ts";
import { checkCrawl } from "../operations/crawl.ts";
import { printable } from "../telemetry/index.ts";
import { openAnswer } from "./answer.ts";
import { converse, mayAsk } from "./ask.ts";
import { newCommand } from "./command.ts";
import type { Globals } from "./globals.ts";
import { outputPath } from "./output.ts";
import { type Shell, write } from "./shell.ts";
import {
  type Answers,
  configText,
  type Every,
  gitIgnoreText,
  ignoreText,
  intervals,
  type Template,
  templates,
  workflowText,
} from "./templates.ts";

interface InitFlags extends Globals {
  readonly site?: string;
  readonly keywords?: string;
  readonly every?: string;
  readonly contact?: string;
}

const CONFIG = "nuthatch.config.yaml";
const WORKFLOW = ".github/workflows/nuthatch.yml";
const names = Object.keys(templates);

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const about = Object.entries(templates).map(([name, template]) => `  ${name.padEnd(14)} ${template.about}`);
  return newCommand("init", "Write a config file for a site by answering four questions. Nothing is ever overwritten.")
    .argument("[template]", `${names.join(", ")}`, "monitor")
    .option("--site <url>", "where to begin")
    .option("--keywords <list>", "what matters to you there, separated by commas")
    .option("--every <when>", `${intervals.join(", ")} (default: weekly)`)
    .option("--contact <url|mail>", "where site owners can reach you")
    .addHelpText(
      "after",
      `
Templates:
${about.join("\n")}

Examples:
  nuthatch init
  nuthatch init --site https://example.org --every weekly --contact you@example.org
  nuthatch init github-action --site https://example.org`,
    )
    .action(async (name: string, flags: InitFlags) => {
      const template = templateNamed(name);
      if (flags.config !== undefined) throw new SetupError(`init writes ${CONFIG}`, "leave out -c");
      const answer = openAnswer(shell, flags, "one");
      const [config] = configFilesIn(shell.cwd);
      refuseIfDone(template, shell.cwd, config);
      const answers = config === undefined ? await answersTo(flags, shell) : await answersIn(config, flags, shell);
      const { written, kept } = await writeAll(shell.cwd, filesOf(template, answers), config);
      const document = { template: name, written, kept, next: template.next };
      const isForPeople = !flags.json && outputPath(flags) === undefined;
      if (!isForPeople) return answer({ document, text: `${written.join("\n")}\n` });
      if (flags.quiet) return;
      await say(shell, [...written.map((path) => `Wrote ${path}`), ...kept.map((path) => `Left ${path} as it is`)]);
      await dryRun(shell);
      await say(shell, ["", ...template.next.map((command, index) => `${index === 0 ? "Next: " : "      "}${command}`)]);
    });
}

const say = (shell: Shell, lines: readonly string[]) => write(shell.stderr, lines.map((line) => `${printable(line, 2000)}\n`).join(""));

function templateNamed(name: string): Template {
  if (Object.hasOwn(templates, name)) return templates[name as keyof typeof templates];
  const near = nearest(name, names);
  throw new SetupError(`there is no template ${name}`, near ? `did you mean nuthatch init ${near}?` : `one of ${names.join(", ")}`);
}

/** The file that a template is about must not be there; any other is left as it is. */
function refuseIfDone(template: Template, folder: string, config: string | undefined): void {
  const there = template.hasWorkflow ? (existsSync(join(folder, WORKFLOW)) ? WORKFLOW : undefined) : config && basename(config);
  if (there !== undefined) throw new SetupError(`${there} is there already, and init overwrites nothing`, "edit it, or move it away first");
}

/** A workflow can be added to a config file, which has answered the other questions. */
async function answersIn(config: string, { every = "" }: InitFlags, shell: Shell): Promise<Answers> {
  const file = await readConfigFile(basename(config), shell.stdin);
  const db = dbIn(file);
  const [site = ""] = sitesIn(file);
  return { site, keywords: [], every: everyIn(every), contact: undefined, db: db && relative(shell.cwd, db) };
}

async function answersTo(flags: InitFlags, shell: Shell): Promise<Answers> {
  const given = {
    site: flags.site === undefined ? undefined : siteIn(flags.site),
    keywords: flags.keywords === undefined ? undefined : wordsIn(flags.keywords),
    every: flags.every === undefined ? undefined : everyIn(flags.every),
    contact: flags.contact === undefined ? undefined : contactIn(flags.contact),
  };
  const { db } = flags;
  if (flags.yes || !mayAsk(flags, shell)) {
    if (given.site === undefined) throw new SetupError("no site was given", "nuthatch init --site https://example.org");
    return { site: given.site, keywords: given.keywords ?? [], every: given.every ?? "weekly", contact: given.contact, db };
  }
  return converse(shell, async (put) => {
    const until = async <T>(question: string, read: (line: string) => T): Promise<T> => {
      for (;;) {
        const line = await put(question);
        try {
          return read(line);
        } catch (error) {
          if (!(error instanceof SetupError)) throw error;
          await say(shell, [`  ${error.message}: ${error.hint}`]);
        }
      }
    };
    return {
      site: given.site ?? (await until("Which site? Its address: ", siteIn)),
      keywords: given.keywords ?? (await until("What matters to you there? Words, with commas (Enter for none): ", wordsIn)),
      every: given.every ?? (await until(`How often? ${intervals.join(", ")} (Enter for weekly): `, everyIn)),
      contact:
        given.contact ??
        (await until("Where can site owners reach you? Mail or URL, sent with each request (Enter for nowhere): ", contactIn)),
      db,
    };
  });
}

const siteIn = (text: string): string => checkCrawl([text], resolveConfig([]))[0]!.url;

const wordsIn = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter(Boolean);

function everyIn(text: string): Every {
  const found = intervals.find((interval) => interval === (text.toLowerCase() || "weekly"));
  if (found) return found;
  const near = nearest(text, intervals);
  throw new SetupError(`${text} is no interval`, near ? `did you mean ${near}?` : intervals.join(", or "));
}

function contactIn(text: string): string | undefined {
  const contact = text.trim() || undefined;
  return resolveConfig([{ from: "the command line", values: { contact }, spell: () => "--contact" }]).contact;
}

function filesOf(template: Template, answers: Answers): [path: string, text: string][] {
  return [
    [CONFIG, configText(template, answers)],
    [IGNORE_FILE, ignoreText],
    [".gitignore", gitIgnoreText(answers.db)],
    ...(template.hasWorkflow ? [[WORKFLOW, workflowText(answers)] as [string, string]] : []),
  ];
}

/** Each file that is not there yet. */
async function writeAll(
  folder: string,
  files: readonly [string, string][],
  config: string | undefined,
): Promise<{ written: string[]; kept: string[] }> {
  const written: string[] = [];
  const kept = config === undefined ? [] : [basename(config)];
  for (const [name, text] of files) {
    if (name === CONFIG && config !== undefined) continue;
    const path = join(folder, name);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text, { flag: "wx" });
      written.push(name);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST")
        throw new SetupError(`cannot write ${name}`, "check the folder's permissions", { cause });
      kept.push(name);
    }
  }
  return { written, kept };
}

/** What a crawl would do, by the crawl command itself. That a site cannot be asked now is no reason to have no config file. */
async function dryRun(shell: Shell): Promise<void> {
  const { build: buildCrawl } = await import("./crawl.ts");
  const crawl = buildCrawl(shell, () => undefined);
  if (!crawl.options.some(({ long }) => long === "--dry-run")) return;
  await say(shell, ["", "A dry run, which asks only for robots.txt, sitemaps and the first page:"]);
  try {
    await crawl.parseAsync(["--dry-run", "--no-input"], { from: "user" });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    await say(shell, [`It could not be done: ${error.message}`]);
  }
}
