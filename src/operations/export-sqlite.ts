import { existsSync, renameSync, rmSync } from "node:fs";
import { openApp } from "../app.ts";
import { SetupError } from "../config/index.ts";
import type { ExportPlace, PlaceFormat } from "./export-formats.ts";

/** A whole copy as of one moment, though a crawl may be under way; or what is left of it without all sites but one. */
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

/** A file with a log beside it is open somewhere, perhaps here: to replace it would damage it. */
function refuseTaken({ path, isReplacing }: ExportPlace): void {
  if (existsSync(`${path}-wal`)) throw new SetupError(`${path} is in use`, "name another file");
  if (existsSync(path) && !isReplacing) throw new SetupError(`${path} exists already`, `-O ${path} replaces it`);
}

/** Answers how many pages are in it. */
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
