import { closeSync, createWriteStream, existsSync, fstatSync, openSync, readSync, truncateSync } from "node:fs";
import type { Writable } from "node:stream";
import type { Command } from "commander";
import { SetupError } from "../config/index.ts";

export interface OutputFlags {
  readonly output?: string;
  readonly replace?: string;
  readonly append?: boolean;
}

export const addOutputFlags = (command: Command): Command =>
  command
    .option("-o, --output <file>", "write to a file, its format by its ending; refuses to overwrite")
    .option("-O, --replace <file>", "like -o, but replaces the file")
    .option("--append", "with -o: add to the file");

export type OutputFormat = "jsonl" | "csv";

export interface Output {
  readonly path: string;
  readonly format: OutputFormat;
  readonly isNew: boolean;
  readonly stream: Writable;
}

/** A file that exists is never overwritten by accident: both ways out are named. */
export function openOutput(flags: OutputFlags, format?: OutputFormat, mayContinue = false): Output | undefined {
  const path = flags.replace ?? flags.output;
  if (path === undefined) return undefined;
  const isThere = existsSync(path);
  const isAdding = flags.replace === undefined && (flags.append === true || mayContinue);
  if (isThere && flags.replace === undefined && !isAdding) {
    throw new SetupError(`${path} exists already`, `-O ${path} replaces it, -o ${path} --append adds to it`);
  }
  const stream = createWriteStream(path, { flags: isAdding ? "a" : "w" });
  return { path, format: format ?? formatOf(path), isNew: !isThere || !isAdding, stream };
}

export function formatOf(path: string): OutputFormat {
  if (path.endsWith(".csv")) return "csv";
  if (/\.(jsonl|ndjson)$/.test(path)) return "jsonl";
  throw new SetupError(`cannot tell the format of ${path} by its ending`, "use a name that ends in .jsonl or .csv");
}

/**
 * A JSONL file of a run that was killed may end in half a line. It is cut back to its last whole record, and the number of
 * that record is returned: the store knows what comes after it.
 */
export function lastSettledIn(path: string): number {
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, 4 * 1024 * 1024));
    readSync(file, tail, 0, tail.length, size - tail.length);
    const end = tail.lastIndexOf(10);
    truncateSync(path, end < 0 ? 0 : size - tail.length + end + 1);
    const start = end <= 0 ? 0 : tail.lastIndexOf(10, end - 1) + 1;
    const last = end < 0 ? undefined : (JSON.parse(tail.subarray(start, end).toString()) as { seq?: number });
    return last?.seq ?? 0;
  } catch (cause) {
    throw new SetupError(`${path} is not a file of pages that could be continued`, `-O ${path} replaces it`, { cause });
  } finally {
    closeSync(file);
  }
}
