import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { isPacked } from "../export/index.ts";
import type { Seed } from "../seed.ts";
import type { OutputPlan } from "./output.ts";

/** Addresses in progress or waiting for earlier ones. Reading of the list pauses at this number. */
const AHEAD = 1000;

/** Processes a list of addresses: each address once, results in the order of the list. */
export class EnrichOrder<T extends { readonly url: string }> {
  readonly #seen = new Set<string>();
  readonly #done: ReadonlySet<string>;
  readonly #order: string[] = [];
  readonly #answers = new Map<string, T>();
  #hasRoom: (() => void) | undefined;
  /** Number of duplicates in the list. */
  repeated = 0;
  /** Number of addresses already in the output file. */
  skipped = 0;

  constructor(done: ReadonlySet<string>) {
    this.#done = done;
  }

  async *list(seeds: AsyncIterable<Seed>, signal: AbortSignal): AsyncGenerator<Seed> {
    for await (const seed of seeds) {
      if (this.#done.has(seed.url)) this.skipped += 1;
      else if (this.#seen.has(seed.url)) this.repeated += 1;
      else {
        this.#seen.add(seed.url);
        this.#order.push(seed.url);
        yield seed;
        if (this.#order.length >= AHEAD && !signal.aborted)
          await new Promise<void>((resolve) => {
            this.#hasRoom = resolve;
            signal.addEventListener("abort", () => resolve(), { once: true });
          });
        if (signal.aborted) return;
      }
    }
  }

  /** Yields the results whose predecessors are all done. */
  *answered(one: T): Generator<T> {
    this.#answers.set(one.url, one);
    while (this.#order.length > 0 && this.#answers.has(this.#order[0]!)) {
      const url = this.#order.shift()!;
      yield this.#answers.get(url)!;
      this.#answers.delete(url);
      this.#hasRoom?.();
    }
  }

  /** After an interruption: the finished results, although earlier ones are missing. */
  *rest(): Generator<T> {
    for (const url of this.#order) if (this.#answers.has(url)) yield this.#answers.get(url)!;
  }
}

/** Addresses already in a file that is appended to; they are not requested again. */
export async function addressesIn({ path, format }: OutputPlan): Promise<Set<string>> {
  const input = isPacked(path) ? createReadStream(path).pipe(createGunzip()) : createReadStream(path);
  return format === "csv" ? firstCells(input) : urlsOfLines(input);
}

async function urlsOfLines(input: NodeJS.ReadableStream): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const url = urlIn(line);
    if (url !== undefined) found.add(url);
  }
  return found;
}

function urlIn(line: string): string | undefined {
  try {
    const { url } = JSON.parse(line) as { url?: unknown };
    return typeof url === "string" ? url : undefined;
  } catch {
    return undefined; // the incomplete last line of a process that was killed
  }
}

/** First cell of each CSV row; quoted cells may contain line breaks. */
async function firstCells(input: NodeJS.ReadableStream): Promise<Set<string>> {
  const found = new Set<string>();
  let [cell, isFirst, isQuoted] = ["", true, false];
  for await (const part of input) {
    for (const letter of String(part)) {
      if (letter === '"') isQuoted = !isQuoted;
      else if (letter === "," && !isQuoted) isFirst = false;
      else if (letter === "\n" && !isQuoted) {
        found.add(cell.trim());
        [cell, isFirst] = ["", true];
      } else if (isFirst) cell += letter;
    }
  }
  return found;
}
