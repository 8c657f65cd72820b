/** Values of the global flags. */
export interface Globals {
  readonly config?: string;
  readonly db?: string;
  readonly bodies?: string;
  readonly json?: boolean;
  readonly output?: string;
  readonly replace?: string;
  readonly append?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: number;
  readonly logFormat?: "pretty" | "json";
  readonly logFile?: string;
  readonly progress?: "plain" | boolean;
  readonly color?: "auto" | "always" | "never" | false;
  readonly input?: boolean;
  readonly yes?: boolean;
}

export interface GlobalFlag {
  readonly flags: string;
  readonly about: string;
  readonly choices?: readonly string[];
  readonly conflicts?: string[];
}

/** Plain data, so that the program can find the command's name before any module is loaded. */
export const globalFlags: readonly GlobalFlag[] = [
  {
    flags: "-c, --config <file>",
    about:
      "options in a file, - for YAML or JSON on stdin (default: nuthatch.config.ts, .js, .json or .yaml, here or above in the project, if it is yours alone)",
  },
  { flags: "--db <file>", about: "the data file, or postgres://… (default: NUTHATCH_DB, else db in the config file, else ./nuthatch.db)" },
  {
    flags: "--bodies <folder>",
    about: "with a shared database: where its workers keep bodies of pages (default: NUTHATCH_BODIES, else in it)",
  },
  { flags: "--cwd <folder>", about: "work as if called from this folder" },
  { flags: "--json", about: "one JSON document on stdout; no colour, no questions" },
  { flags: "-o, --output <file>", about: "write to a file, its format by its ending; refuses to overwrite" },
  { flags: "-O, --replace <file>", about: "like -o, but replaces the file", conflicts: ["output", "append"] },
  { flags: "--append", about: "with -o: add to the file, if it is .jsonl or .csv" },
  { flags: "-q, --quiet", about: "say nothing but errors" },
  { flags: "-v, --verbose", about: "log what came of each visit; -vv: and of each link" },
  { flags: "--log-format <how>", about: "pretty or json (default: pretty on a terminal, else json)", choices: ["pretty", "json"] },
  { flags: "--log-file <file>", about: "log to this file, whether -v or not" },
  { flags: "--progress <how>", about: "plain: a line every ten seconds, also on a terminal", choices: ["plain"] },
  { flags: "--no-progress", about: "no live view and no progress lines" },
  { flags: "--color <when>", about: "auto, always or never (default: auto)", choices: ["auto", "always", "never"] },
  { flags: "--no-color", about: "no colours, like --color never" },
  { flags: "--no-input", about: "never ask a question" },
  { flags: "-y, --yes", about: "answer questions with yes, except whether a site is yours" },
];

const spellings = (flags: string) => flags.replace(/ <.*/, "").split(", ");

/** Every spelling of a global flag, and whether it takes a value. */
export const takesValue: ReadonlyMap<string, boolean> = new Map(
  globalFlags.flatMap(({ flags }) => spellings(flags).map((spelling) => [spelling, flags.includes("<")] as const)),
);
