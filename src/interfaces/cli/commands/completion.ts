import type { Command } from "commander";
import { SetupError } from "../../../engine/config/index.ts";
import { openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import type { CommandEntry } from "../commands.ts";
import { bashScript, type CompletionEntry, fishScript, zshScript } from "../completion-scripts.ts";
import { type CommandFacts, factsOf } from "../facts.ts";
import type { Globals } from "../globals.ts";
import type { Shell } from "../shell.ts";
import { topics } from "../topics.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
const SHELLS = Object.keys(scripts);

/** The only command that gets the list of all commands. */
export const completionModule = (commands: readonly CommandEntry[]) => ({ build: (shell: Shell) => build(shell, commands) });

function build(shell: Shell, commands: readonly CommandEntry[]): Command {
  return newCommand("completion", "Print a script that teaches your shell to complete commands, flags and their values.")
    .argument("<shell>", SHELLS.join(", "))
    .addHelpText(
      "after",
      `
Examples:
  nuthatch completion bash > ~/.local/share/bash-completion/completions/nuthatch
  nuthatch completion zsh > ~/.zfunc/_nuthatch        (a folder of your fpath)
  nuthatch completion fish > ~/.config/fish/completions/nuthatch.fish`,
    )
    .action(async (name: string, flags: Globals) => {
      const write = scripts[name as keyof typeof scripts];
      if (!write) throw new SetupError(`there is no completion for ${name}`, `one of ${SHELLS.join(", ")}`);
      const answer = openAnswer(shell, flags, flags.json ? "one" : "raw");
      const script = write(await completionEntries(shell, commands));
      await answer({ document: { shell: name, script }, text: script });
    });
}

/** Everything that can follow `nuthatch`, collected from the commands. */
async function completionEntries(shell: Shell, commands: readonly CommandEntry[]): Promise<CompletionEntry[]> {
  const found: CompletionEntry[] = [];
  for (const entry of commands) {
    const { build: buildCommand } = await entry.load();
    const facts = factsOf(buildCommand(shell, () => undefined));
    found.push({ name: entry.name, about: entry.summary, words: wordsOf(entry, facts), flags: allFlags(facts) });
  }
  const helpWords = [...new Set([...commands, ...topics].map(({ name }) => name))];
  const all = { flags: "--all", names: ["--all"], value: "", about: "every flag, in groups", group: "", choices: [], rank: undefined };
  return [...found, { name: "help", about: "help for a command or a topic", words: helpWords, flags: [all] }];
}

/** Placeholders in usage lines, which are not typed literally. */
const NOUNS = new Set(["page", "url", "site", "run", "file", "folder"]);

/** Words that may follow the command: its verbs, or the choices in its usage line. */
function wordsOf({ usage }: CommandEntry, { verbs }: CommandFacts): string[] {
  if (verbs.length > 0) return verbs.map(({ name }) => name);
  const choices = /^\S+ [<[]([\w-]+(?:\|[\w-]+)+)[>\]]/.exec(usage)?.[1]?.split("|") ?? [];
  return choices.some((word) => NOUNS.has(word)) ? [] : choices;
}

function allFlags({ flags, verbs }: CommandFacts): CommandFacts["flags"] {
  const seen = new Set<string>();
  return [...flags, ...verbs.flatMap(allFlags)].filter((flag) => !seen.has(flag.flags) && seen.add(flag.flags));
}
