import type { EventEmitter } from "node:events";
import type { Command, Option } from "commander";
import { commonFlags, usualFlags } from "./common-flags.ts";

/** A flag as plain data; used by help, completion and the reference. */
export interface FlagFacts {
  /** As typed, with its placeholder: `-o, --output <file>`. */
  readonly flags: string;
  readonly names: readonly string[];
  /** Its placeholder: `file`, `n`, `on|off`; empty for a switch. */
  readonly value: string;
  readonly about: string;
  readonly group: string;
  readonly choices: readonly string[];
  /** Position in the short help; undefined if only the full help shows it. */
  readonly rank: number | undefined;
}

type Unranked = Omit<FlagFacts, "rank">;

export interface CommandFacts {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  readonly args: readonly { readonly name: string; readonly about: string }[];
  readonly flags: readonly FlagFacts[];
  readonly verbs: readonly CommandFacts[];
  /** Examples and other text after the flags, as lines. */
  readonly after: readonly string[];
}

/** Group of a command's own flags. */
export const OWN_GROUP = "Options";
export const GLOBAL_GROUP = "Global";

export function factsOf(command: Command): CommandFacts {
  const help = command.createHelp();
  const name = command.name().replace(/^nuthatch /, "");
  const flags = help.visibleOptions(command).map(flagFacts);
  const verbs = help.visibleCommands(command).filter((verb) => verb.name() !== "help");
  return {
    name,
    usage: help.commandUsage(command),
    about: help.commandDescription(command),
    args: help.visibleArguments(command).map((argument) => ({ name: argument.name(), about: help.argumentDescription(argument) })),
    flags: inOrder(flags).map((flag) => ({ ...flag, rank: rankOf(name, flag) })),
    verbs: verbs.map(factsOf),
    after: helpTextAfter(command),
  };
}

/** Text added by `addHelpText`, which commander keeps as event listeners. */
function helpTextAfter(command: Command): string[] {
  let text = "";
  const write = (part: string) => {
    text += part;
  };
  (command as unknown as EventEmitter).emit("afterHelp", { error: false, command, write });
  return text === "" ? [] : text.trim().split("\n");
}

function flagFacts(option: Option): Unranked {
  const value = /[<[]([^>\]]+)[>\]]$/.exec(option.flags)?.[1] ?? "";
  const fallback = value !== "" && option.defaultValue !== undefined ? ` (default: ${String(option.defaultValue)})` : "";
  return {
    flags: option.flags,
    names: [option.short, option.long].filter((name) => name !== undefined),
    value,
    about: option.description.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()) + fallback,
    group: option.helpGroupHeading?.replace(/:$/, "") ?? OWN_GROUP,
    choices: option.argChoices ?? (value.includes("|") ? value.split("|") : []),
  };
}

/** A command's own flags first, global flags last. */
function inOrder<T extends { readonly group: string }>(flags: readonly T[]): T[] {
  const groupRank = ({ group }: T) => (group === OWN_GROUP ? 0 : group === GLOBAL_GROUP ? 2 : 1);
  return flags.toSorted((a, b) => groupRank(a) - groupRank(b));
}

function rankOf(command: string, { names, group }: Unranked): number | undefined {
  const listed = commonFlags[command];
  const usual = usualFlags.findIndex((flag) => names.includes(flag));
  if (usual >= 0) return 100 + usual;
  if (!listed) return group === OWN_GROUP ? 0 : undefined;
  const groupRank = listed.findIndex((flag) => names.includes(flag));
  return groupRank < 0 ? undefined : groupRank;
}
