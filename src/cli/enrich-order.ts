import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { SetupError } from "../config/index.ts";
import { cellText, isPacked } from "../export/index.ts";
import type { Seed } from "../seed.ts";
import type { OutputPlan } from "./output.ts";

/** Addresses in progress or waiting for earlier ones. Reading of the list pauses at this number. */
const AHEAD = 1000;

/** Addresses that need not be requested. */
export interface Done {
  has(url: string): boolean;
}

/** Processes a list of addresses: each address once, results in the order of the list. */
export class EnrichOrder<T extends { readonly url: string }> {
  readonly #seen = new Set<string>();
  readonly #done: Done;
  readonly #order: string[] = [];
  readonly #answers = new Map<string, T>();
  #hasRoom: (() => void) | undefined;
  /** Number of duplicates in the list. */
  repeated = 0;
  /** Number of addresses already in the output file. */
  skipped = 0;

  constructor(done: Done) {
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
export async function addressesIn({ path, format }: OutputPlan): Promise<Done> {
  const found = new Set<string>();
  const note = format === "csv" ? firstCells(found) : urlsOfLines(found);
  const file = createReadStream(path);
  // The error of either is that of the last.
  const input = isPacked(path) ? pipeline(file, createGunzip(), () => undefined) : file;
  try {
    for await (const part of input.setEncoding("utf8")) note(part as string);
  } catch (cause) {
    throw new SetupError(`${path} cannot be read, so that nothing can be added to it`, `-O ${path} replaces it`, { cause });
  }
  return format === "csv" ? { has: (url) => found.has(cellText(url)) } : found;
}

/** Longer texts are no addresses, and no lines of ours. */
const [MOST_ADDRESS, MOST_LINE] = [100_000, 64 * 1024 * 1024];

function urlsOfLines(found: Set<string>): (part: string) => void {
  let [parts, length]: [string[], number] = [[], 0];
  return (text) => {
    const lines = text.split("\n");
    for (const [at, line] of lines.entries()) {
      length += line.length;
      if (length <= MOST_LINE) parts.push(line);
      else parts = [];
      if (at === lines.length - 1) return;
      const url = length <= MOST_LINE ? urlIn(parts.join("")) : undefined;
      if (url !== undefined) found.add(url);
      [parts, length] = [[], 0];
    }
  };
}

function urlIn(line: string): string | undefined {
  try {
    const { url } = JSON.parse(line) as { url?: unknown };
    return typeof url === "string" ? url : undefined;
  } catch {
    return undefined; // no record of ours
  }
}

/** First cell of each CSV row that has an end. A cell is quoted if its first character is a quote; it may then contain line breaks. */
function firstCells(found: Set<string>): (part: string) => void {
  let [cell, isFirst] = ["", true];
  let [isStart, isQuoted] = [true, false];
  return (text) => {
    for (const letter of text) {
      const isQuote = letter === '"' && (isQuoted || isStart);
      if (isQuote) isQuoted = !isQuoted;
      const isEnd = !isQuoted && (letter === "," || letter === "\n");
      if (isEnd && letter === ",") isFirst = false;
      else if (isEnd) {
        found.add(cell.trim());
        [cell, isFirst] = ["", true];
      } else if (isFirst && !isQuote && cell.length <= MOST_ADDRESS) cell += letter;
      isStart = isEnd || (isQuote && !isQuoted);
    }
  };
}
