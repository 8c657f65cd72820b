import { closeSync, openSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";

/** Bytes that are sorted in memory; more are sorted in parts, in temporary files beside the target. */
const MAX_MEMORY_BYTES = 1024 * 1024;

/** Writes a file of lines sorted by their bytes, which may be larger than memory. Lines must be ASCII. */
export class SortedLines {
  readonly #path: string;
  /** A buffer, because the same lines as strings, each kept for a while, would make the heap grow. */
  readonly #lines: Buffer;
  readonly #parts: string[] = [];
  #size = 0;

  constructor(path: string, maxMemory: number = MAX_MEMORY_BYTES) {
    this.#path = path;
    this.#lines = Buffer.alloc(maxMemory);
  }

  add(line: string): void {
    if (this.#size + line.length + 1 > this.#lines.length) this.#flushPart();
    if (line.length + 1 > this.#lines.length) this.#writePart(`${line}\n`);
    else this.#size += this.#lines.write(`${line}\n`, this.#size, "latin1");
  }

  /** Writes the file. */
  close(): void {
    if (this.#parts.length === 0) {
      writeFileSync(this.#path, this.#sorted());
      return;
    }
    this.#flushPart();
    try {
      merge(this.#parts, this.#path);
    } finally {
      for (const part of this.#parts) rmSync(part, { force: true });
    }
  }

  #flushPart(): void {
    if (this.#size === 0) return;
    this.#writePart(this.#sorted());
    this.#size = 0;
  }

  #writePart(text: string): void {
    const part = `${this.#path}.${this.#parts.length + 1}.part`;
    this.#parts.push(part);
    writeFileSync(part, text);
  }

  #sorted(): string {
    const lines = this.#lines.toString("latin1", 0, this.#size).split("\n").slice(0, -1).sort();
    return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  }
}

function merge(parts: readonly string[], path: string): void {
  const readers = parts.map((part) => new LineReader(part));
  const file = openSync(path, "w");
  let text = "";
  for (let smallest = smallestOf(readers); smallest; smallest = smallestOf(readers)) {
    text += `${smallest.line}\n`;
    smallest.advance();
    if (text.length < CHUNK_BYTES) continue;
    writeSync(file, text);
    text = "";
  }
  writeSync(file, text);
  closeSync(file);
}

function smallestOf(readers: readonly LineReader[]): LineReader | undefined {
  let smallest: LineReader | undefined;
  for (const reader of readers)
    if (reader.line !== undefined && (smallest === undefined || reader.line < smallest.line!)) smallest = reader;
  return smallest;
}

const CHUNK_BYTES = 64 * 1024;

/** Reads a file line by line. */
class LineReader {
  readonly #file: number;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  #lines: string[] = [];
  #at = 0;
  #rest = "";
  /** The current line; undefined after the last. */
  line: string | undefined;

  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.advance();
  }

  advance(): void {
    while (this.#at >= this.#lines.length) {
      const length = readSync(this.#file, this.#chunk);
      if (length === 0) {
        if (this.line !== undefined) closeSync(this.#file);
        this.line = undefined;
        return;
      }
      this.#lines = (this.#rest + this.#chunk.toString("latin1", 0, length)).split("\n");
      this.#rest = this.#lines.pop()!;
      this.#at = 0;
    }
    this.line = this.#lines[this.#at];
    this.#at += 1;
  }
}
