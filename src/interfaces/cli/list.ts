import type { Command } from "commander";
import { nearest, SetupError } from "../../engine/config/index.ts";
import { count } from "../../engine/telemetry/index.ts";
import { type Answer, openAnswer } from "./answer.ts";
import type { Globals } from "./globals.ts";
import { type Shell, table, write } from "./shell.ts";

/** Columns and default order of a list: `url`, or `-id` for descending. */
export interface ListShape {
  readonly columns: readonly string[];
  /** Columns of the table for people; default all. */
  readonly shown?: readonly string[];
  /** Columns the table leaves out if they are empty in all rows. */
  readonly sparse?: readonly string[];
  /** Maximum width of columns in the table. */
  readonly widths?: Readonly<Record<string, number>>;
  /** Sort keys, if they differ from the columns. */
  readonly sorts?: readonly string[];
  readonly sort: string;
  readonly limit?: number;
}

export interface ListFlags extends Globals {
  readonly limit: number;
  readonly sort: string;
  readonly fields?: readonly string[];
}

/** One table row, with the record on the first row of each record. */
export interface ListItem {
  readonly record: object | undefined;
  readonly row: Readonly<Record<string, unknown>>;
}

/** Flags of every list. They are checked while they are parsed, so that a mistake changes nothing. */
export function addListFlags(command: Command, { columns, sorts = columns, sort, limit = 50 }: ListShape): Command {
  const sortBy = (text: string) => {
    checkName(text.replace(/^-/, ""), sorts, `cannot sort by ${text}`);
    return text;
  };
  const parseFields = (text: string) => {
    const names = text.split(",").map((name) => name.trim());
    for (const name of names) checkName(name, columns, `there is no field ${name}`);
    return names;
  };
  return command
    .option("--limit <n>", "at most this many; none for all", parseLimit, limit)
    .option("--sort <field>", `by ${sorts.join(", ")}; -field for the other way round`, sortBy, sort)
    .option("--fields <list>", `only these columns, of ${columns.join(", ")}`, parseFields);
}

/** The largest number for SQL; lists fetch one row more than the limit. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER - 1;

function parseLimit(text: string): number {
  if (text === "none") return NO_LIMIT;
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text);
  throw new SetupError(`--limit: ${text} is not a whole number above 0, or none`, "--limit 50");
}

function checkName(name: string, known: readonly string[], message: string): void {
  if (known.includes(name)) return;
  const near = nearest(name, known);
  throw new SetupError(message, near ? `did you mean ${near}?` : `one of ${known.join(", ")}`);
}

/** Sorts a list in memory; long lists are sorted by the database. */
export function sortItems<T extends ListItem>(items: readonly T[], sort: string): T[] {
  const field = sort.replace(/^-/, "");
  const direction = sort.startsWith("-") ? -1 : 1;
  return items.toSorted((a, b) => direction * compare(a.row[field], b.row[field]));
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a ?? ""), String(b ?? "")];
  return left < right ? -1 : left > right ? 1 : 0;
}

export interface ListOutput {
  /** Name of the list in a document: `pages`. */
  readonly name: string;
  readonly shape: ListShape;
  /** Text for an empty list, if "no pages" does not fit. */
  readonly none?: string;
  /** Hint at another command that returns the whole list, if there is one. */
  readonly allOfIt?: string;
}

/**
 * Checks the output file before the list is read. `total` is the number of all records if not all were read. Records beyond the limit are
 * left out with a note.
 */
export function openList(
  shell: Shell,
  flags: ListFlags,
  { name, shape, allOfIt: fullListCommand, none = `no ${name}` }: ListOutput,
): (items: readonly ListItem[], total?: number) => Promise<void> {
  const answer = openAnswer(shell, flags, "list");
  return async (found, total = countRecords(found)) => {
    const items = takeFirst(found, flags.limit);
    const hasMore = countRecords(items) < total;
    const all = `--limit none takes all${fullListCommand === undefined ? "" : `, and so does ${fullListCommand}`}`;
    const listed = listAnswer(name, shape, flags, items);
    await answer({ ...listed, document: { ...listed.document, total, hasMore, ...(hasMore && { rest: all }) } });
    if (flags.quiet) return;
    if (items.length === 0) return flags.json ? undefined : write(shell.stderr, `${none}\n`);
    if (hasMore) await write(shell.stderr, `only the first ${flags.limit} of ${count(total)} ${name}: ${all}\n`);
  };
}

const countRecords = (items: readonly ListItem[]) => items.reduce((sum, { record }) => sum + (record === undefined ? 0 : 1), 0);

/** The first `limit` records, with all their rows. */
function takeFirst(items: readonly ListItem[], limit: number): readonly ListItem[] {
  let recordCount = 0;
  const end = items.findIndex(({ record }) => record !== undefined && ++recordCount > limit);
  return end < 0 ? items : items.slice(0, end);
}

const clipped = (text: string, width = Number.POSITIVE_INFINITY) => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

/** The list in every supported output form. */
export function listAnswer(name: string, shape: ListShape, flags: ListFlags, items: readonly ListItem[]): Answer {
  const pickFields = (fields: readonly string[]) => items.map(({ row }) => Object.fromEntries(fields.map((field) => [field, row[field]])));
  const rows = pickFields(flags.fields ?? shape.columns);
  const records = flags.fields === undefined ? items.flatMap(({ record }) => record ?? []) : rows;
  const isShown = (field: string) => !shape.sparse?.includes(field) || items.some(({ row }) => row[field]);
  const fields = flags.fields ?? (shape.shown ?? shape.columns).filter(isShown);
  const cell = ([field, value]: [string, unknown]) =>
    value === null || value === undefined ? null : clipped(String(value), shape.widths?.[field]);
  const cells = pickFields(fields).map((row) => Object.entries(row).map(cell));
  return { document: { [name]: records }, records, rows, text: items.length === 0 ? "" : table(fields, cells) };
}
