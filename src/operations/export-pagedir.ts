import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { SetupError } from "../config/index.ts";
import { PageDirectory } from "../export/index.ts";
import type { ExportPlace, PlaceFormat } from "./export-formats.ts";

/** Pages in the order they were settled, as `crawler` saves them: all that came, whatever their verdict. Those without a stored body are counted as left out. */
export const pagedirFormat: PlaceFormat = {
  writes: "place",
  async write({ store }, { range }, place) {
    await makeRoom(place);
    const directory = await PageDirectory.open(place.path).catch((cause: unknown) => {
      throw new SetupError(`${place.path} cannot be used as a page directory`, `make it first: mkdir ${place.path}`, { cause });
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

/** A page left over from an earlier crawl would count as one of this. */
async function makeRoom({ path, isReplacing }: ExportPlace): Promise<void> {
  const files = (await readdir(path).catch(() => [])).filter((name) => /^[1-9]\d*$/.test(name));
  if (files.length > 0 && !isReplacing) throw new SetupError(`${path} holds pages already`, `-O ${path} replaces them`);
  for (const name of files) await rm(join(path, name));
}
