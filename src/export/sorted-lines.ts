import { closeSync, createReadStream, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

/** Bytes that are sorted in memory; what is more waits in files beside the one it is for. */
const ROOM = 2 * 1024 * 1024;

/** A file of lines, sorted by their bytes, that may be larger than memory. Lines are plain ASCII. */
export class SortedLines {
  readonly #path: string;
  /** As bytes: as many strings, kept for a while each, would make the heap grow. */
  readonly #lines: Buffer;
  readonly #parts: string[] = [];
  #size = 0;

  constructor(path: string, room: number = ROOM) {
    this.#path = path;
    this.#lines = Buffer.alloc(room);
  }

  add(line: string): void {
    if (this.#size + line.length + 1 > this.#lines.length) this.#setAside();
    if (line.length + 1 > this.#lines.length) this.#writePart(`${line}\n`);
    else this.#size += this.#lines.write(`${line}\n`, this.#size, "latin1");
  }

  /** Writes the file. */
  async close(): Promise<void> {
    if (this.#parts.length === 0) {
      writeFileSync(this.#path, this.#sorted());
      return;
    }
    this.#setAside();
    try {
      await merge(this.#parts, this.#path);
    } finally {
      for (const part of this.#parts) rmSync(part, { force: true });
    }
  }

  #setAside(): void {
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
