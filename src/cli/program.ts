import { VERSION } from "../version.ts";
import { type CommandEntry, commands } from "./commands.ts";
import type { Shell } from "./shell.ts";

/** Flags that may stand before the command and take a value with them. */
const VALUED = new Set(["--db", "--cwd", "--progress", "-c", "--config", "--color", "-o", "-O", "--output"]);

/** Finds the command, loads it alone, and turns whatever goes wrong into three lines and a code. */
export async function runCli(argv: readonly string[], shell: Shell): Promise<number> {
  // `nuthatch pages | head` closes our stdout early, and that is fine.
  shell.stdout.on("error", (cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EPIPE") throw cause;
    process.exit(0);
  });
  const folder = argv[argv.indexOf("--cwd") + 1];
  if (argv.includes("--cwd") && folder !== undefined) return runIn(folder, argv, shell);
  const at = commandIndex(argv);
  const name = argv[at];
  if (name === undefined || name === "help") return general(argv, argv[at + 1], shell);
  const entry = commands.find((command) => command.name === name);
  try {
    if (!entry) throw await unknownCommand(name);
    const code = await runCommand(entry, [...argv.slice(0, at), ...argv.slice(at + 1)], shell);
    return code;
  } catch (cause) {
    const { report } = await import("./errors.ts");
    return report(cause, shell, { isVerbose: argv.includes("-v") || argv.includes("--verbose"), isJson: argv.includes("--json") });
  }
}

/** As if it had been called from that folder. */
async function runIn(folder: string, argv: readonly string[], shell: Shell): Promise<number> {
  const at = argv.indexOf("--cwd");
  try {
    process.chdir(folder);
  } catch (cause) {
    const [{ report }, { SetupError }] = await Promise.all([import("./errors.ts"), import("../config/index.ts")]);
    return report(new SetupError(`cannot work in ${folder}`, "check --cwd", { cause }), shell, {
      isVerbose: false,
      isJson: argv.includes("--json"),
    });
  }
  return runCli([...argv.slice(0, at), ...argv.slice(at + 2)], { ...shell, cwd: process.cwd() });
}

function commandIndex(argv: readonly string[]): number {
  let index = 0;
  while (index < argv.length && argv[index]!.startsWith("-")) index += VALUED.has(argv[index]!) ? 2 : 1;
  return index;
}

async function runCommand(entry: CommandEntry, args: readonly string[], shell: Shell): Promise<number> {
  let code = 0;
  const { build } = await entry.load();
  const command = build(shell, (given) => {
    code = given;
  });
  await command.parseAsync([...args], { from: "user" });
  return code;
}

async function general(argv: readonly string[], topic: string | undefined, shell: Shell): Promise<number> {
  if (argv.includes("-V") || argv.includes("--version")) {
    const { sqliteVersion } = await import("../store/index.ts");
    const versions = { nuthatch: VERSION, node: process.versions.node, sqlite: argv.includes("--json") ? sqliteVersion() : "" };
    shell.stdout.write(argv.includes("--json") ? `${JSON.stringify(versions)}\n` : `${VERSION}\n`);
    return 0;
  }
  const entry = commands.find((command) => command.name === topic);
  if (entry) {
    const { build } = await entry.load();
    shell.stdout.write(build(shell, () => undefined).helpInformation());
    return 0;
  }
  shell.stdout.write(overview());
  return 0;
}

export function overview(): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const lines = commands.map(({ usage, summary }) => `  nuthatch ${usage.padEnd(width)}  ${summary}`);
  return [
    "A polite, incremental web crawler. Everything it finds is in one SQLite file.",
    "",
    ...lines,
    "",
    "nuthatch <command> --help tells more. Start with: nuthatch demo",
    "",
  ].join("\n");
}

async function unknownCommand(name: string): Promise<Error> {
  const { nearest, SetupError } = await import("../config/index.ts");
  if (/^https?:\/\//i.test(name)) return new SetupError(`${name} is an address, not a command`, `to crawl it: nuthatch crawl ${name}`);
  const near = nearest(
    name,
    commands.map((command) => command.name),
  );
  return new SetupError(`there is no command ${name}`, near ? `did you mean nuthatch ${near}?` : "nuthatch --help lists them");
}
