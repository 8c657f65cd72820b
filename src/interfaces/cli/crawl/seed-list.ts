import { createReadStream } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { typedUrl } from "../../../core/typed-url.ts";
import { SetupError } from "../../../engine/config/index.ts";

interface SeedSource {
  readonly file: string | undefined;
  readonly stdin: Readable | undefined;
}

/** One URL per line; blank lines and lines starting with # are skipped. An invalid line is rejected with its number. */
export async function readSeedList(from: SeedSource): Promise<string[]> {
  const seeds: string[] = [];
  for await (const { text, place } of numberedLines(from)) {
    const url = typedUrl(text);
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new SetupError(`${place}: "${text.slice(0, 200)}" is not an http or https URL`, "correct the line, or put # before it");
    seeds.push(url);
  }
  return seeds;
}

/** The same lines without validation. */
export async function* seedLines(from: SeedSource): AsyncGenerator<string> {
  for await (const { text } of numberedLines(from)) yield text;
}

async function* numberedLines({ file, stdin }: SeedSource): AsyncGenerator<{ readonly text: string; readonly place: string }> {
  if (file !== undefined) await checkSeedFile(file);
  for (const input of [...(file === undefined ? [] : [createReadStream(file)]), ...(stdin ? [stdin] : [])]) {
    const name = input === stdin ? "standard input" : file;
    let number = 0;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      const text = line.trim();
      if (text !== "" && !text.startsWith("#")) yield { text, place: `${name} line ${number}` };
    }
  }
}

export async function checkSeedFile(file: string): Promise<void> {
  const about = await stat(file).catch((cause: unknown) => {
    throw new SetupError(`cannot read ${file}`, "check --seeds", { cause });
  });
  if (about.isDirectory()) throw new SetupError(`${file} is a folder`, "--seeds takes a file with one URL a line");
  await access(file, constants.R_OK).catch((cause: unknown) => {
    throw new SetupError(`cannot read ${file}`, "check --seeds", { cause });
  });
}
