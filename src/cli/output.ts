import { accessSync, closeSync, constants, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { SetupError } from "../config/index.ts";
import type { Run } from "../store/index.ts";

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

/** What will be written where. Nothing is touched before it is opened. */
export interface OutputPlan {
  readonly path: string;
  readonly format: OutputFormat;
  readonly isAdding: boolean;
  /** Where the last whole record of the file ends, and its number: the store knows what comes after it. */
  readonly keep: { readonly bytes: number; readonly seq: number } | undefined;
}

/** A file that exists is never overwritten by accident: both ways out are named. The file of a run that is taken up again is continued. */
export function planOutput(flags: OutputFlags, given: { format?: OutputFormat; resumed?: Run | undefined } = {}): OutputPlan | undefined {
  const path = flags.replace ?? flags.output;
  if (path === undefined) return undefined;
  const format = given.format ?? formatOf(path);
  const isThere = existsSync(path);
  checkWritable(path, isThere);
  const mayAdd = isThere && flags.replace === undefined;
  const find = format === "jsonl" ? lastRecordIn : wholeTableIn;
  const keep = mayAdd && given.resumed ? find(path, given.resumed.id) : undefined;
  if (mayAdd && !flags.append && !keep)
    throw new SetupError(`${path} exists already`, `-O ${path} replaces it, -o ${path} --append adds to it`);
  return { path, format, isAdding: mayAdd, keep };
}

/** What can be said against a file before anything is known about the run. */
export function checkOutput(flags: OutputFlags): void {
  const path = flags.replace ?? flags.output;
  if (path === undefined) return;
  formatOf(path);
  checkWritable(path, existsSync(path));
}

function checkWritable(path: string, isThere: boolean): void {
  try {
    accessSync(isThere ? path : dirname(resolve(path)), constants.W_OK);
  } catch (cause) {
    throw new SetupError(`${path} cannot be written`, "check the folder and its permissions", { cause });
  }
}

export function formatOf(path: string): OutputFormat {
  if (path.endsWith(".csv")) return "csv";
  if (/\.(jsonl|ndjson)$/.test(path)) return "jsonl";
  throw new SetupError(`cannot tell the format of ${path} by its ending`, "use a name that ends in .jsonl or .csv");
}

const TAIL = 4 * 1024 * 1024;

/** The file of a run that was killed may end in half a line. A file whose last whole record is not of this run is not ours to continue. */
function lastRecordIn(path: string, runId: number): OutputPlan["keep"] {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, TAIL));
    readSync(file, tail, 0, tail.length, size - tail.length);
    const end = tail.lastIndexOf(10);
    if (end < 0) return size < TAIL && looksCut(tail) ? { bytes: 0, seq: 0 } : undefined;
    const start = tail.subarray(0, end).lastIndexOf(10) + 1;
    const last = JSON.parse(tail.subarray(start, end).toString()) as { seq?: number; crawlId?: number };
    return last.crawlId === runId && last.seq !== undefined ? { bytes: size - tail.length + end + 1, seq: last.seq } : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  } finally {
    closeSync(file);
  }
}

/** A row of a table does not tell its number, so a table that holds this run alone is written anew from the store. */
function wholeTableIn(path: string, runId: number): OutputPlan["keep"] {
  const file = openSync(path, "r");
  const head = Buffer.alloc(TAIL);
  const length = readSync(file, head);
  closeSync(file);
  const [header = "", first = ""] = head.toString("utf8", 0, length).split("\r\n", 2);
  const isOurs = header === "" || (header.endsWith(",crawlId") && (first === "" || first.endsWith(`,${runId}`)));
  return isOurs ? { bytes: 0, seq: 0 } : undefined;
}

/** Nothing, or the beginning of a first record that was never finished. */
const looksCut = (head: Buffer) => head.length === 0 || head.subarray(0, 2).toString() === '{"';

export interface Output {
  readonly format: OutputFormat;
  /** Whether the file was empty, so that a table needs its header. */
  readonly isNew: boolean;
  write(text: string): void;
  close(): void;
}

/** Written at once and not gathered: what is in the file survives whatever happens to us. */
export function openOutput({ path, format, isAdding, keep }: OutputPlan): Output {
  const file = openSync(path, isAdding ? "r+" : "w");
  if (keep) ftruncateSync(file, keep.bytes);
  let at = fstatSync(file).size;
  return {
    format,
    isNew: at === 0,
    write: (text) => {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) {
        const count = writeSync(file, bytes, done, bytes.length - done, at);
        done += count;
        at += count;
      }
    },
    close: () => closeSync(file),
  };
}
