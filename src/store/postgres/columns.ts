import { toStorableText } from "./storable-text.ts";

/** Writes many rows in one statement: each column is passed as one array, and `unnest` rebuilds the rows. */

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

  /** The table's parameters are `$first` and the following ones. */
  table(alias: string, first = 1): string {
    const arrays = this.#types.map(([, type], index) => `$${first + index}::${type}[]`);
    return `unnest(${arrays.join(", ")}) AS ${alias} (${this.names})`;
  }

  values(rows: readonly Readonly<Record<Name, Cell>>[]): string[] {
    return this.#types.map(([name]) => arrayOf(rows.map((row) => row[name])));
  }
}

/** A PostgreSQL array literal. */
export const arrayOf = (cells: readonly Cell[]): string => `{${cells.map(textOf).join(",")}}`;

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return "NULL";
  if (typeof cell === "string") return quoted(cell);
  return typeof cell === "object" ? `"\\\\x${Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString("hex")}"` : String(cell);
}

function quoted(given: string): string {
  const text = toStorableText(given);
  const isPlain = !text.includes('"') && !text.includes("\\");
  return isPlain ? `"${text}"` : `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/**
 * Many rows as one text, one line each: passing and parsing a single value costs a tenth of passing rows of objects between threads. Only
 * for values without tabs or line breaks: numbers, our own keywords, host names, URLs. NULL becomes the empty string.
 */
export const asLines = (from: string, ...cells: readonly string[]): string =>
  `SELECT string_agg(concat_ws(E'\\t', ${cells.map((cell) => `coalesce((${cell})::text, '')`).join(", ")}), E'\\n') AS lines FROM ${from}`;

export function parseLines(rows: readonly Readonly<Record<string, unknown>>[]): string[][] {
  const text = (rows[0]?.lines ?? "") as string;
  return text === "" ? [] : text.split("\n").map((line) => line.split("\t"));
}

/**
 * For lookups of a few rows in tables that grow. A prepared statement keeps the plan made while the table was small (a sequential scan)
 * long after the table has grown. Disabling these plans until the end of the transaction forces index lookups.
 */
export const INDEX_ONLY = ["seqscan", "hashjoin", "mergejoin"].map((method) => `set_config('enable_${method}', 'off', true)`).join(", ");
