import { createReadStream } from "node:fs";
import { access } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { SetupError } from "../config/index.ts";

/** URLs, one a line; blank lines and lines that begin with # are passed over. */
export async function readSeedList(from: { file: string | undefined; stdin: Readable | undefined }): Promise<string[]> {
  const seeds: string[] = [];
  if (from.file !== undefined) {
    await access(from.file).catch((cause: unknown) => {
      throw new SetupError(`cannot read ${from.file}`, "check --seeds", { cause });
    });
  }
  const sources = [...(from.file === undefined ? [] : [createReadStream(from.file)]), ...(from.stdin ? [from.stdin] : [])];
  for (const input of sources) {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const text = line.trim();
      if (text !== "" && !text.startsWith("#")) seeds.push(text);
    }
  }
  return seeds;
}
