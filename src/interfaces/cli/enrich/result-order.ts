import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Seed } from "../../../core/seed.ts";
import { SetupError } from "../../../engine/config/index.ts";
import { cellText, isGzipName } from "../../../engine/formats/index.ts";
import type { OutputPlan } from "../output.ts";

/** Addresses in progress or waiting for earlier ones. Reading of the list pauses at this number. */
const MAX_AHEAD = 1000;

/** Addresses that need not be requested. */
export interface KnownUrls {
  has(url: string): boolean;
}

/** Processes a list of addresses: each address once, results in the order of the list. */
export class ResultOrder<T extends { readonly url: string }> {
  readonly #seen = new Set<string>();
  readonly #done: KnownUrls;
  readonly #order: string[] = [];
  readonly #answers = new Map<string, T>();
  #resumeReading: (() => void) | undefined;
  /** Number of duplicates in the list. */
  repeated = 0;
  /** Number of addresses already in the output file. */
  skipped = 0;

  constructor(done: KnownUrls) {
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
        if (this.#order.length >= MAX_AHEAD && !signal.aborted)
          await new Promise<void>((resolve) => {
            this.#resumeReading = resolve;
            signal.addEventListener("abort", () => resolve(), { once: true });
          });
        if (signal.aborted) return;
      }
    }
  }

  /** Yields the results whose predecessors are all done. */
  *takeReady(one: T): Generator<T> {
    this.#answers.set(one.url, one);
    while (this.#order.length > 0 && this.#answers.has(this.#order[0]!)) {
      const url = this.#order.shift()!;
      yield this.#answers.get(url)!;
      this.#answers.delete(url);
      this.#resumeReading?.();
    }
  }

  /** After an interruption: the finished results, although earlier ones are missing. */
  *takeRemaining(): Generator<T> {
    for (const url of this.#order) if (this.#answers.has(url)) yield this.#answers.get(url)!;
  }
}

/** Addresses already in a file that is appended to; they are not requested again. */
export async function readAddresses({ path, format }: OutputPlan): Promise<KnownUrls> {
  const found = new Set<string>();
  const addPart = format === "csv" ? firstCells(found) : urlsOfLines(found);
  const file = createReadStream(path);
  // The error of either is that of the last.
  const input = isGzipName(path) ? pipeline(file, createGunzip(), () => undefined) : file;
  try {
    for await (const part of input.setEncoding("utf8")) addPart(part as string);
  } catch (cause) {
    throw new SetupError(`${path} cannot be read, so that nothing can be added to it`, `-O ${path} replaces it`, { cause });
  }
  return format === "csv" ? { has: (url) => found.has(cellText(url)) } : found;
}

/** Longer texts are no addresses, and no lines of ours. */
const [MAX_ADDRESS_LENGTH, MAX_LINE_LENGTH] = [100_000, 64 * 1024 * 1024];

function urlsOfLines(found: Set<string>): (part: string) => void {
  let [parts, length]: [string[], number] = [[], 0];
  return (text) => {
    const lines = text.split("\n");
    for (const [at, line] of lines.entries()) {
      length += line.length;
      if (length <= MAX_LINE_LENGTH) parts.push(line);
      else parts = [];
      if (at === lines.length - 1) return;
      const url = length <= MAX_LINE_LENGTH ? urlOfLine(parts.join("")) : undefined;
      if (url !== undefined) found.add(url);
      [parts, length] = [[], 0];
    }
  };
}

function urlOfLine(line: string): string | undefined {
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
      } else if (isFirst && !isQuote && cell.length <= MAX_ADDRESS_LENGTH) cell += letter;
      isStart = isEnd || (isQuote && !isQuoted);
    }
  };
}
