import { closeSync, createReadStream, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

/** Characters that are sorted in memory; what is more waits in files beside the one it is for. */
const ROOM = 8 * 1024 * 1024;

/** A file of lines, sorted by their bytes, that may be larger than memory. Lines are plain ASCII. */
export class SortedLines {
  readonly #path: string;
  readonly #room: number;
  readonly #parts: string[] = [];
  #lines: string[] = [];
  #size = 0;

  constructor(path: string, room: number = ROOM) {
    this.#path = path;
    this.#room = room;
  }

  add(line: string): void {
    this.#lines.push(line);
    this.#size += line.length;
    if (this.#size >= this.#room) this.#setAside();
  }

  /** Writes the file. */
  async close(): Promise<void> {
    if (this.#parts.length === 0) {
      writeFileSync(this.#path, textOf(this.#lines.sort()));
      return;
    }
    this.#setAside();
    try {
      await merge(this.#parts, this.#path);
    } finally {
      this.discard();
    }
  }

  discard(): void {
    for (const part of this.#parts.splice(0)) rmSync(part, { force: true });
  }

  #setAside(): void {
    if (this.#lines.length === 0) return;
    const part = `${this.#path}.${this.#parts.length + 1}.part`;
    this.#parts.push(part);
    writeFileSync(part, textOf(this.#lines.sort()));
    this.#lines = [];
    this.#size = 0;
  }
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

async function merge(parts: readonly string[], path: string): Promise<void> {
  const readers = parts.map((part) =>
    createInterface({ input: createReadStream(part), crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator](),
  );
  const heads = await Promise.all(readers.map(async (lines) => (await lines.next()).value as string | undefined));
  const file = openSync(path, "w");
  try {
    for (;;) {
      const least = leastOf(heads);
      if (least === undefined) return;
      writeSync(file, `${heads[least]}\n`);
      heads[least] = (await readers[least]!.next()).value as string | undefined;
    }
  } finally {
    closeSync(file);
  }
}

function leastOf(heads: readonly (string | undefined)[]): number | undefined {
  let least: number | undefined;
  for (const [index, head] of heads.entries()) if (head !== undefined && (least === undefined || head < heads[least]!)) least = index;
  return least;
}
