import { accessSync, closeSync, constants, existsSync, fstatSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SetupError } from "../../engine/config/index.ts";
import { escapeControls, gzipWriter, isGzipName, readableStart, unpackedName } from "../../engine/formats/index.ts";
import type { Run } from "../../store/index.ts";
import { checkAppendable, endOf, type FileEnd, truncateAt } from "./commands/file-end.ts";
import type { Globals } from "./globals.ts";

export type OutputFormat = "json" | "jsonl" | "csv" | "txt" | "xml";

const extensions: Readonly<Record<OutputFormat, RegExp>> = {
  json: /\.json$/i,
  jsonl: /\.(jsonl|ndjson)$/i,
  csv: /\.csv$/i,
  txt: /\.txt$/i,
  xml: /\.(xml|atom)$/i,
};

/** Formats that stay valid when records are appended. */
const appendable: readonly OutputFormat[] = ["jsonl", "csv"];

/** What is written where. Nothing is touched before `openOutput`. */
export interface OutputPlan {
  readonly path: string;
  readonly format: OutputFormat;
  readonly isAppending: boolean;
  /** End of the last complete record in the file, and its `seq`: later records are read from the store. */
  readonly keep: { readonly bytes: number; readonly seq: number } | undefined;
  /** How the file ends that is added to, unless it is that of a resumed run. */
  readonly end: FileEnd | undefined;
}

interface OutputOptions {
  /** Supported formats; the file extension selects one. If there is only one, any extension is accepted. */
  readonly formats?: readonly OutputFormat[];
  readonly resumed?: Run | undefined;
}

/** Never overwrites an existing file by accident: the error names both options. The file of a resumed run is continued. */
export function planOutput(flags: Globals, given: OutputOptions = {}): OutputPlan | undefined {
  const checked = checkOutput(flags, given.formats);
  if (!checked) return undefined;
  const { path, format, isThere: exists } = checked;
  const mayAppend = exists && flags.replace === undefined;
  const findKept = format === "jsonl" && !isGzipName(path) ? findLastRecord : findFileOfRun;
  const keep = mayAppend && given.resumed && statSync(path).isFile() ? findKept(path, given.resumed.id) : undefined;
  if (mayAppend && !flags.append && !keep) {
    const add = appendable.includes(format) ? `, -o ${path} --append adds to it` : "";
    throw new SetupError(`${path} exists already`, `-O ${path} replaces it${add}`);
  }
  if (!mayAppend || keep) return { path, format, isAppending: mayAppend, keep, end: undefined };
  checkAppendable(path);
  return { path, format, isAppending: true, keep, end: endOf(path, format === "csv" ? "csv" : "jsonl") };
}

/** Undefined for standard output, which is `-`. */
export const outputPath = ({ replace, output }: Globals): string | undefined => {
  const path = replace ?? output;
  return path === "-" ? undefined : path;
};

/** Checks of the output file that need no information about the run. */
export function checkOutput(flags: Globals, formats: readonly OutputFormat[] = ["jsonl", "csv"]) {
  const path = outputPath(flags);
  if (path === undefined && flags.append) throw new SetupError("--append needs a file to add to", "name it with -o");
  if (path === undefined) return undefined;
  const format = formatOf(path, formats);
  if (flags.append && !appendable.includes(format))
    throw new SetupError(`${path} would not be whole if something was added to it`, `-O ${path} replaces it`);
  const exists = existsSync(path);
  checkWritable(path);
  return { path, format, isThere: exists };
}

function formatOf(path: string, formats: readonly OutputFormat[]): OutputFormat {
  const format = formats.length === 1 ? formats[0] : formats.find((known) => extensions[known].test(unpackedName(path)));
  if (format !== undefined) return format;
  const names = formats.map((known) => `.${known}`);
  throw new SetupError(
    `${path} does not end in a format that can be written here`,
    `use a name that ends in ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`,
  );
}

/** A file that does not exist yet needs a writable folder. */
export function checkWritable(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new SetupError(`${path} is a folder`, "name a file in it");
  try {
    accessSync(existsSync(path) ? path : dirname(resolve(path)), constants.W_OK);
  } catch (cause) {
    throw new SetupError(`${path} cannot be written`, "check the folder and its permissions", { cause });
  }
}

const TAIL_BYTES = 4 * 1024 * 1024;

/** After a crash the file may end in an incomplete line. A file whose last complete record belongs to another run is not continued. */
function findLastRecord(path: string, runId: number): OutputPlan["keep"] {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, tail, 0, tail.length, size - tail.length);
    const end = tail.lastIndexOf(10);
    if (end < 0) return size < TAIL_BYTES && isCutOff(tail) ? { bytes: 0, seq: 0 } : undefined;
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

/** CSV rows have no `seq`, and a compressed file cannot be truncated: a file that contains only this run is rewritten. */
function findFileOfRun(path: string, runId: number): OutputPlan["keep"] {
  const [first = "", second = ""] = readFirstLines(path) ?? ["not ours"];
  const isOurRow = second === "" || second.endsWith(`,${runId}`);
  const isOurs = first === "" || first.includes(`"crawlId":${runId},`) || (first.endsWith(",crawlId") && isOurRow);
  return isOurs ? { bytes: 0, seq: 0 } : undefined;
}

/** Undefined if it cannot be decompressed. */
function readFirstLines(path: string): string[] | undefined {
  const file = openSync(path, "r");
  const bytes = Buffer.alloc(TAIL_BYTES);
  const head = bytes.subarray(0, readSync(file, bytes));
  closeSync(file);
  const text = isGzipName(path) ? readableStart(head) : head;
  return text?.toString().split(/\r?\n/, 2);
}

/** Rows can only be appended to a CSV file with the same header. */
export function checkHeader({ path, format, isAppending, keep }: OutputPlan, header: string): void {
  if (format !== "csv" || !isAppending || keep) return;
  const [oldHeader = ""] = readFirstLines(path) ?? ["not ours"];
  if (oldHeader === "" || oldHeader === header.trimEnd()) return;
  throw new SetupError(`${path} has other columns than what would be added to it`, `name another file, or -O ${path} replaces it`);
}

/** Empty, or the start of a first record that was not completed. */
const isCutOff = (head: Buffer) => head.length === 0 || head.subarray(0, 2).toString() === '{"';

export interface Output {
  readonly format: OutputFormat;
  /** True if the file was empty, so that a CSV header is needed. */
  readonly isNew: boolean;
  write(data: string | Uint8Array): void;
  close(): void;
}

/** Uncompressed data is written at once without buffering, so that it survives a crash. */
export function openOutput(plan: OutputPlan, say: (line: string) => void = () => undefined): Output {
  const { path, format, isAppending, keep, end } = plan;
  if (end?.kind === "cut") {
    truncateAt(path, end.at);
    say(`${path} was not written to its end: its last record, ${end.size} bytes of it, was removed`);
  }
  if (end?.kind === "open" && !end.isWhole) say(`${path} has no line end after its last row, which was kept and may not be whole`);
  if (keep) truncateAt(path, keep.bytes);
  // Always at the end of the file, also where another process adds to it.
  const file = openSync(path, isAppending ? "a" : "w");
  const isNew = fstatSync(file).size === 0;
  const writeWithPath = (bytes: Uint8Array, done: number) => {
    try {
      return writeSync(file, bytes, done, bytes.length - done);
    } catch (cause) {
      // Errors of writes to a file descriptor contain no path, which the message needs.
      throw Object.assign(cause as NodeJS.ErrnoException, { path });
    }
  };
  const write = (data: string | Uint8Array) => {
    const bytes = Buffer.from(data as string);
    for (let done = 0; done < bytes.length; ) done += writeWithPath(bytes, done);
  };
  const pack = isGzipName(path) ? gzipWriter(write) : undefined;
  if (end?.kind === "open") (pack?.write ?? write)(format === "csv" ? "\r\n" : "\n");
  return {
    format,
    isNew,
    // Text files may be shown in a terminal later, so control characters are escaped. Bytes are unchanged.
    write: (data) => (pack?.write ?? write)(typeof data === "string" && format === "txt" ? escapeControls(data) : data),
    close: () => {
      pack?.close(isNew);
      closeSync(file);
    },
  };
}
