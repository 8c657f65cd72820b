import { existsSync, renameSync, rmSync } from "node:fs";
import { openApp } from "../app.ts";
import { SetupError } from "../config/index.ts";
import type { ExportPlace, PlaceFormat } from "./export-formats.ts";

/** A consistent copy, even during a crawl; or a copy reduced to one site. */
export const sqliteFormat: PlaceFormat = {
  writes: "place",
  async write(app, { range }, place) {
    refuseTaken(place);
    const part = `${place.path}.${process.pid}.part`;
    try {
      rmSync(part, { force: true });
      await app.store.care.backup(part);
      const saved = await reduced(part, range.siteId);
      refuseTaken(place);
      renameSync(part, place.path);
      return { saved, left: 0, notes: [] };
    } finally {
      for (const ending of ["", "-wal", "-shm"]) rmSync(part + ending, { force: true });
    }
  },
};

/** A file with a -wal file is open in some process, perhaps this one: replacing it would damage it. */
function refuseTaken({ path, isReplacing }: ExportPlace): void {
  if (existsSync(`${path}-wal`)) throw new SetupError(`${path} is in use`, "name another file");
  if (existsSync(path) && !isReplacing) throw new SetupError(`${path} exists already`, `-O ${path} replaces it`);
}

/** Returns the number of pages in it. */
async function reduced(copy: string, siteId: number | undefined): Promise<number> {
  const { store, close } = await openApp({ db: copy });
  try {
    const others = (await store.sites()).filter(({ id }) => siteId !== undefined && id !== siteId);
    for (const { id } of others) await (await store.care.plan({ what: "site", siteId: id })).carryOut();
    if (others.length > 0) await store.care.vacuum();
    return (await store.care.siteSummaries()).reduce((sum, { pages }) => sum + pages, 0);
  } finally {
    await close();
  }
}
