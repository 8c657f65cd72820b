import { printable } from "../telemetry/index.ts";

/** The terminal, as a command sees it: data on stdout, talk on stderr. */
export interface Shell {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

export interface Globals {
  readonly db?: string;
  readonly config?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: number;
  readonly color?: string;
  readonly progress?: string | boolean;
}

export const dbPathOf = (globals: Globals, shell: Shell): string => globals.db ?? shell.env.NUTHATCH_DB ?? "nuthatch.db";

/** https://no-color.org, https://force-color.org, and no colour where nobody looks. */
export function wantsColour(globals: Globals, shell: Shell, stream: NodeJS.WriteStream): boolean {
  if (globals.json || globals.color === "never") return false;
  if (globals.color === "always") return true;
  if (shell.env.NO_COLOR) return false;
  if (shell.env.FORCE_COLOR && shell.env.FORCE_COLOR !== "0") return true;
  return stream.isTTY === true && shell.env.TERM !== "dumb";
}

/** Writes data; a reader who has seen enough (`| head`) ends the program quietly. */
export async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (!stream.write(text)) await new Promise((resolve) => stream.once("drain", resolve));
}

/** JSON that no terminal obeys: what could command it, or turn its text round, is written as an escape that means the same. */
export const inert = (json: string): string =>
  json.replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );

export const writeJson = (shell: Shell, value: object): Promise<void> =>
  write(shell.stdout, inert(`${JSON.stringify({ schemaVersion: 1, ...value }, null, 2)}\n`));

/** Rows for people: columns as wide as they need, the last one as it is. */
export async function writeTable(
  shell: Shell,
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): Promise<void> {
  const cells = [columns, ...rows].map((row) => row.map((cell) => printable(cell === null ? "" : String(cell))));
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells) {
    const line = row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!))).join("  ");
    await write(shell.stdout, `${line.trimEnd()}\n`);
  }
}
