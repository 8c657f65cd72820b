import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { SetupError } from "../config/index.ts";
import { PageDirectory } from "../export/index.ts";
import type { ExportPlace, PlaceFormat } from "./export-formats.ts";

/**
 * Pages in the order of settling, as `crawler` saves them: all pages, whatever their verdict. Pages without a stored body are counted as
 * left out.
 */
export const pagedirFormat: PlaceFormat = {
  writes: "place",
  async write({ store }, { range }, place) {
    const directory = await openEmpty(place).catch((cause: unknown) => {
      if (cause instanceof SetupError) throw cause;
      throw new SetupError(`${place.path} cannot be used as a page directory`, "name a folder that can be written", { cause });
    });
    let left = 0;
    for await (const page of store.pages({ ...range, sort: "seq" })) {
      const [version] = await store.versions(page.id);
      const body = version?.bodyHash ? await store.bodyOnce(version.bodyHash) : undefined;
      if (body) await directory.save({ url: page.url, depth: page.depth, body });
      else left += 1;
    }
    return { saved: directory.saved, left, notes: [] };
  },
};

async function openEmpty({ path, isReplacing }: ExportPlace): Promise<PageDirectory> {
  await mkdir(path, { recursive: true });
  const taken = await PageDirectory.namesTaken(path);
  if (taken.some((name) => /^\d/.test(name)) && !isReplacing)
    throw new SetupError(`${path} holds pages already`, `-O ${path} replaces them`);
  for (const name of taken) await rm(join(path, name));
  return PageDirectory.open(path);
}
