import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import {
  type Config,
  type ConfigFile,
  envLayer,
  type Field,
  fields,
  fileLayers,
  fromText,
  ignoreLayers,
  itemOf,
  keywordLines,
  type Layer,
  proxyLayer,
  resolveConfig,
  SetupError,
} from "../../engine/config/index.ts";
import { askYesNo, canAsk } from "./ask.ts";
import { GLOBAL_GROUP } from "./facts.ts";
import { type GlobalFlag, type Globals, globalFlags } from "./globals.ts";
import type { Shell } from "./shell.ts";

/** A command with the global flags, which its help lists last. */
export function newCommand(name: string, summary: string): Command {
  const command = new Command(`nuthatch ${name}`)
    .summary(summary)
    .description(summary)
    .addHelpOption(new Option("-h, --help", "show the usual flags; -hh: every flag, in groups").helpGroup(GLOBAL_GROUP))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .showHelpAfterError(false);
  for (const flag of globalFlags) command.addOption(globalOption(flag));
  return command;
}

function globalOption({ flags, about, choices, conflicts = [] }: GlobalFlag): Option {
  const option = new Option(flags, about).helpGroup(GLOBAL_GROUP).conflicts(conflicts);
  if (option.attributeName() === "verbose") return option.argParser((_, before: number) => before + 1).default(0);
  if (!choices) return option;
  return option.choices(choices).argParser((text: string) => {
    if (choices.includes(text)) return text;
    throw new SetupError(`${option.long} cannot be ${text}`, `${option.long} ${choices.join(", or ")}`);
  });
}

/** Short names of flags that are common in other tools, with the option each stands for. */
const shortFlags: Record<string, string> = { rateLimit: "--rate", maxConcurrent: "--concurrency" };

/**
 * Sample values that determine the placeholder of a flag: the first one the schema accepts gives the name. A field that accepts all of them
 * is plain text.
 */
const UNITS: readonly (readonly [name: string, sample: unknown])[] = [
  ["url", "http://proxy.test:8080"],
  ["rate", "30/m"],
  ["time", "10s"],
  ["size", "10MB"],
  ["n", 2],
];

function placeholder(field: Field): string {
  const { choices, kind, schema } = field;
  if (choices.length > 0) return `<${choices.join("|")}>`;
  if (kind === "list") return `<${itemOf(field)}>`;
  const unit = schema.safeParse("?").success ? undefined : UNITS.find(([, sample]) => schema.safeParse(sample).success);
  return `<${unit?.[0] ?? "text"}>`;
}

/** Options without a meaning for a request to one URL: commands that make no other refuse them instead of ignoring them. */
const crawlGroups: ReadonlySet<string> = new Set(["Incremental", "Relevance", "Model"]);
const crawlKeys: ReadonlySet<string> = new Set([
  "scope",
  "include",
  "skipExtensions",
  "maxDepth",
  "maxComponents",
  "maxLength",
  "maxParams",
  "trapGuard",
  "maxConcurrent",
  "perHost",
  "order",
  "seed",
  "maxPages",
  "maxBytes",
  "sitemap",
  "maxSitemaps",
  "save",
  "decisions",
  "readers",
]);

export const isCrawlOnly = ({ key, group }: Pick<Field, "key" | "group">): boolean => crawlGroups.has(group) || crawlKeys.has(key);

/** Adds a flag for every option of the schema, in its group; or for those that a request to one URL obeys. */
export function addConfigFlags(command: Command, reach: "crawl" | "one URL" = "crawl"): Command {
  const collect = (text: string, before: string[] | undefined) => [...(before ?? []), text];
  for (const field of fields) {
    if (field.kind === "object" || (reach === "one URL" && isCrawlOnly(field))) continue;
    if (field.key === "keywords") {
      addKeywordFlags(command, field, collect);
      continue;
    }
    const short = shortFlags[field.key];
    const about = `${field.help}${short ? `; also ${short}` : ""}${field.fallback === "" || field.kind === "boolean" ? "" : ` (default: ${field.fallback})`}`;
    if (field.kind === "boolean") {
      command.addOption(new Option(field.flag, about).helpGroup(`${field.group}:`));
      continue;
    }
    const option = new Option(`${field.flag} ${placeholder(field)}`, about).helpGroup(`${field.group}:`).argParser(collect);
    command.addOption(option);
    if (short) command.addOption(new Option(`${short} <value>`).argParser(collect).hideHelp());
  }
  return command
    .hook("preAction", (_, called) => trustTypedEndpoint(called.opts().llmUrl as string[] | undefined))
    .addOption(new Option("--no-enhance", "Leave metadata out: a faster crawl and a smaller file").helpGroup("Metadata:"))
    .addOption(
      new Option("--no-robots", "Ignore robots.txt; needs --i-own-this-site, or your yes when asked (-y does not give it)").helpGroup(
        "Robots:",
      ),
    )
    .addOption(new Option("--i-own-this-site", "Say that you may ignore its robots.txt").helpGroup("Robots:"));
}

/** A typed endpoint counts as trusted, like one set in the environment beside the key. */
function trustTypedEndpoint(typed: readonly string[] | undefined): void {
  const address = typed?.at(-1);
  const variable = fields.find(({ key }) => key === "llmUrl")?.env;
  if (address !== undefined && variable !== undefined) process.env[variable] = address;
}

type Collect = (text: string, before: string[] | undefined) => string[];

function addKeywordFlags(command: Command, { help, group, flag }: Field, collect: Collect): void {
  command
    .addOption(new Option("-k, --keyword <word[=weight]>", help).helpGroup(`${group}:`).argParser(collect))
    .addOption(new Option(`${flag} <file>`, "The same, one a line").helpGroup(`${group}:`).argParser(collect));
}

/** Keywords of the flags: those from files first, so that typed ones override them. */
function readKeywordFlags({ keyword = [], keywords = [] }: Readonly<Record<string, unknown>>): string[] | undefined {
  const listed = (keywords as string[]).flatMap((path) => keywordLines(readFlagFile(path, "--keywords")));
  const words = [...listed, ...(keyword as string[])];
  return words.length === 0 ? undefined : words;
}

export function readFlagFile(path: string, flag: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new SetupError(`cannot read ${path}`, `check ${flag}`, { cause });
  }
}

/** Ignoring robots.txt needs its own confirmation by the owner of the site; `-y` does not imply it. */
export async function requireOwner(flags: Globals & Readonly<Record<string, unknown>>, shell: Shell): Promise<void> {
  if (flags.iOwnThisSite === true) return;
  if (canAsk(flags, shell)) {
    const isOwner = await askYesNo(shell, "robots.txt would be ignored. Is this site yours, or does its owner allow it?", false);
    if (isOwner) return;
  }
  throw new SetupError(
    "ignoring robots.txt needs the owner's word",
    "add --i-own-this-site if the site is yours, or leave out --no-robots",
  );
}

/** The flags as a config layer with the highest precedence. */
export function flagLayer(options: Readonly<Record<string, unknown>>): Layer {
  const values: Record<string, unknown> = {};
  const keywords = readKeywordFlags(options);
  if (keywords) values.keywords = keywords;
  for (const field of fields) {
    if (field.key === "keywords") continue;
    const short = shortFlags[field.key]?.slice(2);
    const given = options[field.key] ?? (short === undefined ? undefined : options[short]);
    if (given === undefined) continue;
    values[field.key] = Array.isArray(given) ? fromText(field, given as string[]) : given;
  }
  if (options.robots === false) values.respectRobots = false;
  return {
    from: "the command line",
    values,
    spell: (key) => (key === "keywords" ? "--keyword" : (fields.find((field) => field.key === key)?.flag ?? key)),
  };
}

/** Flags override the environment, which overrides the config file, which overrides the defaults. */
export const loadConfig = (...given: Parameters<typeof layersOf>): Config => resolveConfig(layersOf(...given));

/** All config layers, by rising precedence. */
export function layersOf(
  options: Readonly<Record<string, unknown>>,
  shell: Shell,
  file: ConfigFile | undefined,
  seeds: readonly string[],
): Layer[] {
  const files = file === undefined ? [] : fileLayers(file, seeds, shell.env);
  return [proxyLayer(shell.env), ...files, envLayer(shell.env), flagLayer(options), ...ignoreLayers(shell.cwd, file?.folder)];
}
