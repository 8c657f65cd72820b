import { SetupError } from "../config/index.ts";
import { PageDirectory } from "../export/index.ts";
import type { PlaceFormat } from "./export-formats.ts";

/** Pages in the order they were first settled; those without a stored body are left out. */
export const pagedirFormat: PlaceFormat = {
  writes: "place",
  async write({ store }, { range }, { path }) {
    const directory = await PageDirectory.open(path).catch((cause: unknown) => {
      throw new SetupError(`${path} cannot be used as a page directory`, `make it first: mkdir ${path}`, { cause });
    });
    let left = 0;
    for await (const page of store.pages({ ...range, isOk: !range.anyVerdict, sort: "seq" })) {
      const [version] = await store.versions(page.id);
      const body = version?.bodyHash ? await store.body(version.bodyHash) : undefined;
      if (body) await directory.save({ url: page.url, depth: page.depth, body });
      else left += 1;
    }
    return { saved: directory.saved, left, notes: [] };
  },
};
