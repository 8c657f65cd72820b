import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { SetupError } from "../../engine/config/index.ts";
import { PageDirectory } from "../../engine/formats/index.ts";
import type { ExportTarget, FileFormat } from "./export-formats.ts";

/**
 * Pages in the order of settling, as `crawler` saves them: all pages, whatever their verdict. Pages without a stored body are counted as
 * left out.
 */
export const pagedirFormat: FileFormat = {
  writes: "place",
  async write({ store }, { range }, place) {
    const directory = await openDirectory(place).catch((cause: unknown) => {
      if (cause instanceof SetupError) throw cause;
      throw new SetupError(`${place.path} cannot be used as a page directory`, "name a folder that can be written", { cause });
    });
    let left = 0;
    for await (const page of store.pages({ ...range, sort: "seq" })) {
      const [version] = await store.versions(page.id);
      const body = version?.bodyHash ? await store.bodyUncached(version.bodyHash) : undefined;
      if (body) await directory.save({ url: page.url, depth: page.depth, body });
      else left += 1;
    }
    return { saved: directory.saved, left, notes: [] };
  },
};

async function openDirectory({ path, isReplacing }: ExportTarget): Promise<PageDirectory> {
  await mkdir(path, { recursive: true });
  const existing = await PageDirectory.existingFiles(path);
  if (existing.some((name) => /^\d/.test(name)) && !isReplacing)
    throw new SetupError(`${path} holds pages already`, `-O ${path} replaces them`);
  for (const name of existing) await rm(join(path, name));
  return PageDirectory.open(path);
}
