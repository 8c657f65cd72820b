import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type ConfigFile, dbIn, findConfigFile, readConfigFile, SetupError } from "../config/index.ts";
import { inertJson, inertText } from "../export/index.ts";
import { strangerAt } from "../ours.ts";
import { isPostgres, passwordIn, withoutPassword } from "../store/index.ts";
import { printable } from "../telemetry/index.ts";
import type { Globals } from "./globals.ts";

export { wantsColour } from "./colour.ts";

/** The terminal, as a command sees it: data on stdout, talk on stderr. */
export interface Shell {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where the person stands, if --cwd named another folder. */
  readonly home?: string;
  /** What a person is told if the command breaks off; absent where the program is no process of its own. */
  readonly underWay?: UnderWay;
}

/** Work that another command can take up. */
export interface UnderWay {
  work?: {
    /** Where everything is that was settled. */
    readonly kept: string;
    /** The command that carries on. */
    readonly again: string;
    /** Gives the terminal back. */
    readonly leave?: () => void;
  };
}

/** The config file that is named, or the nearest. */
export async function configFileOf(globals: Globals, shell: Shell): Promise<ConfigFile | undefined> {
  const path = configPathOf(globals, shell);
  if (path === undefined) return undefined;
  if (globals.config !== undefined && !globals.quiet) tellStranger(path, shell);
  return readConfigFile(path, shell.stdin);
}

/** Who names a file is believed, and told who else could have written it. */
function tellStranger(path: string, shell: Shell): void {
  const place = resolve(shell.cwd, path);
  const stranger = statSync(place, { throwIfNoEntry: false })?.isFile() ? strangerAt(place) : undefined;
  if (stranger !== undefined) shell.stderr.write(`${printable(`${path} ${stranger}; it is read because you named it`, 1000)}\n`);
}

/** Its name as somebody here would say it. */
export function configPathOf(globals: Globals, shell: Shell): string | undefined {
  if (globals.config !== undefined) return globals.config;
  const found = findConfigFile(shell.cwd);
  return found === undefined ? undefined : relative(shell.cwd, found);
}

/** Flag over environment over config file. */
export function dbPathOf(globals: Globals, shell: Shell, file: ConfigFile | undefined): string {
  const configured = file && dbIn(file);
  const isConfigured = globals.db === undefined && shell.env.NUTHATCH_DB === undefined;
  if (isConfigured && configured !== undefined && isPostgres(configured) && passwordIn(configured) === undefined)
    keepPassword(configured, shell);
  const given = globals.db ?? shell.env.NUTHATCH_DB ?? configured ?? "nuthatch.db";
  const db = isPostgres(given) ? unspoken(given) : given === configured ? relative(shell.cwd, given) : given;
  const bodies = globals.bodies ?? shell.env.NUTHATCH_BODIES;
  return bodies === undefined ? db : withBodies(db, resolve(shell.cwd, bodies));
}

/** A config file does not say where the password of the environment goes. */
function keepPassword(db: string, { env }: Shell): void {
  if (!env.PGPASSWORD) return;
  throw new SetupError(
    "PGPASSWORD is not sent to a database that a config file alone names",
    `name it together with the password: export NUTHATCH_DB=${db}, or --db ${db}`,
  );
}

/** The folder goes with the address, wherever that is handed on to. */
function withBodies(db: string, folder: string): string {
  if (!isPostgres(db))
    throw new SetupError(
      `${db} is a file, which keeps the bodies of its pages in itself`,
      "leave out --bodies (and NUTHATCH_BODIES), or name a shared database: --db postgres://user@host/name",
    );
  const [place = "", query = ""] = db.split("?", 2);
  const said = new URLSearchParams(query);
  said.delete("bodies");
  const others = said.size === 0 ? "" : `&${said}`;
  return `${place}?bodies=${encodeURIComponent(folder).replaceAll("%2F", "/")}${others}`;
}

/** A password goes where PostgreSQL's client looks for it, in every thread and process that we start, so that no command can print it. */
function unspoken(db: string): string {
  const password = passwordIn(db);
  if (password !== undefined) process.env.PGPASSWORD = password;
  return withoutPassword(db);
}

/** The data file as it is called from where the person stands. */
export const dbSeenFrom = ({ home, cwd }: Shell, db: string): string =>
  home === undefined || isPostgres(db) ? db : relative(home, resolve(cwd, db));

/** What a command that we suggest needs, so that it finds the same data file. */
export const dbFlag = (db: string): string => (db === "nuthatch.db" ? "" : ` --db ${quotedArg(db)}`);

/** As a shell takes it for one word. */
export const quotedArg = (text: string): string => (/^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Writes data; a reader who has seen enough (`| head`) ends the program quietly. */
export async function write(stream: NodeJS.WriteStream, data: string | Uint8Array): Promise<void> {
  if (!stream.write(data)) await new Promise((resolve) => stream.once("drain", resolve));
}

/** Text of the web: a pipe gets it without commands, because a terminal may stand at its end, and a terminal only what it can show. Bytes were asked for as they came, and a pipe gets them so. */
export function asShownOn(stream: NodeJS.WriteStream, data: string | Uint8Array): string | Uint8Array {
  if (!stream.isTTY) return typeof data === "string" ? inertText(data) : data;
  const text = typeof data === "string" ? data : Buffer.from(data).toString();
  const lines = text.replaceAll("\t", "    ").split(/\r?\n/);
  return lines.map((line) => printable(line, Number.POSITIVE_INFINITY)).join("\n");
}

export const jsonDocument = (value: object): string => inertJson(`${JSON.stringify({ schemaVersion: 1, ...value }, null, 2)}\n`);

/** Rows for people: columns as wide as they need, the last one as it is. */
export function table(columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = [columns, ...rows].map((row) => row.map((cell) => printable(cell === null ? "" : String(cell))));
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!))).join("  "));
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/** Lines for people, of which some came from the web. */
export const paragraph = (lines: readonly string[]): string => lines.map((line) => `${printable(line, 2000)}\n`).join("");
