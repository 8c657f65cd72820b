import picocolors from "picocolors";
import { wantsColour } from "./colour.ts";
import { type CommandEntry, commands } from "./commands.ts";
import { startPageCommands } from "./common-flags.ts";
import type { CommandFacts, FlagFacts } from "./facts.ts";
import { takesValue } from "./globals.ts";
import { columnOf, helpWidth, type Row, twoColumns, wrap } from "./layout.ts";
import type { Shell } from "./shell.ts";
import type { Topic } from "./topics.ts";

export interface HelpStyle {
  readonly width: number;
  readonly bold: (text: string) => string;
}

export type HelpSize = "short" | "whole";

/** `-h` and `--help` select the short help, `-hh` the full help; arguments after `--` are ignored. */
export function requestedHelp(args: readonly string[]): HelpSize | undefined {
  const ownArgs = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (ownArgs.includes("-hh")) return "whole";
  return ownArgs.includes("-h") || ownArgs.includes("--help") ? "short" : undefined;
}

/** `nuthatch` without arguments: the commands to start with. */
export function startPage(style: HelpStyle): string {
  const shown = startPageCommands.flatMap((name) => commands.filter((command) => command.name === name));
  const rows = (entry: CommandEntry): Row => [`nuthatch ${shortUsage(entry.usage)}`, entry.summary];
  return page([
    ...wrap("A polite, incremental web crawler. All it finds is in one SQLite file.", style.width),
    "",
    ...byGroup(shown, rows, style),
    "",
    ...wrap("All commands: nuthatch help. More on one: nuthatch crawl -h. Try: nuthatch demo", style.width),
  ]);
}

/** `nuthatch help`, and `nuthatch help <command|topic>`. */
export async function help(args: readonly string[], shell: Shell): Promise<number> {
  const known = [...takesValue.keys(), "-h", "-hh", "--help", "--all"];
  const invalid = args.find((arg) => arg.startsWith("-") && !known.includes(arg.replace(/=.*/, "")));
  if (invalid !== undefined) throw await unknownFlag(invalid, known);
  const { topics } = await import("./topics.ts");
  const isJson = args.includes("--json");
  const style = helpStyleOf(args, shell);
  const say = (text: string, document: object) =>
    void shell.stdout.write(isJson ? `${JSON.stringify({ schemaVersion: 1, ...document }, null, 2)}\n` : text);
  const [name, ...verbs] = wordsOf(args);
  const topic = topics.find((each) => each.name === name);
  const entry = commands.find((each) => each.name === name);
  if (name === undefined || name === "help") {
    const list = commands.map(({ load: _, ...facts }) => facts);
    say(overviewPage(style, topics), { commands: list, topics: topics.map(({ name: word, summary }) => ({ name: word, summary })) });
  } else if (topic || entry) {
    const text = topic && topicPage(topic, style);
    const facts = entry && (await factsFor(entry, verbs, shell));
    const size = args.includes("--all") ? "whole" : (requestedHelp(args) ?? "short");
    const parts = [...(text ? [text] : []), ...(facts ? [commandPage(facts, size, style)] : [])];
    say(parts.join("\n"), { ...(text ? { topic: name, text } : {}), ...(facts ? { command: facts } : {}) });
  } else throw await unknownTopic(name, [...commands, ...topics]);
  return 0;
}

async function factsFor(entry: CommandEntry, words: readonly string[], shell: Shell): Promise<CommandFacts> {
  const [{ build }, { factsOf }] = await Promise.all([entry.load(), import("./facts.ts")]);
  const command = build(shell, () => undefined);
  return factsOf(command.commands.find((verb) => words.includes(verb.name())) ?? command);
}

/** Prints the help of a command, or of its verb if that is among the words. */
export async function commandHelp(entry: CommandEntry, words: readonly string[], size: HelpSize, shell: Shell): Promise<number> {
  shell.stdout.write(commandPage(await factsFor(entry, words, shell), size, helpStyleOf(words, shell)));
  return 0;
}

export function commandPage(facts: CommandFacts, size: HelpSize, style: HelpStyle): string {
  const sections: [title: string, rows: readonly Row[]][] = [
    ["Arguments", facts.args.map(({ name, about }) => [name, about])],
    ["Commands", facts.verbs.map(({ name, about }) => [name, about])],
    ...flagSections(facts.flags, size),
  ];
  const column = columnOf(
    sections.flatMap(([, rows]) => rows),
    style.width,
  );
  return page([
    `Usage: ${facts.usage}`,
    "",
    ...wrap(facts.about, style.width),
    ...sections.flatMap(([title, rows]) =>
      rows.length === 0 ? [] : ["", style.bold(`${title}:`), ...twoColumns(rows, style.width, column)],
    ),
    ...(size === "whole" ? legend(facts.flags, style) : []),
    ...(facts.after.length > 0 ? ["", ...facts.after.map((line) => (/^[A-Z].*:$/.test(line) ? style.bold(line) : line))] : []),
  ]);
}

function flagSections(flags: readonly FlagFacts[], size: HelpSize): [title: string, rows: Row[]][] {
  const rows = (some: readonly FlagFacts[]): Row[] => some.map(({ flags: term, about }) => [term, about]);
  if (size === "whole")
    return [...new Set(flags.map(({ group }) => group))].map((name) => [name, rows(flags.filter(({ group }) => group === name))]);
  const usual = flags.filter(({ rank }) => rank !== undefined).sort((a, b) => a.rank! - b.rank!);
  return [["Options", rows(usual)]];
}

const UNITS: readonly Row[] = [
  ["time", "500ms, 10s, 5m, 2h or 1d"],
  ["size", "500KB, 10MB or 1GB"],
  ["rate", "1/s, 30/m or none"],
  ["list", "words with commas, or the flag again"],
  ["pattern", "one glob or /regex/ with its commas, the flag again for more"],
  ["line", "one whole line, the flag again for more"],
];

/** Explains the placeholders of amounts. */
function legend(flags: readonly FlagFacts[], { width }: HelpStyle): string[] {
  const used = UNITS.filter(([unit]) => flags.some(({ value }) => value === unit));
  if (used.length === 0) return [];
  return ["", ...wrap(used.map(([unit, forms]) => `<${unit}> is ${forms}`).join("; "), width)];
}

export function topicPage({ name, summary, body }: Topic, style: HelpStyle): string {
  const parts = body.flatMap((part) => ["", ...(typeof part === "string" ? wrap(part, style.width) : twoColumns(part, style.width))]);
  return page([...wrap(`${name}: ${summary}`, style.width).map(style.bold), ...parts]);
}

function overviewPage(style: HelpStyle, topics: readonly Topic[]): string {
  return page([
    ...byGroup(commands, ({ usage, summary }) => [`nuthatch ${usage}`, summary], style),
    "",
    style.bold("Topics"),
    ...twoColumns(
      topics.map(({ name, summary }) => [`nuthatch help ${name}`, summary]),
      style.width,
    ),
    "",
    ...wrap("nuthatch <command> -h shows its usual flags, -hh all of them.", style.width),
  ]);
}

/** The name and its first required argument: `crawl <url…>`, `export`. */
const shortUsage = (usage: string) => /^\S+( <[^|>]{1,10}>)?/.exec(usage)![0];

function byGroup(entries: readonly CommandEntry[], row: (entry: CommandEntry) => Row, { width, bold }: HelpStyle): string[] {
  const groups = [...new Set(entries.map(({ group }) => group))];
  const column = columnOf(entries.map(row), width);
  return groups.flatMap((name) => [bold(name), ...twoColumns(entries.filter(({ group }) => group === name).map(row), width, column)]);
}

/** Width and colours. Help is printed before flags are parsed, so it searches the arguments for the colour flags. */
export function helpStyleOf(args: readonly string[], shell: Shell): HelpStyle {
  const at = args.findIndex((arg) => /^--color(=|$)/.test(arg));
  const colorValue = args[at]?.split("=")[1] ?? (at < 0 ? undefined : args[at + 1]);
  const color = !args.includes("--no-color") && ((["always", "never"] as const).find((word) => word === colorValue) ?? "auto");
  const colour = wantsColour({ color, json: args.includes("--json") }, shell, shell.stdout);
  return { width: helpWidth(shell.stdout.columns), bold: picocolors.createColors(colour).bold };
}

/** Arguments that are neither a flag nor a flag's value. */
function wordsOf(args: readonly string[]): string[] {
  return args.filter((arg, index) => !arg.startsWith("-") && takesValue.get(args[index - 1] ?? "") !== true);
}

export async function unknownFlag(flag: string, known: readonly string[]): Promise<Error> {
  const { nearest, SetupError } = await import("../../engine/config/index.ts");
  const near = nearest(flag, known);
  return new SetupError(`there is no flag ${flag}`, near ? `did you mean ${near}?` : "nuthatch <command> -hh lists them");
}

async function unknownTopic(name: string, known: readonly { readonly name: string }[]): Promise<Error> {
  const { nearest, SetupError } = await import("../../engine/config/index.ts");
  const near = nearest(
    name,
    known.map((each) => each.name),
  );
  return new SetupError(`there is no command or topic ${name}`, near ? `did you mean nuthatch help ${near}?` : "nuthatch help lists them");
}

const page = (lines: readonly string[]) => `${lines.join("\n")}\n`;
