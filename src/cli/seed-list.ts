import { createReadStream } from "node:fs";
import { access } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { SetupError } from "../config/index.ts";

interface ListPlace {
  readonly file: string | undefined;
  readonly stdin: Readable | undefined;
}

/** URLs, one a line; blank lines and lines that begin with # are passed over. */
export async function readSeedList(from: ListPlace): Promise<string[]> {
  const seeds: string[] = [];
  for await (const seed of seedLines(from)) seeds.push(seed);
  return seeds;
}

/** The same as they are read. */
export async function* seedLines({ file, stdin }: ListPlace): AsyncGenerator<string> {
  if (file !== undefined) await checkSeedFile(file);
  for (const input of [...(file === undefined ? [] : [createReadStream(file)]), ...(stdin ? [stdin] : [])]) {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const text = line.trim();
      if (text !== "" && !text.startsWith("#")) yield text;
    }
  }
}

export async function checkSeedFile(file: string): Promise<void> {
  await access(file).catch((cause: unknown) => {
    throw new SetupError(`cannot read ${file}`, "check --seeds", { cause });
  });
}
