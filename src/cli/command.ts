import { Command, CommanderError, Option } from "commander";
import {
  type Config,
  envLayer,
  type Field,
  fields,
  fileLayers,
  findConfigFile,
  fromText,
  type Layer,
  resolveConfig,
  SetupError,
} from "../config/index.ts";
import type { Globals, Shell } from "./shell.ts";

/** A command with the flags that all of them share. */
export function newCommand(name: string, summary: string): Command {
  return new Command(`nuthatch ${name}`)
    .summary(summary)
    .description(summary)
    .option("--db <file>", "the data file (default: ./nuthatch.db, or NUTHATCH_DB)")
    .option("--cwd <folder>", "work as if called from this folder")
    .option("--json", "one JSON document on stdout")
    .option("-q, --quiet", "say nothing but errors")
    .option("-v, --verbose", "say more; twice for still more", (_, before: number) => before + 1, 0)
    .addOption(new Option("--color <when>", "auto, always or never").choices(["auto", "always", "never"]).default("auto"))
    .helpOption("-h, --help", "show this help")
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .showHelpAfterError(false);
}

/** Flags people know from elsewhere, and the option each stands for. */
const shortFlags: Record<string, string> = { rateLimit: "--rate", maxConcurrent: "--concurrency" };

const placeholder = (field: Field) =>
  field.choices.length > 0 ? `<${field.choices.join("|")}>` : `<${field.kind === "list" ? "list" : "value"}>`;

/** Every option of the schema as a flag, in its group. */
export function addConfigFlags(command: Command): Command {
  const collect = (text: string, before: string[] | undefined) => [...(before ?? []), text];
  for (const field of fields) {
    if (field.kind === "object") continue;
    const about = `${field.help}${field.fallback === "" || field.kind === "boolean" ? "" : ` (default: ${field.fallback})`}`;
    if (field.kind === "boolean") {
      command.addOption(new Option(field.flag, about).helpGroup(`${field.group}:`));
      continue;
    }
    const option = new Option(`${field.flag} ${placeholder(field)}`, about).helpGroup(`${field.group}:`).argParser(collect);
    command.addOption(option);
    const short = shortFlags[field.key];
    if (short) command.addOption(new Option(`${short} <value>`).argParser(collect).hideHelp());
  }
  return command
    .addOption(new Option("--no-robots", "ignore robots.txt; needs --i-own-this-site").helpGroup("Robots:"))
    .addOption(new Option("--i-own-this-site", "say that you may ignore its robots.txt").helpGroup("Robots:"));
}

/** Ignoring robots.txt is an act of its own, said aloud by whoever may. */
export function needOwner(flags: Readonly<Record<string, unknown>>): void {
  if (flags.iOwnThisSite === true) return;
  throw new SetupError(
    "ignoring robots.txt needs the owner's word",
    "add --i-own-this-site if the site is yours, or leave out --no-robots",
  );
}

/** What was typed, as a layer over everything else. */
export function flagLayer(options: Readonly<Record<string, unknown>>): Layer {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const short = shortFlags[field.key]?.slice(2);
    const given = options[field.key] ?? (short === undefined ? undefined : options[short]);
    if (given === undefined) continue;
    values[field.key] = Array.isArray(given) ? fromText(field, given as string[]) : given;
  }
  if (options.robots === false) values.respectRobots = false;
  return { from: "the command line", values, spell: (key) => fields.find((field) => field.key === key)?.flag ?? key };
}

/** Flags over environment over the config file over what is built in. */
export async function loadConfig(options: Globals & Record<string, unknown>, shell: Shell, seeds: readonly string[] = []): Promise<Config> {
  const path = options.config ?? findConfigFile(shell.cwd);
  const files = path === undefined ? [] : await fileLayers(path, seeds);
  return resolveConfig([...files, envLayer(shell.env), flagLayer(options)]);
}

export { CommanderError };
