import { speakable } from "./speakable.ts";

/** Many rows in one statement: each column is one value, an array, and `unnest` puts the rows together again. */

type ColumnType = "bigint" | "text" | "boolean" | "double precision" | "bytea";

export type Cell = string | number | bigint | boolean | Uint8Array | null | undefined;

export class Columns<Name extends string> {
  readonly #types: readonly (readonly [name: Name, type: ColumnType])[];

  constructor(types: Readonly<Record<Name, ColumnType>>) {
    this.#types = Object.entries(types) as [Name, ColumnType][];
  }

  get names(): string {
    return this.#types.map(([name]) => name).join(", ");
  }

  get size(): number {
    return this.#types.length;
  }

  /** Its values are `$first` and those that follow. */
  table(alias: string, first = 1): string {
    const arrays = this.#types.map(([, type], index) => `$${first + index}::${type}[]`);
    return `unnest(${arrays.join(", ")}) AS ${alias} (${this.names})`;
  }

  values(rows: readonly Readonly<Record<Name, Cell>>[]): string[] {
    return this.#types.map(([name]) => arrayOf(rows.map((row) => row[name])));
  }
}

/** As PostgreSQL writes an array. */
export const arrayOf = (cells: readonly Cell[]): string => `{${cells.map(textOf).join(",")}}`;

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return "NULL";
  if (typeof cell === "string") return quoted(cell);
  return typeof cell === "object" ? `"\\\\x${Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString("hex")}"` : String(cell);
}

function quoted(given: string): string {
  const text = speakable(given);
  const isPlain = !text.includes('"') && !text.includes("\\");
  return isPlain ? `"${text}"` : `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/**
 * Many rows as one text, a line each: what is handed from thread to thread, and taken apart, as one value costs a tenth of what it costs as rows of objects.
 * For what cannot hold tabs or line breaks: numbers, words of our own, names of hosts, URLs. Nothing stands for NULL.
 */
export const inLines = (from: string, ...cells: readonly string[]): string =>
  `SELECT string_agg(concat_ws(E'\\t', ${cells.map((cell) => `coalesce((${cell})::text, '')`).join(", ")}), E'\\n') AS lines FROM ${from}`;

export function linesIn(rows: readonly Readonly<Record<string, unknown>>[]): string[][] {
  const text = (rows[0]?.lines ?? "") as string;
  return text === "" ? [] : text.split("\n").map((line) => line.split("\t"));
}

/**
 * A few rows are wanted of tables that grow, by statements whose plan is made once: what is best while a table is small (to read all of it) is kept long after it
 * has grown. Until the transaction ends, rows are looked up one by one.
 */
export const BY_INDEX = ["seqscan", "hashjoin", "mergejoin"].map((way) => `set_config('enable_${way}', 'off', true)`).join(", ");
