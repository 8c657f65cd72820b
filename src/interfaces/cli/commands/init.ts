import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Command } from "commander";
import { configFilesIn, IGNORE_FILE, nearest, refuseUnsafeFile, SetupError } from "../../../engine/config/index.ts";
import { openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import { outputPath } from "../output.ts";
import { paragraph, type Shell, write } from "../shell.ts";
import { type Answers, configText, gitIgnoreText, ignoreText, intervals, type Template, templates, workflowText } from "../templates.ts";
import { answersFromFile, collectAnswers, type InitFlags } from "./init-answers.ts";

const CONFIG_FILE = "nuthatch.config.yaml";
const WORKFLOW_FILE = ".github/workflows/nuthatch.yml";
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
      const template = findTemplate(name);
      if (flags.config !== undefined) throw new SetupError(`init writes ${CONFIG_FILE}`, "leave out -c");
      const answer = openAnswer(shell, flags, "one");
      const [config] = configFilesIn(shell.cwd);
      if (config !== undefined) refuseUnsafeFile(config, shell.cwd);
      refuseIfDone(template, shell.cwd, config);
      const answers = config === undefined ? await collectAnswers(flags, shell) : await answersFromFile(config, flags, shell);
      const { written, kept } = await writeAll(shell.cwd, filesOf(template, answers), config);
      const document = { template: name, written, kept, next: template.next };
      const isForPeople = !flags.json && outputPath(flags) === undefined;
      if (!isForPeople) return answer({ document, text: `${written.join("\n")}\n` });
      if (flags.quiet) return;
      await say(shell, [
        ...written.map((path) => `Wrote ${path}`),
        ...kept.map(
          (path) =>
            `Left ${path} as it is${isIgnored(path, answers.db, shell.cwd) ? "" : `; it should name ${answers.db ?? "nuthatch.db"}*`}`,
        ),
      ]);
      await dryRun(shell);
      await say(shell, ["", ...template.next.map((command, index) => `${index === 0 ? "Next: " : "      "}${command}`)]);
    });
}

const say = (shell: Shell, lines: readonly string[]) => write(shell.stderr, paragraph(lines));

function findTemplate(name: string): Template {
  if (Object.hasOwn(templates, name)) return templates[name as keyof typeof templates];
  const near = nearest(name, names);
  throw new SetupError(`there is no template ${name}`, near ? `did you mean nuthatch init ${near}?` : `one of ${names.join(", ")}`);
}

/** Refuses if the main file of the template exists; other existing files are left unchanged. */
function refuseIfDone(template: Template, folder: string, config: string | undefined): void {
  const existingFile = template.hasWorkflow
    ? existsSync(join(folder, WORKFLOW_FILE))
      ? WORKFLOW_FILE
      : undefined
    : config && basename(config);
  if (existingFile !== undefined)
    throw new SetupError(`${existingFile} is there already, and init overwrites nothing`, "edit it, or move it away first");
}

function filesOf(template: Template, answers: Answers): [path: string, text: string][] {
  return [
    [CONFIG_FILE, configText(template, answers)],
    [IGNORE_FILE, ignoreText],
    [".gitignore", gitIgnoreText(answers.db)],
    ...(template.hasWorkflow ? [[WORKFLOW_FILE, workflowText(answers)] as [string, string]] : []),
  ];
}

/** Writes the files that do not exist yet. */
async function writeAll(
  folder: string,
  files: readonly [string, string][],
  config: string | undefined,
): Promise<{ written: string[]; kept: string[] }> {
  const written: string[] = [];
  const kept = config === undefined ? [] : [basename(config)];
  for (const [name, text] of files) {
    if (name === CONFIG_FILE && config !== undefined) continue;
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

/** Runs `crawl --dry-run`. An unreachable site does not fail init, because the config file is useful anyway. */
async function dryRun(shell: Shell): Promise<void> {
  const { build: buildCrawl } = await import("../crawl/crawl.ts");
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

/** False only for an existing .gitignore that lacks the data file. */
function isIgnored(path: string, db = "nuthatch.db", cwd: string): boolean {
  if (path !== ".gitignore") return true;
  const lines = readFileSync(join(cwd, path), "utf8").split(/\r?\n/);
  return lines.some((line) => line.trim().replace(/^\//, "") === `${db}*`);
}
