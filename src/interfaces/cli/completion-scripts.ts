import type { FlagFacts } from "./facts.ts";
import { takesValue } from "./globals.ts";

export interface CompletionEntry {
  readonly name: string;
  readonly about: string;
  readonly words: readonly string[];
  readonly flags: readonly FlagFacts[];
}

const isFile = ({ value }: FlagFacts) => /^(file|folder|path)$/.test(value);
const namesOf = (flags: readonly FlagFacts[]) => flags.flatMap(({ names }) => names);

/** Flags that take a value: the next word is neither a command nor a flag. */
function flagsWithValue(commands: readonly CompletionEntry[]): string {
  const names = commands.flatMap(({ flags }) => flags.filter(({ value }) => value !== "").flatMap((flag) => flag.names));
  return [...new Set(names)].join("|");
}

/** Flags that take a file, of all commands. */
function flagsWithFile(commands: readonly CompletionEntry[], prefix: string): string {
  const names = commands.flatMap(({ flags }) => flags.filter(isFile).flatMap((flag) => flag.names));
  return [...new Set(names)].map((name) => prefix + name).join("|");
}

/** One line for each flag with choices; shared by all commands if their choices are the same. */
function choiceLines(commands: readonly CompletionEntry[], line: (pattern: string, choices: string) => string): string[] {
  const all = commands.flatMap(({ name, flags }) => flags.map((flag) => ({ name, flag, choices: flag.choices.join(" ") })));
  const hasSameChoices = (flags: string, choices: string) => all.every((each) => each.flag.flags !== flags || each.choices === choices);
  const lines = all
    .filter(({ choices }) => choices !== "")
    .map(({ name, flag, choices }) =>
      line(flag.names.map((each) => `${hasSameChoices(flag.flags, choices) ? "*" : name}:${each}`).join("|"), choices),
    );
  return [...new Set(lines)];
}

/** Finds the command among the words before the cursor, skipping flags and their values. */
const findCommand = (commands: readonly CompletionEntry[], words: string, from: number, end: string) => `  local command= more= i
  for ((i = ${from}; i < ${end}; i++)); do
    case \${${words}[i]} in
      ${flagsWithValue(commands)}) ((i++)) ;;
      -*) ;;
      *) if [[ -z $command ]]; then command=\${${words}[i]}; else more=yes; fi ;;
    esac
  done`;

const globals = () => [...takesValue.keys(), "-h", "--help", "-V", "--version"].join(" ");

export const bashScript = (commands: readonly CompletionEntry[]): string => `# Completion of nuthatch for bash. To have it in every shell:
#   nuthatch completion bash > ~/.local/share/bash-completion/completions/nuthatch
# To have it in this one: source <(nuthatch completion bash)
_nuthatch() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=
  # Bash takes --flag=value for three words.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
${findCommand(commands, "COMP_WORDS", 1, "COMP_CWORD")}
  COMPREPLY=()
  case $command:$prev in
${choiceLines(commands, (pattern, choices) => `    ${pattern}) COMPREPLY=($(compgen -W "${choices}" -- "$cur")); return ;;`).join("\n")}
    ${flagsWithFile(commands, "*:")}) compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    ${flagsWithValue(commands)
      .split("|")
      .map((name) => `*:${name}`)
      .join("|")}) return ;;
  esac
  if [[ $cur == -* ]]; then
    case $command in
${commands.map(({ name, flags }) => `      ${name}) words="${namesOf(flags).join(" ")}" ;;`).join("\n")}
      *) words="${globals()}" ;;
    esac
  elif [[ -z $more ]]; then
    case $command in
      "") words="${commands.map(({ name }) => name).join(" ")}" ;;
${commands
  .filter(({ words }) => words.length > 0)
  .map(({ name, words }) => `      ${name}) words="${words.join(" ")}" ;;`)
  .join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _nuthatch nuthatch
`;

/** In single quotes, which all three shells understand. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** \`name:description\`, the format of zsh's _describe. */
const zshEntry = (name: string, about: string) => quoted(`${name.replaceAll(":", "\\:")}:${about}`);

export const zshScript = (commands: readonly CompletionEntry[]): string => `#compdef nuthatch
# Completion of nuthatch for zsh. To have it in every shell, in a folder of your fpath:
#   nuthatch completion zsh > ~/.zfunc/_nuthatch
# To have it in this one: source <(nuthatch completion zsh)
_nuthatch() {
  local -a found
${findCommand(commands, "words", 2, "CURRENT")}
  case $command:\${words[CURRENT-1]} in
${choiceLines(commands, (pattern, choices) => `    ${pattern}) compadd -- ${choices}; return ;;`).join("\n")}
    ${flagsWithFile(commands, "*:")}) _files; return ;;
    ${flagsWithValue(commands)
      .split("|")
      .map((name) => `*:${name}`)
      .join("|")}) return ;;
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    case $command in
${commands
  .map(
    ({ name, flags }) =>
      `      ${name}) found=(${flags.flatMap(({ names, about }) => names.map((each) => zshEntry(each, about))).join(" ")}) ;;`,
  )
  .join("\n")}
      *) found=(${globals()}) ;;
    esac
    _describe -o flag found
  elif [[ -z $more ]]; then
    case $command in
      "") found=(${commands.map(({ name, about }) => zshEntry(name, about)).join(" ")}) ;;
${commands
  .filter(({ words }) => words.length > 0)
  .map(({ name, words }) => `      ${name}) found=(${words.join(" ")}) ;;`)
  .join("\n")}
    esac
    _describe word found
  fi
}
if [[ \${funcstack[1]} == _nuthatch ]]; then _nuthatch "$@"; else compdef _nuthatch nuthatch; fi
`;

export const fishScript = (commands: readonly CompletionEntry[]): string => {
  const lines = commands.flatMap(({ name, about, words, flags }) => [
    `complete -c nuthatch -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
    ...(words.length > 0 ? [`complete -c nuthatch -n '__fish_seen_subcommand_from ${name}' -a ${quoted(words.join(" "))}`] : []),
    ...flags.map((flag) => `complete -c nuthatch -n '__fish_seen_subcommand_from ${name}' ${fishFlag(flag)}`),
  ]);
  return `# Completion of nuthatch for fish. To have it in every shell:
#   nuthatch completion fish > ~/.config/fish/completions/nuthatch.fish
# To have it in this one: nuthatch completion fish | source
complete -c nuthatch -f
${lines.join("\n")}
`;
};

function fishFlag(flag: FlagFacts): string {
  const names = flag.names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const value = flag.value === "" ? [] : isFile(flag) ? ["-r -F"] : [`-x -a ${quoted(flag.choices.join(" "))}`];
  return [...names, ...value, `-d ${quoted(flag.about)}`].join(" ");
}
