import { rejectIfStuck } from "../../core/stuck.ts";
import { tuneV8 } from "../../core/tune-v8.ts";
import { typedUrl } from "../../core/typed-url.ts";
import { VERSION } from "../../core/version.ts";
import { type CommandEntry, commands } from "./commands.ts";
import { takesValue } from "./globals.ts";
import type { Shell } from "./shell.ts";

/** Finds the command, loads only its module, and turns any error into three lines and an exit code. */
export async function runCli(argv: readonly string[], shell: Shell): Promise<number> {
  handleStdoutErrors(shell);
  const { folder, rest } = parseFolder(argv);
  const at = commandIndex(rest);
  const isPage = isPageCall(rest, at);
  const entry = commands.find(({ name }) => name === (isPage ? "fetch" : rest[at]));
  try {
    if (folder !== undefined) await changeFolder(folder);
    const folderShell = folder === undefined ? shell : { ...shell, home: shell.cwd, cwd: process.cwd() };
    const name = rest[at];
    if (!isPage && name === undefined) return await runWithoutCommand(rest, folderShell);
    if (!isPage && name === "help") return await (await import("./help.ts")).help(removeAt(rest, at), folderShell);
    if (!entry) throw await unknownCommand(name ?? "");
    return await runCommand(entry, isPage ? rest : removeAt(rest, at), folderShell);
  } catch (cause) {
    return handleError(cause, argv, shell, entry?.usage);
  }
}

async function handleError(cause: unknown, argv: readonly string[], shell: Shell, usage?: string): Promise<number> {
  const errorsModule = await import("./errors.ts").catch((why: Error) => why);
  if (errorsModule instanceof Error) return printMinimalError(errorsModule, shell);
  const { reportError: report } = errorsModule;
  const isVerbose = argv.some((arg) => /^(-v+|--verbose)$/.test(arg));
  return report(cause, shell, { isVerbose, isJson: argv.includes("--json"), usage });
}

/** Used if even the module that formats errors cannot be loaded. */
function printMinimalError({ message }: Error, { stderr }: Shell): number {
  const hint = /\b(EMFILE|ENFILE)\b/.test(message) ? "let this process open more files: ulimit -n 4096" : "install nuthatch again";
  stderr.write(`nuthatch: a file of the program cannot be opened\n  why: ${message}\n  try: ${hint}\n`);
  return 1;
}

/**
 * The program as a process, which never ends silently. Uncaught errors and rejections are reported like other errors, and so is a command
 * that waits for something that can no longer happen: Node would end it silently with code 13.
 */
export async function runProcess(argv: readonly string[]): Promise<void> {
  tuneV8();
  const { stdout, stderr, stdin, env } = process;
  const shell: Shell = { stdout, stderr, stdin, env, cwd: process.cwd(), underWay: {} };
  const abort = async (cause: unknown) => process.exit(await handleError(cause, argv, shell));
  process.once("uncaughtException", abort);
  process.exitCode = await rejectIfStuck("this command", () => runCli(argv, shell)).catch(abort);
}

/** EPIPE is normal: `nuthatch pages | head` closes stdout early. A full disk is not. */
function handleStdoutErrors({ stdout, stderr }: Shell): void {
  stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") process.exit(0);
    stderr.write(`nuthatch: standard output cannot be written\n  why: ${message}\n  try: -o writes to a file instead\n`);
    process.exit(1);
  });
}

/** `--cwd folder` or `--cwd=folder`: as if called from that folder. */
function parseFolder(argv: readonly string[]): { folder: string | undefined; rest: readonly string[] } {
  const at = argv.findIndex((arg) => /^--cwd(=|$)/.test(arg));
  const flag = argv[at];
  if (flag === undefined || (flag === "--cwd" && argv[at + 1] === undefined)) return { folder: undefined, rest: argv };
  const end = flag === "--cwd" ? at + 2 : at + 1;
  return { folder: flag === "--cwd" ? argv[at + 1] : flag.slice("--cwd=".length), rest: [...argv.slice(0, at), ...argv.slice(end)] };
}

async function changeFolder(folder: string): Promise<void> {
  try {
    process.chdir(folder);
  } catch (cause) {
    const { SetupError } = await import("../../engine/config/index.ts");
    throw new SetupError(`cannot work in ${folder}`, "check --cwd", { cause });
  }
}

function commandIndex(argv: readonly string[]): number {
  let index = 0;
  while (index < argv.length && argv[index]!.startsWith("-")) index += takesValue.get(argv[index]!) ? 2 : 1;
  return index;
}

const isAddress = (text: string) => /^https?:\/\//i.test(text);

/** `nuthatch https://…` means `nuthatch fetch https://…`, also after flags of fetch whose values look like a command. */
function isPageCall(argv: readonly string[], at: number): boolean {
  const name = argv[at];
  if (name === undefined || isAddress(name) || typedUrl(name) !== name) return name !== undefined;
  if (at === 0 || !argv.slice(at).some(isAddress)) return false;
  // Global flags may precede a command; after another flag, a word such as `links` is the value of that flag.
  const isValue = !takesValue.has(argv[at - 1]!.replace(/=.*/, ""));
  return isValue || !(name === "help" || commands.some((command) => command.name === name));
}

const removeAt = (args: readonly string[], at: number) => [...args.slice(0, at), ...args.slice(at + 1)];

async function runCommand(entry: CommandEntry, args: readonly string[], shell: Shell): Promise<number> {
  if (args.some((arg) => /^(-hh?|--help)$/.test(arg))) {
    const { commandHelp, requestedHelp: helpWish } = await import("./help.ts");
    const helpSize = helpWish(args);
    if (helpSize) return commandHelp(entry, args, helpSize, shell);
  }
  let code = 0;
  const { build } = await entry.load();
  const command = build(shell, (given) => {
    code = given;
  });
  await command.parseAsync([...args], { from: "user" });
  return code;
}

async function runWithoutCommand(argv: readonly string[], shell: Shell): Promise<number> {
  if (argv.includes("-V") || argv.includes("--version")) {
    shell.stdout.write(argv.includes("--json") ? await versions() : `${VERSION}\n`);
    return 0;
  }
  const known = [...takesValue.keys(), "-h", "-hh", "--help", "-V", "--version"];
  const invalid = argv.find((arg) => arg.startsWith("-") && !known.includes(arg.replace(/=.*/, "")));
  const { startPage: frontPage, help, helpStyleOf: lookOf, unknownFlag } = await import("./help.ts");
  if (invalid !== undefined) throw await unknownFlag(invalid, known);
  if (argv.includes("-hh") || argv.includes("--json")) return help(argv, shell);
  shell.stdout.write(frontPage(lookOf(argv, shell)));
  return 0;
}

/** Versions for bug reports. */
async function versions(): Promise<string> {
  const { sqliteVersion } = await import("../../store/index.ts");
  return `${JSON.stringify({ schemaVersion: 1, nuthatch: VERSION, node: process.versions.node, sqlite: sqliteVersion() })}\n`;
}

async function unknownCommand(name: string): Promise<Error> {
  const { nearest, SetupError } = await import("../../engine/config/index.ts");
  const near = nearest(name, [...commands.map((command) => command.name), "help"]);
  return new SetupError(`there is no command ${name}`, near ? `did you mean nuthatch ${near}?` : "nuthatch help lists them");
}
