import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { SetupError } from "../../../engine/config/index.ts";
import { isGzipName } from "../../../engine/formats/index.ts";

const CHUNK_BYTES = 1024 * 1024;
/** No record is longer. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;
/** How much of a packed file is searched for the beginning of its last part. */
const GZIP_TAIL_BYTES = 16 * 1024 * 1024;
/** Places that look like the beginning of its last part. */
const MAX_GZIP_TRIES = 1000;
const [LINE_END, QUOTE, COMMA] = [10, 34, 44];

/** Throws unless it is a file that can be read: pipes and devices may have no end. */
export function checkAppendable(path: string): void {
  if (!statSync(path).isFile()) throw new SetupError(`${path} is no file that can be added to`, "name another file, or leave out --append");
  closeSync(openSync(path, "r"));
}

/** How the last record of a file that is added to ends. */
export type FileEnd =
  | { readonly kind: "whole" }
  /** Without its line end. A table does not tell whether its last cell is whole. */
  | { readonly kind: "open"; readonly isWhole: boolean }
  /** The file was not written to its end: from this byte on it is a part of a record. */
  | { readonly kind: "cut"; readonly at: number; readonly size: number };

const COMPLETE_END: FileEnd = { kind: "whole" };

/** A process that was killed, or a disk that was full, may have left a part of a record. What is added after it would be lost, too. */
export function endOf(path: string, format: "jsonl" | "csv"): FileEnd {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size === 0) return COMPLETE_END;
    if (isGzipName(path)) return endOfPacked(path, file, size);
    return format === "csv" ? endOfTable(file, size) : endOfLines(path, file, size);
  } finally {
    closeSync(file);
  }
}

/** Removes the part of a record. */
export function truncateAt(path: string, at: number): void {
  const file = openSync(path, "r+");
  try {
    ftruncateSync(file, at);
  } finally {
    closeSync(file);
  }
}

function endOfLines(path: string, file: number, size: number): FileEnd {
  const at = lastLineAt(file, size);
  if (at === size) return COMPLETE_END;
  if (size - at > MAX_RECORD_BYTES)
    throw new SetupError(`${path} ends in a line without an end, so that nothing can be added to it`, `-O ${path} replaces it`);
  const last = bytesAt(file, at, size - at).toString();
  // What is no record of ours is kept.
  return isJson(last) || !last.startsWith("{") ? { kind: "open", isWhole: true } : { kind: "cut", at, size: size - at };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Where the text after the last line end begins. */
function lastLineAt(file: number, size: number): number {
  for (let end = size; end > 0; end -= CHUNK_BYTES) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const found = bytesAt(file, start, end - start).lastIndexOf(LINE_END);
    if (found >= 0) return start + found + 1;
    if (size - start > MAX_RECORD_BYTES) return start;
  }
  return 0;
}

function bytesAt(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, start));
}

/** RFC 4180: a cell is quoted if its first character is a quote. Line ends within quotes do not end a row. */
function endOfTable(file: number, size: number): FileEnd {
  let [row, cells, columns] = [0, 1, 0];
  let [isCellStart, isQuoted] = [true, false];
  for (let start = 0; start < size; start += CHUNK_BYTES) {
    const bytes = bytesAt(file, start, Math.min(CHUNK_BYTES, size - start));
    for (let at = 0; at < bytes.length; at++) {
      const letter = bytes[at];
      if (letter === QUOTE && (isQuoted || isCellStart)) isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (letter === COMMA) cells += 1;
      else if (letter === LINE_END) {
        columns ||= cells;
        [row, cells] = [start + at + 1, 1];
      }
      // The second of two quotes within a cell opens it again.
      isCellStart = letter === COMMA || letter === LINE_END || (letter === QUOTE && !isQuoted);
    }
  }
  if (row === size) return COMPLETE_END;
  const isCut = isQuoted || cells < columns;
  return isCut && size - row <= MAX_RECORD_BYTES ? { kind: "cut", at: row, size: size - row } : { kind: "open", isWhole: false };
}

/** A packed file has parts, of which the last may not be whole. If its beginning is too far away to be found, it is taken for whole. */
function endOfPacked(path: string, file: number, size: number): FileEnd {
  const from = Math.max(0, size - GZIP_TAIL_BYTES);
  const tail = bytesAt(file, from, size - from);
  let at = tail.lastIndexOf(GZIP);
  for (let tries = 0; at >= 0 && tries < MAX_GZIP_TRIES; tries++) {
    const text = decompress(tail.subarray(at));
    if (text === "too large") return COMPLETE_END;
    if (text !== undefined) return text.length === 0 || text.at(-1) === LINE_END ? COMPLETE_END : { kind: "open", isWhole: true };
    at = at === 0 ? -1 : tail.lastIndexOf(GZIP, at - 1);
  }
  if (at < 0 && from > 0 && bytesAt(file, 0, GZIP.length).equals(GZIP)) return COMPLETE_END;
  throw new SetupError(
    `${path} is no packed file that is whole, so that nothing can be added to it`,
    `gzip -dc writes what can be read of it, to which more can be added; -O ${path} replaces it`,
  );
}

const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);

function decompress(bytes: Uint8Array): Buffer | "too large" | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_RECORD_BYTES });
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "too large" : undefined;
  }
}
