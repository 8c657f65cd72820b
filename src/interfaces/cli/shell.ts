import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { unsafeReasonAt } from "../../core/file-owner.ts";
import { type ConfigFile, dbIn, findConfigFile, readConfigFile, SetupError } from "../../engine/config/index.ts";
import { escapeControls, escapeJsonControls } from "../../engine/formats/index.ts";
import { printable } from "../../engine/telemetry/index.ts";
import { isPostgres, passwordIn, withoutPassword } from "../../store/index.ts";
import type { Globals } from "./globals.ts";

export { wantsColour } from "./colour.ts";

/** The process as a command sees it: data on stdout, messages on stderr. */
export interface Shell {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The original working directory, if --cwd changed it. */
  readonly home?: string;
  /** Work to report if the command is aborted; absent if the program is not a process of its own. */
  readonly underWay?: CurrentWork;
}

/** Work that another command can resume. */
export interface CurrentWork {
  work?: {
    /** Where the settled results are. */
    readonly kept: string;
    /** The command that resumes it. */
    readonly resumeCommand: string;
    /** Restores the terminal. */
    readonly leave?: () => void;
  };
}

/** The config file that is named, or the nearest one. */
export async function configFileOf(globals: Globals, shell: Shell): Promise<ConfigFile | undefined> {
  const path = configPathOf(globals, shell);
  if (path === undefined) return undefined;
  if (globals.config !== undefined && !globals.quiet) warnUnsafeFile(path, shell);
  return readConfigFile(path, shell.stdin);
}

/** A named file is read even if another user could have written it, with a warning. */
function warnUnsafeFile(path: string, shell: Shell): void {
  const place = resolve(shell.cwd, path);
  const unsafeReason = statSync(place, { throwIfNoEntry: false })?.isFile() ? unsafeReasonAt(place) : undefined;
  if (unsafeReason !== undefined) shell.stderr.write(`${printable(`${path} ${unsafeReason}; it is read because you named it`, 1000)}\n`);
}

/** Path of the config file relative to the working directory. */
export function configPathOf(globals: Globals, shell: Shell): string | undefined {
  if (globals.config !== undefined) return globals.config;
  const found = findConfigFile(shell.cwd);
  return found === undefined ? undefined : relative(shell.cwd, found);
}

/** The flag overrides the environment, which overrides the config file. */
export function dbPathOf(globals: Globals, shell: Shell, file: ConfigFile | undefined): string {
  refuseEmpty("--db", globals.db, "NUTHATCH_DB", shell);
  refuseEmpty("--bodies", globals.bodies, "NUTHATCH_BODIES", shell);
  const configured = file && dbIn(file);
  const isConfigured = globals.db === undefined && shell.env.NUTHATCH_DB === undefined;
  if (isConfigured && configured !== undefined && isPostgres(configured) && passwordIn(configured) === undefined)
    protectPassword(configured, shell);
  const given = globals.db ?? shell.env.NUTHATCH_DB ?? configured ?? "nuthatch.db";
  const db = isPostgres(given) ? hidePassword(given) : given === configured ? relative(shell.cwd, given) : given;
  const bodies = globals.bodies ?? shell.env.NUTHATCH_BODIES;
  return bodies === undefined ? db : withBodies(db, resolve(shell.cwd, bodies));
}

/** `--db "$FILE"` with nothing in FILE must not mean another file. */
function refuseEmpty(flag: string, typed: string | undefined, variable: string, { env }: Shell): void {
  if (typed === "") throw new SetupError(`${flag} is empty`, `name something after ${flag}, or leave it out`);
  if (typed === undefined && env[variable] === "") throw new SetupError(`${variable} is empty`, `unset ${variable}, or give it a value`);
}

/** A config file must not decide where the password of the environment is sent. */
function protectPassword(db: string, { env }: Shell): void {
  if (!env.PGPASSWORD) return;
  throw new SetupError(
    "PGPASSWORD is not sent to a database that a config file alone names",
    `name it together with the password: export NUTHATCH_DB=${db}, or --db ${db}`,
  );
}

/** Adds the bodies folder to the database address, so that it is passed on with it. */
function withBodies(db: string, folder: string): string {
  if (!isPostgres(db))
    throw new SetupError(
      `${db} is a file, which keeps the bodies of its pages in itself`,
      "leave out --bodies (and NUTHATCH_BODIES), or name a shared database: --db postgres://user@host/name",
    );
  const [place = "", query = ""] = db.split("?", 2);
  const params = new URLSearchParams(query);
  params.delete("bodies");
  const others = params.size === 0 ? "" : `&${params}`;
  return `${place}?bodies=${encodeURIComponent(folder).replaceAll("%2F", "/")}${others}`;
}

/** Moves the password from the address to PGPASSWORD, where every thread and child process finds it and no command can print it. */
function hidePassword(db: string): string {
  const password = passwordIn(db);
  if (password !== undefined) process.env.PGPASSWORD = password;
  return withoutPassword(db);
}

/** Path of the data file relative to the original working directory. */
export const dbSeenFrom = ({ home: startFolder, cwd }: Shell, db: string): string =>
  startFolder === undefined || isPostgres(db) ? db : relative(startFolder, resolve(cwd, db));

/** The --db flag a suggested command needs to find the same data file. */
export const dbFlag = (db: string): string => (db === "nuthatch.db" ? "" : ` --db ${quotedArg(db)}`);

/** Quoted as one shell word. */
export const quotedArg = (text: string): string => (/^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Writes data with back-pressure; a reader that closes early (`| head`) ends the program silently. */
export async function write(stream: NodeJS.WriteStream, data: string | Uint8Array): Promise<void> {
  if (!stream.write(data)) await new Promise((resolve) => stream.once("drain", resolve));
}

/**
 * Makes remote text safe to print. In a pipe, control characters are escaped, because its output may reach a terminal; on a terminal, all
 * unprintable characters are. Bytes in a pipe are unchanged.
 */
export function safeForStream(stream: NodeJS.WriteStream, data: string | Uint8Array): string | Uint8Array {
  if (!stream.isTTY) return typeof data === "string" ? escapeControls(data) : data;
  const text = typeof data === "string" ? data : Buffer.from(data).toString();
  const lines = text.replaceAll("\t", "    ").split(/\r?\n/);
  return lines.map((line) => printable(line, Number.POSITIVE_INFINITY)).join("\n");
}

export const jsonDocument = (value: object): string => escapeJsonControls(`${JSON.stringify({ schemaVersion: 1, ...value }, null, 2)}\n`);

/** A table for people: columns as wide as their content, the last one without padding. */
export function table(columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = [columns, ...rows].map((row) => row.map((cell) => printable(cell === null ? "" : String(cell))));
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!))).join("  "));
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/** Lines for people that may contain remote text. */
export const paragraph = (lines: readonly string[]): string => lines.map((line) => `${printable(line, 2000)}\n`).join("");

/** For single lines that every form of output needs to tell. */
export const stderrPrinter =
  ({ stderr }: Shell) =>
  (line: string): void =>
    void stderr.write(paragraph([line]));
